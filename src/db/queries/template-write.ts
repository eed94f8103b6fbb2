import { sql } from 'kysely'
import type { CanonicalMessage } from '../../contract/canonical-message.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { TemplateVariable } from '../../contract/template.ts'
import type { Trx } from '../connect.ts'

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
