import { sql } from 'kysely'
import { anyOf } from '../any-of.ts'
import type { Db } from '../connect.ts'
import type { TemplateState } from '../tables.ts'
import { selectVersion, type TemplateVersion, versionInForce } from './template-version.ts'

/** A template in its newest version; `inForce`: the one that messages use. */
export type Template = TemplateVersion & {
  id: string
  unitId: string
  name: string
  categoryId: string
  inForce: number
}

function selectTemplate(db: Db) {
  return selectVersion(db)
    .where(isNewest)
    .select(['t.id', 't.unit_id as unitId', 't.name', 't.category_id as categoryId'])
    .select(({ ref }) => versionInForce(ref('t.id')).as('inForce'))
}

/** Of `template as t` and `template_version as v`: the version is the template's newest. */
const isNewest = sql<boolean>`v.version = (
  select max(newest.version) from template_version as newest where newest.template_id = t.id)`

/** The template in its newest version; undefined where there is none in these units. */
export async function findTemplate(db: Db, id: string, unitIds: string[]): Promise<Template | undefined> {
  return selectTemplate(db).where('t.id', '=', id).where('t.unit_id', '=', anyOf(unitIds)).executeTakeFirst()
}

export type TemplateFilter = {
  unitId: string
  states?: TemplateState[]
  categoryId?: string
  before: string | null
  limit: number
}

/** A unit's templates, newest first. */
export async function listTemplates(db: Db, filter: TemplateFilter): Promise<Template[]> {
  return selectTemplate(db)
    .where('t.unit_id', '=', filter.unitId)
    .$if(filter.states !== undefined, (query) => query.where('v.state', 'in', filter.states!))
    .$if(filter.categoryId !== undefined, (query) => query.where('t.category_id', '=', filter.categoryId!))
    .$if(filter.before !== null, (query) => query.where('t.id', '<', filter.before!))
    .orderBy('t.id', 'desc')
    .limit(filter.limit)
    .execute()
}
