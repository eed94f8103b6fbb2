import { z } from 'zod'
import { channels } from './enums.ts'
import { limits } from './limits.ts'

/** Carillon's ids: time-ordered UUIDs (version 7). A malformed id in a path returns 404, like an unknown one. */
export const Id = z.uuid().meta({ examples: ['01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f'] })

/** A reference to another resource in a body. It is resolved later, so any text is well-formed. */
export const Reference = z.string().min(1).max(200)

/**
 * A timestamp in a request: ISO 8601 with an offset or Z. Postgres stores no year 0 and no civil time zone is more than
 * 14 hours from UTC. Responses have four-digit years.
 */
export const DateTime = z.iso
  .datetime({ offset: true, abort: true })
  .refine((text) => !/\.\d{10}/.test(text), 'must have at most nine fractional digits of a second')
  .refine(isStorableInstant, 'must be in the years 1 to 9999, also in UTC')
  .refine((text) => /(Z|[+-](0\d|1[0-4]):\d\d)$/.test(text), 'must have an offset of at most 14 hours')
  .meta({ examples: ['2026-12-01T09:00:00+08:00'] })

function isStorableInstant(text: string): boolean {
  const year = new Date(text).getUTCFullYear()
  return !text.startsWith('0000') && year >= 1 && year <= 9999
}

/** A timestamp in a response: ISO 8601 in UTC with milliseconds. */
export const Instant = z.iso.datetime().meta({ examples: ['2026-12-01T01:00:00.000Z'] })

/**
 * Who performed an action, with a display name; `id` is `key:…`, `person:…`, `recipient:…`, `event:…`, `system:…` or
 * `operator:…`.
 */
export const Actor = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Actor' })
export type Actor = z.infer<typeof Actor>

/** A channel on which a subject can be reached. */
export const Channel = z.enum(channels)

/** Counts by channel. Channels that do not apply are omitted. */
export const CountByChannel = z.partialRecord(Channel, z.int().min(0))

/** The path parameters of every operation on one resource. */
export const IdParams = z.object({ id: Id })

/**
 * Pagination: pass `nextCursor` of one response as `cursor` of the next request. Cursors are opaque; their form may
 * change.
 */
export const PageQuery = z.object({
  cursor: z.string().min(1).max(500).optional(),
  limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.pageSize),
})

/** The response of every list; `nextCursor` is null on the last page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}

/** The items of a list, each once, in the order of their first appearance. */
export function distinct<Item>(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

/** A query parameter that may be repeated: `?state=draft&state=submitted`. */
export function oneOrMore<Item extends z.ZodType>(item: Item) {
  return z
    .union([z.array(item).min(1), item])
    .transform((value) => (Array.isArray(value) ? distinct(value) : [value]))
}

/** An IANA time zone name, such as `Asia/Taipei`. */
export const TimeZone = z.string().refine(isTimeZone, 'must be an IANA time zone name, such as Asia/Taipei')

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
