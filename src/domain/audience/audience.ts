import type {
  AudienceDimension,
  Channel,
  Exclusion,
  HistoryKind,
  Locale,
  ProfileList,
  RemindTo,
  Stage,
  SubjectRole,
} from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'

/** Content of the producer's messages that a channel cannot carry. Returned by dry-run and content_violation. */
export type Violation = {
  /** The path in the producer's messages, e.g. `messages[0].actions[1].label.en`. */
  path: string
  code: string
  /** The limit that is exceeded; its unit depends on the code and is named in the message. */
  limit?: number
  /** What the author should do. */
  message: LocalisedText
}

/**
 * Why a delivery of a wave is skipped from the start. Besides the exclusions: an opt-out from the reminder, an answer
 * that makes it needless, and a category's frequency cap.
 */
export type SkipReason = Exclusion | 'doNotRemind' | 'answered' | 'frequency'

/** The reminder of a message. `pushes`: by channel, if nobody opts out or answers. */
export type ReminderForecast = { at: string; to: RemindTo; pushes: Partial<Record<Channel, number>> }

/** What a pace makes of a send: the deliveries a minute, and when the last one goes. */
export type PaceForecast = { perMinute: number; lastAt: string }

/** What the ledger says of so many pushes on one channel. */
export type LedgerForecast = {
  estimatedPushes: number
  unitRemaining: number
  poolRemaining: number
  wouldExceed: boolean
}

/** `pushesPerPerson`: the calls that the content of the message needs for one recipient. */
export type QuotaForecast = LedgerForecast & { pushesPerPerson: number }

/** The dry-run result, which submit stores. Contains no personal data. */
export type Forecast = {
  recipients: {
    total: number
    byChannel: Partial<Record<Channel, number>>
    /** By the language in which they read. */
    byLocale: Partial<Record<Locale, number>>
    excluded: Record<Exclusion, number>
    /** The same by channel, of people whom another may reach. */
    excludedByChannel: Partial<Record<Channel, Record<Exclusion, number>>>
    /** Uids of no subject; not part of total + excluded. */
    unknownUids: number
    /**
     * If the category has a frequency cap: people who have reached it. Separate from `excluded`, whose keys are fixed.
     */
    frequency?: number
  }
  quota: Partial<Record<Channel, QuotaForecast>>
  /** Only if a reminder is to come. */
  reminder?: ReminderForecast
  /** Only if it has a pace. */
  pace?: PaceForecast
  violations: Violation[]
  /** What the author and the approver should know; the content can be sent. */
  warnings: Violation[]
}

/** The stored dry-run result. Those of before there were warnings have none. */
export type Snapshot = Omit<Forecast, 'warnings'> & Partial<Pick<Forecast, 'warnings'>>

/** What an entry of each kind of history names. */
type HistoryNames = {
  registered: { patternInstanceId: string }
  received: { messageId: string }
  answered: { messageId: string; optionId?: string }
}

export type HistoryEntry = { [kind in HistoryKind]: { kind: kind } & HistoryNames[kind] }[HistoryKind]
export type HistoryOf<Kind extends HistoryKind> = Extract<HistoryEntry, { kind: Kind }>

/** A value of each dimension. */
export type DimensionValues = Record<Exclude<ProfileList, 'roles'>, string> & {
  roles: SubjectRole
  stages: Stage
  groups: string
  tags: string
  history: HistoryEntry
}

/** Dimensions are combined with AND, values within one with OR. */
export type AudienceDimensions = { [name in AudienceDimension]?: DimensionValues[name][] }

/** The people to exclude: a query, whose `kind` is optional. */
export type ExcludedPeople = { kind?: 'query' } & AudienceDimensions

export type QueryAudience = { kind: 'query'; exclude?: ExcludedPeople } & AudienceDimensions

export type Audience =
  | { kind: 'all'; exclude?: ExcludedPeople }
  | QueryAudience
  | { kind: 'individual'; uids: string[] }

/** The dimensions of a query, and those of the people whom an audience leaves out. */
export function dimensionsIn(audience: Audience): AudienceDimensions[] {
  if (audience.kind === 'individual') return []
  const { kind: _, ...removed } = audience.exclude ?? {}
  if (audience.kind === 'all') return [removed]
  const { kind: __, exclude: ___, ...named } = audience
  return [named, removed]
}
