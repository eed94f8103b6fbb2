import type { Generated } from 'kysely'
import type { WebhookSource } from '../../contract/enums.ts'
import type { DefaultInstant, Instant, Json, MaybeInstant } from './columns.ts'

/** Webhook events of the channels. Defined in SQL: src/db/migrations. */

export type WebhookTables = {
  webhook_event: WebhookEventTable
  webhook_head: WebhookHeadTable
}

export type WebhookEventTable = {
  id: Generated<string>
  channel: WebhookSource
  event_id: string
  type: string
  address: string | null
  /** Null: it has no address, or the key of the hashes was not at hand. */
  address_hash: Buffer | null
  subject_id: string | null
  occurred_at: Instant
  payload: Json<unknown>
  received_at: DefaultInstant
  tries: Generated<number>
  next_try_at: DefaultInstant
  outcome: string | null
  done_at: MaybeInstant
  /** When its reply token was used. */
  reply_used_at: MaybeInstant
  /** Whose scenario or message it is about, as far as that was known when it arrived. */
  unit_id: string | null
}

/** The first pending event of each address, kept by triggers; the lowest round is next. */
export type WebhookHeadTable = {
  key: string
  share: string
  first_id: string
  round: string | null
  due_at: MaybeInstant
}
