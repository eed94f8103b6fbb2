import type { Generated } from 'kysely'
import type { BindingState, EventError, RunPer } from '../../contract/enums.ts'
import type { EventAudience } from '../../contract/events/binding.ts'
import type { EventErrorDetails } from '../../contract/events/event.ts'
import type { DefaultInstant, Instant, Json, MaybeInstant, MaybeJson } from './columns.ts'

/** Signed events and their bindings. Defined in SQL: src/db/migrations. */

export type EventTables = {
  event: EventTable
  event_binding: EventBindingTable
  event_binding_version: EventBindingVersionTable
  event_binding_former: EventBindingFormerTable
  event_key: EventKeyTable
  event_source_claim: EventSourceClaimTable
  event_signature: EventSignatureTable
}

export type EventBindingTable = {
  id: Generated<string>
  unit_id: string
  created_at: DefaultInstant
}

export type EventBindingVersionTable = {
  binding_id: string
  version: number
  state: BindingState
  source: string
  type: string
  category_id: string
  template_id: string | null
  audience: Json<EventAudience>
  key_ids: string[] | null
  enabled: boolean
  /** Null: it makes messages. */
  scenario_id: string | null
  run_per: RunPer | null
  created_by: string
  /** Who wrote it; of versions before, also who wrote what it kept. */
  authors: string[]
  created_at: DefaultInstant
  /** When it came into force; null: it has never been. */
  took_effect_at: MaybeInstant
  decided_by: string | null
  decided_at: MaybeInstant
  reason: string | null
}

/** What the deleted bindings of a unit made last of a source and type. */
export type EventBindingFormerTable = Pick<
  EventBindingVersionTable,
  'source' | 'type' | 'category_id' | 'template_id' | 'scenario_id' | 'run_per' | 'audience' | 'key_ids'
> & { unit_id: string; took_effect_at: Instant }

export type EventTable = {
  id: Generated<string>
  source: string
  /** The digest of its signature where it is `unnamed`. */
  event_id: string
  /** Whether its id cannot be read. */
  unnamed: Generated<boolean>
  /** Null: it is invalid, and has none that can be read. */
  type: string | null
  occurred_at: MaybeInstant
  subject_uids: string[]
  data: Json<Record<string, unknown>>
  key_id: string
  received_at: DefaultInstant
  tries: Generated<number>
  next_try_at: Instant
  message_id: string | null
  /** How many runs it started. */
  runs: number | null
  /** The unit of the message. */
  unit_id: string | null
  error: EventError | null
  details: MaybeJson<EventErrorDetails>
}

export type EventKeyTable = {
  id: string
  unit_id: string
  name: string
  sources: string[]
  /** Sealed. */
  secret: Buffer
  created_by: string
  created_at: DefaultInstant
  revoked_at: MaybeInstant
}

/** The units that may bind the events of a source. */
export type EventSourceClaimTable = {
  source: string
  unit_id: string
  claimed_by: string
  claimed_at: DefaultInstant
}

export type EventSignatureTable = {
  digest: Buffer
  source: string
  event_ids: string[]
  received_at: DefaultInstant
}
