import type { CanonicalMessage } from '../../contract/canonical-message.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { TemplateVariable } from '../../contract/template.ts'
import { anyOf } from '../any-of.ts'
import type { Db } from '../connect.ts'
import type { TemplateState } from '../tables.ts'
import { actorName } from './actor-name.ts'

/** A template in its newest version. */
export type Template = {
  id: string
  unitId: string
  name: string
  categoryId: string
  state: TemplateState
  version: number
  messages: CanonicalMessage[]
  subject: LocalisedText | null
  variables: TemplateVariable[]
  createdBy: string
  createdByName: string | null
  createdAt: Date
  decidedBy: string | null
  decidedByName: string | null
  decidedAt: Date | null
  reason: string | null
}

function selectTemplate(db: Db) {
  return db
    .selectFrom('template as t')
    .innerJoin('template_version as v', 'v.template_id', 't.id')
    .where((is) =>
      is(
        'v.version',
        '=',
        is
          .selectFrom('template_version as newest')
          .select(({ fn }) => fn.max('newest.version').as('version'))
          .whereRef('newest.template_id', '=', 't.id'),
      ),
    )
    .select(['t.id', 't.unit_id as unitId', 't.name', 't.category_id as categoryId', 'v.state', 'v.version'])
    .select(['v.messages', 'v.subject', 'v.variables', 'v.created_by as createdBy', 'v.reason'])
    .select(['v.created_at as createdAt', 'v.decided_by as decidedBy', 'v.decided_at as decidedAt'])
    .select(({ ref }) => [
      actorName(ref('v.created_by')).as('createdByName'),
      actorName(ref('v.decided_by')).as('decidedByName'),
    ])
}

/** The template in its newest version; undefined where there is none in these units. */
export async function findTemplate(db: Db, id: string, unitIds: string[]): Promise<Template | undefined> {
  return selectTemplate(db).where('t.id', '=', id).where('t.unit_id', '=', anyOf(unitIds)).executeTakeFirst()
}

/** One version as it was frozen into a message. */
export async function findTemplateVersion(
  db: Db,
  id: string,
  version: number,
): Promise<{ state: TemplateState; categoryId: string } | undefined> {
  return db
    .selectFrom('template_version as v')
    .innerJoin('template as t', 't.id', 'v.template_id')
    .select(['v.state', 't.category_id as categoryId'])
    .where('v.template_id', '=', id)
    .where('v.version', '=', version)
    .executeTakeFirst()
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
