import type { Generated } from 'kysely'
import type {
  Channel,
  DeliveryState,
  Locale,
  ServerVerdict,
  WaveProblem,
  WaveState,
} from '../../contract/enums.ts'
import type { Shortfall } from '../../domain/message/shortfall.ts'
import type { CountedPeople } from '../../domain/message/stats.ts'
import type { DefaultInstant, DefaultJson, Instant, MaybeInstant, MaybeJson, Month } from './columns.ts'

/** Waves, deliveries, batches, calls. Defined in SQL: src/db/migrations. */

export type DeliveryTables = {
  wave: WaveTable
  delivery: DeliveryTable
  batch: BatchTable
  call: CallTable
  channel_rest: ChannelRestTable
  mail_server: MailServerTable
}

/** Deliveries counted by reason. */
export type SkippedCounts = Record<string, number>
export type ChannelCounts = {
  sent: number
  failed: number
  unknown: number
  skipped: SkippedCounts
  expected: number
}

export type WaveTable = {
  id: Generated<string>
  message_id: string | null
  number: Generated<number>
  state: Generated<WaveState>
  month: Month
  expected: number | null
  /** Its deliveries are written, and their quota is not reserved yet: none of its batches can be claimed. */
  unreserved: Generated<boolean>
  claimed: Generated<boolean>
  sent: Generated<number>
  failed: Generated<number>
  unknown: Generated<number>
  skipped: DefaultJson<SkippedCounts>
  by_channel: DefaultJson<Partial<Record<Channel, ChannelCounts>>>
  /** People by outcome, of a plan that sends on several channels at once; counted when the wave ends. */
  people: MaybeJson<CountedPeople>
  parked: WaveProblem | null
  parked_at: MaybeInstant
  probe_at: MaybeInstant
  skip_remaining: Generated<boolean>
  created_at: DefaultInstant
  /** When the wave could send: the time planned for it, or when it was approved or resumed, if that is later. */
  due_at: MaybeInstant
  started_at: MaybeInstant
  finished_at: MaybeInstant
  purged_at: MaybeInstant
  /** When its counts were added to the numbers of its unit. */
  rolled_up_at: MaybeInstant
  /** How often that failed, and when it is tried again. */
  roll_up_tries: Generated<number>
  roll_up_at: MaybeInstant
  /** When a mail server's refusals of its recipients were first doubted, and whether a person said that they are right. */
  doubted_at: MaybeInstant
  believed: Generated<boolean>
  /** Of a wave that ended: how many it reached, where those were nobody or far too few. */
  shortfall: MaybeJson<Shortfall>
}

export type DeliveryTable = {
  wave_id: string
  subject_id: string
  channel: Channel
  batch: number | null
  state: DeliveryState
  reason: string | null
}

export type BatchTable = {
  wave_id: string
  channel: Channel
  number: number
  locale: Locale
  size: number
  /** Repeated mail: the first try may have arrived. */
  repeats: Generated<boolean>
  state: Generated<'open' | 'done' | 'counted'>
  not_before: MaybeInstant
  /** How often the batch was deferred, since when (null: never) and why. */
  tries: Generated<number>
  failing_since: MaybeInstant
  code: string | null
  claimed_by: string | null
  run_id: string | null
  activity_id: string | null
  attempt: number | null
  lease_until: MaybeInstant
  sent: Generated<number>
  failed: Generated<number>
  unknown: Generated<number>
  skipped: DefaultJson<SkippedCounts>
  /** Recipients × accepted or unclear calls: what the ledger commits. */
  pushes: Generated<number>
}

export type CallState = 'open' | 'accepted' | 'refused' | 'unknown'
export type CallTable = {
  wave_id: string
  channel: Channel
  batch: number
  call_number: number
  retry_key: string
  subject_ids: string[]
  addresses: string[]
  state: Generated<CallState>
  unclear: Generated<boolean>
  tries: Generated<number>
  first_try_at: MaybeInstant
  code: string | null
  request_id: string | null
}

/** A pause that a provider asked for: nothing starts on the channel until `until`, except a probe at `probe_at`. */
export type ChannelRestTable = { channel: Channel; until: Instant; probe_at: MaybeInstant }

/** What a mail server lately said of recipients (docs/design/provider-outcomes.md). */
export type MailServerTable = {
  host: string
  why: ServerVerdict
  /** The newest last: when one was said to be unknown; null: taken. */
  recent: Generated<(Date | null)[]>
  doubted_since: MaybeInstant
  probe_at: MaybeInstant
  probed_at: MaybeInstant
  believed: Generated<boolean>
}
