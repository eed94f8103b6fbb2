import type { Channel, Exclusion, Stage, SubjectRole } from '../contract/enums.ts'
import type { LocalisedText } from '../contract/localised-text.ts'

/** Something in the producer's messages that a channel cannot carry. It goes out in dry-run and content_violation. */
export type Violation = {
  /** Where it stands in the producer's messages, e.g. `messages[0].actions[1].label.en`. */
  path: string
  code: string
  /** The number that was passed; its unit belongs to the code and is named in the message. */
  limit?: number
  /** What the author should do about it. */
  message: LocalisedText
}

/**
 * Why a delivery that stands in a wave is not made: a reminder is also spared those who want none, and nobody gets more
 * of a category than its frequency cap allows.
 */
export type SkipReason = Exclusion | 'doNotRemind' | 'frequency'

export type QuotaForecast = {
  estimatedPushes: number
  unitRemaining: number
  poolRemaining: number
  wouldExceed: boolean
}

/** The dry-run result, numbers only, which submit stores. */
export type Snapshot = {
  recipients: {
    total: number
    byChannel: Partial<Record<Channel, number>>
    excluded: Record<Exclusion, number>
    /** uids that name nobody; not part of total + excluded */
    unknown: number
    /** Where the category has a frequency cap: people who have had their share; beside excluded, whose keys are fixed. */
    frequency?: number
  }
  quota: Partial<Record<Channel, QuotaForecast>>
  violations: Violation[]
}

export type HistoryEntry =
  | { kind: 'registered'; patternInstanceId: string }
  | { kind: 'received'; messageId: string }
  | { kind: 'answered'; messageId: string; optionId?: string }

/** Dimensions AND together, values inside one OR. */
export type AudienceDimensions = {
  roles?: SubjectRole[]
  stages?: Stage[]
  orgUnits?: string[]
  classIds?: string[]
  groups?: string[]
  tags?: string[]
  history?: HistoryEntry[]
}

/** People to take away: a query, which may say that it is one. */
export type ExcludedPeople = { kind?: 'query' } & AudienceDimensions

export type QueryAudience = { kind: 'query'; exclude?: ExcludedPeople } & AudienceDimensions

export type Audience =
  | { kind: 'all'; exclude?: ExcludedPeople }
  | QueryAudience
  | { kind: 'individual'; uids: string[] }
