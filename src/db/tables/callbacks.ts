import type { ColumnType, Generated } from 'kysely'
import type {
  CallbackOutcome,
  CallbackType,
  Channel,
  DisabledReason,
  HandoffEnd,
  MessageState,
  RegistrationState,
  RunState,
  SuppressionReason,
} from '../../contract/enums.ts'
import type { PostbackData } from '../../contract/messages/content.ts'
import type { DefaultInstant, MaybeInstant, MaybeJson } from './columns.ts'

/** Callbacks and their deliveries. Defined in SQL: src/db/migrations. */

export type CallbackTables = {
  callback: CallbackTable
  callback_delivery: CallbackDeliveryTable
}

export type CallbackTable = {
  id: Generated<string>
  unit_id: string
  url: string
  description: string
  types: CallbackType[]
  secret: Buffer
  old_secret: Buffer | null
  old_secret_until: MaybeInstant
  enabled: Generated<boolean>
  disabled_reason: DisabledReason | null
  failing_since: MaybeInstant
  exhausted: Generated<number>
  delivered_at: MaybeInstant
  created_by: string
  /** Who wrote the URL: an actor. */
  url_by: string
  created_at: DefaultInstant
}

/**
 * An answer to a message or in a run, the counts of answers by option, how a run ended; the batches whose deliveries failed,
 * which name nobody here; or what changed of a registration, a handoff, an import, an address, or of preferences.
 */
export type CallbackData =
  | { optionId: string; data: PostbackData | null }
  | { node: string; optionId: string | null; data: PostbackData | null }
  | { answers: Record<string, number> }
  | { state: RunState; reason: string | null }
  | { people: number; batches: { waveId: string; channel: Channel; number: number }[]; full?: true }
  | { patternId: string; state: RegistrationState; position: number }
  | { runId: string | null; reason: HandoffEnd | null }
  | { lines: number; written: number; rejected: number }
  | { channel: Channel; reason: SuppressionReason }
  | {
      categories: Record<string, Partial<Record<Channel, boolean>>>
      topics: Record<string, boolean>
      language?: string
    }

export type CallbackDeliveryTable = {
  id: Generated<string>
  callback_id: string
  /** What it is about: a message or a run. `state` and `version` are the message's. */
  message_id: string | null
  run_id: Generated<string | null>
  /** The handoff, import or person that it is about, if it is about neither. */
  object_id: Generated<string | null>
  type: CallbackType
  state: MessageState | null
  from_state: MessageState | null
  version: number | null
  at: DefaultInstant
  outcome: Generated<CallbackOutcome>
  tries: Generated<number>
  next_try_at: MaybeInstant
  lease_until: MaybeInstant
  last_try_at: MaybeInstant
  status: number | null
  code: string | null
  /** Who answered; null for other types. */
  subject_id: string | null
  data: MaybeJson<CallbackData>
  /** Deliveries about one message or run with the same sequence arrive in order. Postgres computes it. */
  sequence: ColumnType<string, never, never>
}
