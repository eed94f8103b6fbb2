import { z } from 'zod'
import { brokenAt, orBroken } from './broken-rule.ts'
import { channels, locales, roles, stages, subjectRoles } from './enums.ts'
import { limits } from './limits.ts'
import type { Counted } from './rules/values.ts'

/** Who acts, as ids of actors are written, and what each is. A test finds those that the code writes. */
export const actorKinds = {
  'person:<id>': 'a person with a session',
  'key:<id>': 'a producer key',
  'event:<source>': 'a signed event',
  'schedule:<id>': 'a schedule',
  'scenario:<id>': 'a scenario, which changes tags and groups, and whose Lookups send uids',
  'recipient:<subject id>': 'a recipient',
  'system:auto': 'the automatic check',
  'system:run': 'Carillon, when something is due',
  'system:mail': 'the mail server',
  'system:avatar': 'the conversational assistant',
  'operator:cli': 'an operator on the command line',
  'operator:temporal': 'an operator in the Temporal UI',
} as const

/** In the words of descriptions. */
const actorIds = `${Object.entries(actorKinds)
  .map(([id, what]) => `\`${id}\`: ${what}`)
  .join('; ')}.`

/**
 * Carillon's ids: time-ordered UUIDs (version 7), compared without regard to case. A malformed id in a path returns 404,
 * like an unknown one.
 */
export const Id = z
  .uuid()
  .toLowerCase()
  .meta({
    description: 'An id of Carillon: a UUID, compared without regard to case.',
    examples: ['01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f'],
  })

/** A reference to another resource in a body. It is resolved later, so any text is well-formed. */
export const Reference = z.string().min(1).max(200)

/** What people look for in a list: a part of a name or title, or an id that was pasted. */
export const Search = z.string().trim().min(1).max(limits.searchLength)

/** Looks for what is named in a list. */
export const NameSearch = Search.optional().describe(
  'Only those whose name or title contains this, in either case, or whose id it is. Omitted: all.',
)

/** The check of a text that becomes a key of a JSON object: readers of JSON drop or refuse `__proto__`. */
export const ordinaryKey = [
  (name: string) => name !== '__proto__',
  orBroken('reserved', { of: 'key', values: ['__proto__'] }),
] as const

/** The unit of a request by a session, in its body or query. An empty text counts as omitted. */
export const UnitId = z
  .string()
  .optional()
  .describe(
    'The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of ' +
      'the person; not used for producer keys, which act for their own unit. An empty text counts as omitted.',
  )

const dateTime = /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?([Zz]|[+-]\d\d:[0-5]\d)$/

/**
 * A timestamp in a request: ISO 8601 with an offset or Z. Postgres stores no year 0 and no civil time zone is more than
 * 14 hours from UTC. Responses have four-digit years.
 */
export const DateTime = z
  .string()
  .regex(dateTime, {
    ...orBroken('wrong_format', { format: 'datetime' }),
    abort: true,
  })
  .refine((text) => z.iso.date().safeParse(text.slice(0, 10)).success, {
    ...orBroken('no_such_day'),
    abort: true,
  })
  .refine((text) => !/\.\d{10}/.test(text), orBroken('too_precise'))
  .refine(isStorableInstant, orBroken('year_out_of_range'))
  .refine((text) => /(Z|[+-](0\d|1[0-3]):\d\d|[+-]14:00)$/i.test(text), orBroken('offset_too_large'))
  .overwrite((text) => text.toUpperCase())
  .meta({
    description:
      'ISO 8601 with an offset of at most 14:00, or Z; seconds may be omitted. In a query, write + as %2B.',
    format: 'date-time',
    examples: ['2026-12-01T09:00:00+08:00'],
  })

function isStorableInstant(text: string): boolean {
  const year = new Date(text.toUpperCase()).getUTCFullYear()
  return !text.startsWith('0000') && year >= 1 && year <= 9999
}

/** A timestamp in a response: ISO 8601 in UTC with milliseconds. */
export const Instant = z.iso
  .datetime()
  .meta({ description: 'ISO 8601 in UTC, with milliseconds.', examples: ['2026-12-01T01:00:00.000Z'] })

export const Actor = z
  .object({
    id: z.string().describe(actorIds),
    name: z
      .string()
      .describe(
        'For people to read: the current name of the person, key, schedule or scenario, or what else it is, such as the source of an event.',
      ),
  })
  .meta({ id: 'Actor', description: 'Who performed an action.' })
export type Actor = z.infer<typeof Actor>

/** The decision about one version of a template or of an event binding. */
export const Decision = z
  .object({
    by: Actor.describe('The approver; of a withdrawn version, who took it back.'),
    at: Instant.describe('When they decided, in UTC.'),
    reason: z.string().optional().describe('Why it was rejected. Omitted otherwise.'),
  })
  .meta({ id: 'Decision', description: "An approver's decision about one version." })

/** Closed lists that several schemas use have names, so that a generated client has one type of each. */
export const Channel = z
  .enum(channels)
  .meta({ id: 'Channel', description: 'A channel on which a subject can be reached.' })
export const Locale = z.enum(locales).meta({ id: 'Locale', description: 'A language of messages.' })
export const SubjectRole = z
  .enum(subjectRoles)
  .meta({ id: 'SubjectRole', description: "A subject's role in the institution." })
export const Stage = z
  .enum(stages)
  .meta({ id: 'Stage', description: "How far a subject's relation has come. It only moves forward." })
export const UnitRole = z.enum(roles).meta({
  id: 'UnitRole',
  description: 'The role of a person in a unit: editors write, approvers approve or reject.',
})

/** Counts by channel. Channels that do not apply are omitted. */
export const CountByChannel = z.partialRecord(Channel, z.int().min(0))

/** An e-mail address of a person or unit. RFC 5321 (4.5.3.1) limits the part before the @, and the whole. */
export const Email = z
  .email()
  .max(254)
  .refine(
    (address) => address.lastIndexOf('@') <= 64,
    orBroken('too_long', { limit: 64, unit: 'characters_before_at' }),
  )

/** The path parameters of every operation on one resource. */
export const IdParams = z.object({
  id: Id.describe('The id of the resource, compared without regard to case. A malformed id returns 404.'),
})

/** A field of a body that creates something: described as it is in a change, and with what it is if it is omitted. */
export function omittable<Field extends z.ZodType>(field: Field, means: string): z.ZodOptional<Field> {
  return field.optional().describe(`${field.description} ${means}`)
}

/**
 * Pagination: pass `nextCursor` of one response as `cursor` of the next request. Cursors are opaque; their form may
 * change.
 */
export const PageQuery = z.object({
  cursor: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('`nextCursor` of the previous page; omit it for the first page. Its form may change.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.pageSizeMax)
    .default(limits.pageSize)
    .describe(`The most items of a page, 1 to ${limits.pageSizeMax}; ${limits.pageSize} by default.`),
})

/** The response of every list; `nextCursor` is null on the last page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).describe('The items of this page.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('Pass it as `cursor` to get the next page, with the same filters; null on the last page.'),
  })
}

/**
 * An object of at most `most` entries; `unit`: what the error calls them. They are counted before they are checked: to
 * check a body full of them takes many times as long as to parse it.
 */
export function atMost<Entries extends z.ZodType<Record<string, unknown>>>(
  entries: Entries,
  most: number,
  unit: Counted,
) {
  return z.preprocess(
    (value, context) => {
      if (typeof value === 'object' && value !== null && Object.keys(value).length > most)
        context.addIssue(brokenAt([], 'too_many', { limit: most, unit }))
      return value
    },
    entries.meta({ ...entries.meta(), maxProperties: most }),
  )
}

/** The items of a list, each once, in the order of their first appearance. */
export function distinct<Item>(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

/** The version that a change is about: another one is refused. `means`: of what, and from where. */
export function ifMatch(means: string) {
  return z.object({
    'if-match': z
      .string()
      .regex(/^(W\/)?"?\d{1,9}"?$/, orBroken('wrong_format', { format: 'version' }))
      .optional()
      .describe(`${means} Omitted: any.`),
  })
}

/** A query parameter that may be repeated: `?state=draft&state=submitted`. */
export function oneOrMore<Item extends z.ZodType>(item: Item) {
  return z
    .union([z.array(item).min(1), item])
    .transform((value) => (Array.isArray(value) ? distinct(value) : [value]))
}

/** Whether the body of a PATCH names a field: an empty one is rejected everywhere. */
export function isChange(patch: object): boolean {
  return Object.keys(patch).length > 0
}

/** What a rejected empty PATCH says. */
export const mustChange = orBroken('nothing_given', { of: 'fields' })

/** An IANA time zone of an area and a place, such as `Asia/Taipei`, or UTC. */
export const TimeZone = z.string().refine(isTimeZone, orBroken('wrong_format', { format: 'time_zone' }))

/**
 * Names that JavaScript and Postgres read alike. Of an offset or an abbreviation, Node makes something else than Postgres:
 * `+08:00` is eight hours west of Greenwich there, and `IST` is in Israel, not in India
 * (docs/design/metrics.md).
 */
const zoneNames = /^(?!SystemV\/)[a-z]+\/[\w+/-]+$|^UTC$/i

/** Whether this is the name of an IANA time zone of an area and a place, or UTC. */
export function isTimeZone(name: string): boolean {
  if (!zoneNames.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
