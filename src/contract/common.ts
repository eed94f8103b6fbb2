import { z } from 'zod'
import { channels } from './enums.ts'
import { limits } from './limits.ts'

/** Our own ids: UUIDs, time-ordered (version 7). In a path, what is no id is answered like an unknown one: 404. */
export const Id = z.uuid().meta({ examples: ['01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f'] })

/** A reference in a body to something of ours. What it names is looked up later, so any text is well-formed. */
export const Reference = z.string().min(1).max(200)

/**
 * A moment as a caller writes it: ISO 8601 with an offset or Z. No calendar has a year 0, no place is more than 14
 * hours away from Greenwich, and Postgres knows neither. What we answer has a year of four digits.
 */
export const DateTime = z.iso
  .datetime({ offset: true, abort: true })
  .refine((text) => !/\.\d{10}/.test(text), 'a second has at most nine decimals')
  .refine(isStorableInstant, 'must lie in the years 1 to 9999, in UTC too')
  .refine((text) => /(Z|[+-](0\d|1[0-4]):\d\d)$/.test(text), 'an offset is at most 14 hours')
  .meta({ examples: ['2026-12-01T09:00:00+08:00'] })

function isStorableInstant(text: string): boolean {
  const year = new Date(text).getUTCFullYear()
  return !text.startsWith('0000') && year >= 1 && year <= 9999
}

/** A moment as we answer it: ISO 8601 in UTC with milliseconds. */
export const Instant = z.iso.datetime().meta({ examples: ['2026-12-01T01:00:00.000Z'] })

/**
 * Whoever acted, with the name people know them by; `id` is `key:…`, `person:…`, `event:…`, `system:…` or
 * `operator:…`.
 */
export const Actor = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Actor' })
export type Actor = z.infer<typeof Actor>

/** The channels on which a person can be reached. */
export const Channel = z.enum(channels)

/** Counts per channel; a channel that is not concerned is left out. */
export const CountByChannel = z.partialRecord(Channel, z.int().min(0))

/** The path of every operation on one thing. */
export const IdParams = z.object({ id: Id })

/** How a list is paged: hand `nextCursor` of one answer to the next call; it is opaque and may change its form. */
export const PageQuery = z.object({
  cursor: z.string().min(1).max(500).optional(),
  limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.pageSize),
})

/** Every list answers this; `nextCursor` is null on the last page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}

/** Several values of one query parameter: `?state=draft&state=submitted`, or one. */
export function oneOrMore<Item extends z.ZodType>(item: Item) {
  return z.union([z.array(item).min(1), item]).transform((value) => (Array.isArray(value) ? value : [value]))
}

/** The name of a time zone, as in `Asia/Taipei` (IANA). */
export const TimeZone = z.string().refine(isTimeZone, 'must be the name of a time zone')

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
