import { sql } from 'kysely'
import type { CanonicalMessage } from '../../contract/canonical-message.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { TemplateVariable } from '../../contract/template.ts'
import type { Trx } from '../connect.ts'

export type NewVersion = {
  messages: CanonicalMessage[]
  subject: LocalisedText | null
  variables: TemplateVariable[]
  createdBy: string
}

export type NewTemplate = { unitId: string; name: string; categoryId: string }

/** Stores a template; it has no version yet. Answers its id. */
export async function insertTemplate(trx: Trx, { unitId, name, categoryId }: NewTemplate): Promise<string> {
  const { id } = await trx
    .insertInto('template')
    .values({ unit_id: unitId, name, category_id: categoryId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Stores a draft as the template's newest version; under its lock, or before anybody knows it. Answers the number. */
export async function insertVersion(trx: Trx, templateId: string, version: NewVersion): Promise<number> {
  const row = await trx
    .insertInto('template_version')
    .values({
      template_id: templateId,
      version: sql<number>`(select coalesce(max(version), 0) + 1 from template_version where template_id = ${templateId})`,
      messages: JSON.stringify(version.messages),
      subject: version.subject && JSON.stringify(version.subject),
      variables: JSON.stringify(version.variables),
      created_by: version.createdBy,
    })
    .returning('version')
    .executeTakeFirstOrThrow()
  return row.version
}

/** Locks a template, so that two decisions about it come one after the other. */
export async function lockTemplate(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('template').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export type TemplateDecision = { state: 'approved' | 'rejected'; by: string; reason: string | null }

/** Writes what an approver decided about a version. Under `lockTemplate`. */
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
