import type { Generated } from 'kysely'
import type {
  Channel,
  LookupError,
  RunState,
  ScenarioState,
  ScenarioVersionState,
  TurnChannel,
  TurnState,
  TurnWay,
} from '../../contract/enums.ts'
import type { PostbackData } from '../../contract/messages/content.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { Shortfall } from '../../domain/message/shortfall.ts'
import type { WholeDesign } from '../../domain/pattern/terms.ts'
import type { NodeMessages } from '../../domain/scenario/deliverable-channels.ts'
import type { Jumps } from '../../domain/scenario/jumps.ts'
import type { GraphLayout } from '../../domain/scenario/layout.ts'
import type { RefusedField } from '../../domain/scenario/lookup-answer.ts'
import type { LookupFault } from '../../domain/scenario/values.ts'
import type { DefaultInstant, DefaultJson, Instant, Json, MaybeInstant, MaybeJson } from './columns.ts'
import type { RunColumns } from './run.ts'

/** Scenarios, their runs, and what runs say, hear and look up. Defined in SQL: src/db/migrations. */

export type ScenarioTables = {
  scenario: ScenarioTable
  scenario_layout: ScenarioLayoutTable
  scenario_version: ScenarioVersionTable
  start_line: StartLineTable
  scenario_trigger: ScenarioTriggerTable
  scenario_start: ScenarioStartTable
  scenario_run: ScenarioRunTable
  scenario_step: ScenarioStepTable
  scenario_count: ScenarioCountTable
  scenario_answer: ScenarioAnswerTable
  turn: TurnTable
  lookup_endpoint: LookupEndpointTable
  lookup: LookupTable
  lookup_wait: LookupWaitTable
}

export type ScenarioTable = {
  id: Generated<string>
  unit_id: string
  state: Generated<ScenarioState>
  /** Whether a paused one goes on when the version that waits is approved. */
  resumes: Generated<boolean>
  created_by: string
  created_at: DefaultInstant
}

export type ScenarioVersionTable = {
  scenario_id: string
  version: number
  state: ScenarioVersionState
  name: string
  category_id: string
  content: Json<ScenarioContent>
  /** How it leads on. */
  jumps: Json<Jumps>
  /** What a pattern was asked to generate it of; null: it was written as a graph. */
  design: MaybeJson<WholeDesign>
  created_by: string
  /** Who wrote what stands in it, unless a person has approved that. */
  authors: string[]
  created_at: DefaultInstant
  submitted_at: MaybeInstant
  submitted_by: string | null
  /** In force by the automatic check alone. */
  automatic: Generated<boolean>
  decided_by: string | null
  decided_at: MaybeInstant
  reason: string | null
}

export type ScenarioLayoutTable = {
  scenario_id: string
  version: number
  /** Of the sizes by which it was laid out. */
  sizes_hash: Buffer
  layout: Json<GraphLayout>
  created_at: DefaultInstant
}

export type ScenarioTriggerTable = { trigger: string; scenario_id: string }

export type ScenarioStartTable = {
  id: Generated<string>
  scenario_id: string
  actor: string
  idempotency_key: string | null
  body_hash: Buffer | null
  answer: MaybeJson<unknown>
  variables: Json<Record<string, unknown>>
  created_at: DefaultInstant
  /** When its runs are counted next; null: it is small, or its outcome is known. */
  watch_at: MaybeInstant
  /** Since when its outcome is known. */
  ended_at: MaybeInstant
  shortfall: MaybeJson<Shortfall>
}

export type ScenarioRunTable = RunColumns & {
  id: Generated<string>
  scenario_id: string
  version_number: number
  unit_id: string
  /** Null: the person was erased. */
  subject_id: string | null
  occasion: Generated<string>
  start_id: string | null
  started_by: string
  started_by_webhook: string | null
  test: Generated<boolean>
  state: Generated<RunState>
  node: string
  entered_at: DefaultInstant
  deadline: MaybeInstant
  /** What it has learned, over the variables of its start. */
  variables: DefaultJson<Record<string, unknown>>
  answers: DefaultJson<Record<string, string>>
  lookup_error: LookupFault | null
  reason: string | null
  /** Jumps since the person last said something. */
  jumps: Generated<number>
  /** The scenarios of those jumps, this one last; empty: the person has said something to this run. */
  jumped_through: Generated<string[]>
  /**
   * When the person last said something, to this run or to one that led to it; null: others began it, and the person
   * has said nothing.
   */
  spoke_at: MaybeInstant
  /** What the person said last came from a page behind a link. */
  on_page: Generated<boolean>
  /** What they chose on the page that started it; once its question is asked, the turn that asked it. */
  opening: MaybeJson<Opening>
  /** The run whose jump began it. */
  jumped_from: Generated<string | null>
  /** Since when a run of a mass start stands in line; null: it does not, or not any more. */
  queued_at: MaybeInstant
  queued_mass: Generated<boolean>
  created_at: DefaultInstant
  purged_at: MaybeInstant
  /** The span in which it was started; null: nothing was recorded. */
  traceparent: string | null
}

/** What a person chose on the page that started a run, as an answer is stored; or the turn that has asked it. */
export type Opening =
  | { node: string; optionId: string | null; text: string | null; data: PostbackData | null }
  | { turn: number }

/** When the line of a unit's runs last moved. Defined in SQL: src/db/migrations. */
export type StartLineTable = { unit_id: string; moved_at: Date }

export type ScenarioStepTable = {
  run_id: string
  node: string
  entered_at: DefaultInstant
  left_at: MaybeInstant
  /** The JSON of the case of the edge, `plain` or `nextNode`; null: the run is there, or ended there. */
  edge: string | null
  to_node: string | null
  /** Why it took its edge for errors. */
  reason: string | null
}

export type ScenarioCountTable = {
  scenario_id: string
  version: number
  node: string
  edge: string
  count: number
}

export type ScenarioAnswerTable = {
  run_id: string
  node: string
  option_id: string | null
  text: string | null
  /** The producer's own data of the button. */
  data: MaybeJson<PostbackData>
  webhook_event_id: string | null
  at: DefaultInstant
}

export type TurnTable = {
  id: Generated<string>
  /** Null: it replies in a handoff. */
  run_id: string | null
  handoff_id: Generated<string | null>
  number: number
  first_node: string
  last_node: string
  subject_id: string | null
  unit_id: string
  state: Generated<TurnState>
  reason: string | null
  /** Whether it follows what the person said within a minute. */
  answers_person: boolean
  locale: string
  says: MaybeJson<NodeMessages[]>
  channel: TurnChannel | null
  address: string | null
  content: MaybeJson<unknown>
  by: TurnWay | null
  retry_key: string | null
  /** The event whose reply token it uses. */
  reply_event_id: string | null
  /** The provider may have taken an earlier try. */
  unclear: Generated<boolean>
  /** The channels that have refused it for certain. */
  refused: Generated<Channel[]>
  unit_pushes: Generated<number>
  pool_pushes: Generated<number>
  month: string | null
  tries: Generated<number>
  /** How often a reply could not be tried at all. */
  failures: Generated<number>
  /** For how long the provider or the quota has held it back, in ms. */
  held_ms: Generated<number>
  first_try_at: MaybeInstant
  next_try_at: MaybeInstant
  claimed_by: string | null
  lease_until: MaybeInstant
  request_id: string | null
  created_at: DefaultInstant
  closed_at: MaybeInstant
}

export type LookupEndpointTable = {
  id: Generated<string>
  origin: string
  /** Null: for the scenarios of every unit. */
  unit_id: string | null
  /** Of the signing key; null: the first one. */
  key_id: string | null
  /** Whether it gets the uids of people. */
  send_uid: Generated<boolean>
  created_by: string
  created_at: DefaultInstant
}

export type LookupTable = {
  run_id: string
  node: string
  origin: string | null
  started_at: DefaultInstant
  ended_at: MaybeInstant
  /** Null: under way, or lost with its worker. */
  outcome: 'found' | LookupError | null
  /** How many fields of the answer became null. */
  dropped: Generated<number>
  /** Which became null, and why; null: none. */
  refused: MaybeJson<RefusedField[]>
}

/** Lookups that wait for a turn at their origin. */
export type LookupWaitTable = {
  run_id: string
  node: string
  unit_id: string
  origin: string
  since: DefaultInstant
  /** When the run asks again. */
  back_at: Instant
}
