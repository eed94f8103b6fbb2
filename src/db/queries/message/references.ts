import { sql } from 'kysely'
import type { MessageState, TopicStatus } from '../../../contract/enums.ts'
import type { SendingUnit } from '../../../domain/content/sending-unit.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import type { Db } from '../../connect.ts'
import { versionInForce } from '../approval/version-in-force.ts'
import { type Category, categoryFields } from '../catalogue/category.ts'
import type { Template } from '../catalogue/template.ts'
import { sendingUnit } from '../identity/unit.ts'
import { shownState } from '../shown-state.ts'

/** Ids as a caller gave them. */
type ReferenceKeys = {
  unitId: string
  idempotencyKey?: string | null
  categoryId: string
  templateId?: string | null
  topicId?: string | null
}

/** A template's version in force, and what the automatic check asks of it. */
type TemplateInForce = Pick<
  Template,
  'id' | 'version' | 'messages' | 'subject' | 'variables' | 'state' | 'categoryId'
>

export type References = {
  /** the message that already has this idempotency key; `bodyHash` in hex */
  known: { id: string; state: MessageState; bodyHash: string } | null
  category: Category | null
  template: TemplateInForce | null
  unit: SendingUnit
  topic: { id: string; status: TopicStatus } | null
  now: Date
}

/**
 * Everything that the body of a message refers to, and the message that already has its idempotency key, in one round
 * trip. Does not find templates and topics of other units; returns disabled categories and inactive topics as such.
 */
export async function findReferences(db: Db, of: ReferenceKeys): Promise<References> {
  const { rows } = await sql<References>`
    select ${knownMessage(of)} as known, ${categoryReference(of)} as category, ${templateInForce(of)} as template, ${topic(of)} as topic,
      (select ${sendingUnit} from unit where id = ${of.unitId}) as unit, clock_timestamp() as now`.execute(db)
  return rows[0]!
}

const nothing = sql`null::json`

/**
 * The message that has the key. Compares the unit by `is not distinct from` instead of `=`, so that only the key's
 * index applies: a plan cached while the table is small may use any index that starts with the unit, and would read all
 * of the unit's messages every time.
 */
export function knownMessage({ unitId, idempotencyKey }: Pick<ReferenceKeys, 'unitId' | 'idempotencyKey'>) {
  if (idempotencyKey == null) return nothing
  return sql`(
    select json_build_object('id', id, 'state', ${shownState('message')}, 'bodyHash', encode(body_hash, 'hex'))
    from message where idempotency_key = ${idempotencyKey} and unit_id is not distinct from ${unitId}::uuid)`
}

/** The category, enabled or not; null if there is none. */
export function categoryReference({ categoryId }: Pick<ReferenceKeys, 'categoryId'>) {
  return sql`(
    select ${categoryFields} from category where id = ${categoryId})`
}

/** The version of the template that messages of this unit use; null if the unit has no such template. */
export function templateInForce({ unitId, templateId }: Pick<ReferenceKeys, 'unitId' | 'templateId'>) {
  const id = idOrNull(templateId)
  if (id === null) return nothing
  return sql`(
    select json_build_object('id', id, 'version', version, 'messages', messages, 'subject', subject,
      'variables', variables, 'state', state, 'categoryId', category_id)
    from template join template_version on template_id = id
    where id = ${id} and unit_id = ${unitId} and version = ${versionInForce(sql`template.id`)})`
}

function topic({ unitId, topicId }: ReferenceKeys) {
  const id = idOrNull(topicId)
  if (id === null) return nothing
  return sql`(
    select json_build_object('id', id, 'status', status)
    from topic where id = ${id} and unit_id = ${unitId})`
}
