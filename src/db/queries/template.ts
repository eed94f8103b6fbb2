import { sql } from 'kysely'
import type { CanonicalMessage } from '../../contract/canonical-message.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { TemplateVariable } from '../../contract/template.ts'
import { anyOf } from '../any-of.ts'
import type { Db, Trx } from '../connect.ts'
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

export type NewTemplate = {
  unitId: string
  name: string
  categoryId: string
  messages: CanonicalMessage[]
  subject: LocalisedText | null
  variables: TemplateVariable[]
  createdBy: string
}

/** Stores a template with its first version, a draft. Answers its id. */
export async function insertTemplate(trx: Trx, template: NewTemplate): Promise<string> {
  const { id } = await trx
    .insertInto('template')
    .values({ unit_id: template.unitId, name: template.name, category_id: template.categoryId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('template_version')
    .values({
      template_id: id,
      version: 1,
      messages: JSON.stringify(template.messages),
      subject: template.subject && JSON.stringify(template.subject),
      variables: JSON.stringify(template.variables),
      created_by: template.createdBy,
    })
    .execute()
  return id
}

/** Locks a template, so that two decisions about it come one after the other. */
export async function lockTemplate(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('template').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export type TemplateDecision = { state: 'approved' | 'rejected'; by: string; reason: string | null }

export async function decideTemplate(
  trx: Trx,
  id: string,
  version: number,
  decision: TemplateDecision,
): Promise<void> {
  await trx
    .updateTable('template_version')
    .set({
      state: decision.state,
      decided_by: decision.by,
      decided_at: sql`now()`,
      reason: decision.reason,
    })
    .where('template_id', '=', id)
    .where('version', '=', version)
    .execute()
}
