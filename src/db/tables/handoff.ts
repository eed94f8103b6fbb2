import type { Generated } from 'kysely'
import type { HandoffEnd } from '../../contract/enums.ts'
import type { DefaultInstant, MaybeInstant } from './columns.ts'
import type { NoticeState } from './notice.ts'

/** Conversations that people of a unit take over. Defined in SQL: src/db/migrations. */

export type HandoffTables = {
  handoff: HandoffTable
  handoff_message: HandoffMessageTable
  handoff_notice: HandoffNoticeTable
}

export type HandoffTable = {
  id: Generated<string>
  unit_id: string
  /** Null: nobody is bound to the chat address yet, or the person was erased. */
  subject_id: string | null
  /** The run whose node opened it; null: the assistant did. */
  run_id: string | null
  node: string | null
  /** The conversation and the chat address as the assistant names them. */
  conversation_id: string | null
  channel_user: string | null
  /** Of one that was opened while nobody was bound to the address. */
  channel_user_hash: Buffer | null
  test: Generated<boolean>
  opened_at: DefaultInstant
  /** When either side said something last. */
  spoken_at: DefaultInstant
  closed_at: MaybeInstant
  closed_by: string | null
  end_reason: HandoffEnd | null
  purged_at: MaybeInstant
}

/** What the person said, by an event; or what the unit replied, by a turn. */
export type HandoffMessageTable = {
  id: Generated<string>
  handoff_id: string
  /** Of the person; null: it was no text. */
  text: string | null
  webhook_event_id: string | null
  turn_id: string | null
  /** Who replied. */
  actor: string | null
  idempotency_key: string | null
  body_hash: Buffer | null
  /** Of a reply by a key: the digest of its words, as people compare them. */
  words: Buffer | null
  at: DefaultInstant
}

/** Mails to the people of a unit. */
export type HandoffNoticeTable = {
  id: Generated<string>
  handoff_id: string
  person_id: string
  state: Generated<NoticeState>
  tries: Generated<number>
  next_try_at: DefaultInstant
  code: string | null
  created_at: DefaultInstant
}
