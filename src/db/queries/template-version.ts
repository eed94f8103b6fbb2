import { type Expression, type RawBuilder, sql } from 'kysely'
import type { CanonicalMessage } from '../../contract/canonical-message.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { TemplateVariable } from '../../contract/template.ts'
import type { Db } from '../connect.ts'
import type { TemplateState } from '../tables.ts'
import { actorName } from './actor-name.ts'

/** One text of a template, and what was decided about it. */
export type TemplateVersion = {
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

/** Every version of every template, as `template as t` and `template_version as v`. */
export function selectVersion(db: Db) {
  return db
    .selectFrom('template as t')
    .innerJoin('template_version as v', 'v.template_id', 't.id')
    .select(['v.state', 'v.version', 'v.messages', 'v.subject', 'v.variables'])
    .select(['v.created_by as createdBy', 'v.reason', 'v.created_at as createdAt'])
    .select(['v.decided_by as decidedBy', 'v.decided_at as decidedAt'])
    .select(({ ref }) => [
      actorName(ref('v.created_by')).as('createdByName'),
      actorName(ref('v.decided_by')).as('decidedByName'),
    ])
}

/**
 * The number of the version that messages use: the newest approved one; while none was ever approved the newest, so that
 * a new template can be tried, and sent with a person's approval.
 */
export function versionInForce(templateId: Expression<string>): RawBuilder<number> {
  return sql<number>`(
    select version from template_version where template_id = ${templateId}
    order by state = 'approved' desc, version desc limit 1)`
}

/** The versions of a template, newest first, from the one before `before` on. */
export async function listTemplateVersions(
  db: Db,
  id: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<TemplateVersion[]> {
  return selectVersion(db)
    .where('t.id', '=', id)
    .$if(before !== null, (query) => query.where('v.version', '<', before!))
    .orderBy('v.version', 'desc')
    .limit(limit)
    .execute()
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
