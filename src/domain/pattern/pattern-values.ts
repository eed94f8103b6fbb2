import type { PatternStatus, RegistrationState } from '../../contract/enums.ts'

/** What the scenario of a pattern knows of it. `deadline`: ms since the epoch. `timeZone`: of the unit, an IANA name. */
export type PatternFacts = {
  deadline: number
  capacity: number | null
  /** How many have a place; counted only where there is a capacity. */
  registered: number
  timeZone: string
  /** Where the person stands; null: they have not asked for a place. */
  own: { state: RegistrationState; byThisRun: boolean } | null
  /** It has an entry for calendars. */
  hasEntry?: boolean
  /** Where the file of that entry is, for the person. */
  calendar?: string
}

/** The variable `pattern` of texts and conditions. `left`: places; null: there is no end of them. */
export type PatternValues = {
  status: PatternStatus
  capacity: number | null
  left: number | null
  /** In the time zone of the unit, with its offset, so that the filter `date` shows local time. */
  deadline: string
  /** Of the person. */
  registration: RegistrationState | 'none'
  /** Where the file of their calendar entry is; empty: it has none. */
  calendar: string
}

/** The variable `pattern` at a moment (ms since the epoch). */
export function patternValues(
  { deadline, capacity, registered, timeZone, own, calendar = '' }: PatternFacts,
  now: number,
): PatternValues {
  const left = capacity === null ? null : Math.max(0, capacity - registered)
  return {
    status: now >= deadline ? 'closed' : left === 0 ? 'full' : 'open',
    capacity,
    left,
    deadline: localInstant(deadline, timeZone),
    registration: own?.state ?? 'none',
    calendar,
  }
}

const minuteMs = 60_000

/**
 * An instant (ms since the epoch) in local time, with its offset: `2026-12-01T18:00:00+08:00`. In UTC where the local year
 * does not have four digits, as in the last hours of 9999, by which people say that there is no end.
 */
export function localInstant(at: number, timeZone: string): string {
  const local = new Date(at).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')
  const wallMs = Date.parse(`${local}Z`)
  if (Number.isNaN(wallMs)) return new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00')
  const offset = Math.round((wallMs - at) / minuteMs)
  const minutes = Math.abs(offset)
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`
}
