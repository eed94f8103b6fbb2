import { type Bound, bounds, limits } from '../limits.ts'

/** Rules about a value by itself: whether it is there, of which type and form it is, and how large. */
export const valueRules = {
  invalid: 'must be valid',
  missing: ({ values, type, reason }: { values?: Values; type?: string; reason?: Missing } = {}) => {
    if (values) return `is missing; must be ${choiceOf(values)}`
    if (type !== undefined) return `is required for a schedule of type ${type}`
    return reason ? missing[reason] : 'is missing'
  },
  empty: ({ reason }: { reason?: 'all_categories' } = {}) =>
    reason ? 'must not be empty; omit it to allow all categories' : 'must not be empty',
  wrong_type: ({ expected, actual }: { expected: Expected; actual?: Actual }) =>
    `must be ${expectedTypes[expected]}${actual ? `, not ${actualTypes[actual]}` : ''}`,
  wrong_format: ({ format }: { format: Format }) => formats[format],
  wrong_media_type: ({ values, actual }: { values: string[]; actual: string | null }) =>
    `must be ${values.join(' or ')}, not ${actual ?? 'a body without a Content-Type'}`,
  not_one_of: ({ values, of }: { values: Values; of?: Choice }) =>
    of ? `${choices[of]} ${values.join(', ') || 'it has none'}` : `must be ${choiceOf(values)}`,
  not_https: ({ of }: { of: 'url' | 'address' }) =>
    of === 'url' ? 'must be an https URL' : 'must be an https address',
  not_public: ({ of }: { of: 'address' | 'icon' }) =>
    of === 'address'
      ? 'must have a public address'
      : 'must have a public host, from which the chat app can load it',
  has_credentials: ({ of }: { of: 'address' | 'icon' }) =>
    `must not contain a user name or ${of === 'address' ? 'a password' : 'password'}`,
  has_fragment: 'must not have a fragment (#), which is never sent',
  too_long: ({ limit, unit }: Most<'characters' | 'characters_before_at'>) => atMost(limit, unit),
  too_short: ({ limit, unit }: Most<'characters'>) => `must have at least ${limit} ${unit}`,
  too_long_together: ({ limit, count, remedy }: Together) =>
    `${atMost(limit, 'characters')} in all its texts` +
    (count === undefined ? '' : `, not ${count}; shorten it, or ${remedies[remedy ?? 'split']}`),
  too_many: ({ limit, unit }: Most<Counted>) => atMost(limit, unit),
  too_few: ({ limit, unit }: Most<'entries'>) => `must have at least ${limit} ${unit}`,
  too_many_marks: ({ limit, count }: { limit: number; unit: 'marks'; count: number }) =>
    `must have at most ${limit} marks in all its lightly formatted texts (each * _ [ ] counts, and each line ` +
    `that begins a list or a heading), not ${count}; format less, or split it into several`,
  too_large: ({ limit, unit }: { limit: number; unit?: 'KiB' }) =>
    unit ? `must have at most ${limit} ${unit} as JSON` : `must be at most ${limit}`,
  too_small: ({ limit, reason }: { limit: number; reason?: keyof typeof tooSmall }) =>
    `must be at least ${limit}${reason ? tooSmall[reason] : ''}`,
  too_deep: ({ limit, of }: { limit: number; unit: 'levels'; of?: 'answer' }) =>
    `must be nested at most ${limit} levels deep${of ? ', without NUL characters and lone surrogates' : ''}`,
  limit_reached: ({ limit, of }: { limit: number; of: Bound | 'members' | 'active_keys' }) => {
    if (of === 'members') return `must be omitted: ${limit} people have a role already`
    if (of === 'active_keys')
      return `must not have ${limit} active keys of this unit already; revoke one of them first`
    return `must be one of at most ${limit.toLocaleString('en')} ${bounds[of].what}`
  },
  inexact_number: 'must not have a number beyond ±(2^53 − 1): give it as a text',
  unstorable_text: ({ of }: { of?: 'key' | 'path' } = {}) => {
    if (of === 'path') return 'must not contain NUL'
    return of === 'key'
      ? 'must not have a key with a NUL character or a lone surrogate'
      : 'must not contain a NUL character or a lone surrogate'
  },
  forbidden_key: ({ key }: { key?: string } = {}) =>
    key === undefined ? 'must not have a key that reaches a prototype' : `must not have the key ${key}`,
  invalid_key: ({ because }: { because: { rule: string; message: string } }) =>
    `every key ${because.message}`,
  object_as_length: 'must not have an object named length where a list or a text belongs',
  too_slow: 'must be a picture that can be drawn in time',
}

/** What a value may be, as the API writes it. */
type Values = readonly (string | number | boolean | bigint | null | undefined)[]

/** One value, or one of several. */
function choiceOf(values: Values): string {
  return values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`
}

export type Missing = keyof typeof missing
const missing = {
  scope: 'is missing; must be in ?scope= or in the body',
  legal_basis: 'is missing; must be the basis on which the unit keeps this list',
  query: 'is missing; must be the query of the dynamic group',
  column: 'is missing; must be a column',
  header: 'must have a first line with the columns',
  whole_content: 'is missing: a change has the whole content of the scenario, or none of it',
  shown_version:
    'is missing: the version to decide about, as GET /v1/scenarios/{id} or GET /v1/approvals showed it',
  variable_title: 'must be given: the title of the pattern has variables',
  capacity: 'must come with a capacity: without one there is no waiting list',
}

/** The type that a value must have. */
export type Expected = keyof typeof expectedTypes
const expectedTypes = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  json_object: 'a JSON object',
}

/** The type of JSON that came. */
export type Actual = keyof typeof actualTypes
const actualTypes = {
  null: 'null',
  string: 'a string',
  number: 'a number',
  fraction: 'a fraction',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
}

/** The form of a text, or of a file. */
export type Format = keyof typeof formats
const formats = {
  datetime: 'must be an ISO 8601 date-time with an offset, such as 2026-12-01T09:00:00+08:00',
  time: 'must be a time of day, such as 22:00',
  month: 'must be a month from 2000-01 on, such as 2026-12',
  time_zone: 'must be an IANA time zone name of an area and a place, such as Asia/Taipei, or UTC',
  cron: 'must be a cron expression, such as 0 9 * * 1-5',
  cron_fields:
    'must have five fields: minute, hour, day of the month, month and day of the week, such as 0 9 * * 1-5',
  url: 'must be a URL',
  url_or_variable: 'must be a URL, or contain a variable',
  origin:
    'must be scheme://host or scheme://host:port, such as https://orders.example.edu; only the port may be *, and no ' +
    'character be invisible',
  path: 'must be a path on this host, such as /messages',
  host: 'must be a host, and a port if it is not the usual one',
  email: 'must be an e-mail address',
  reply_address: 'must be an address that mail servers accept, such as office@example.edu',
  chat_address: 'must be a valid chat address',
  email_address: 'must be a valid email address',
  uuid: 'must be a UUID',
  name: 'must be 1 to 64 letters, digits, _ or -',
  category_id: 'must be letters and digits, separated by -, _ or .',
  variable: 'must be letters, digits and underscores, not starting with a digit',
  variable_path: 'must be the name of a variable, or of a property of one, such as order.total',
  version: 'must be the version as a number, optionally in quotes',
  uid: 'must be up to 100 characters without spaces or control characters',
  uid_line: `must be one uid of at most ${limits.uidLength} characters`,
  event_source: 'must be at most 100 characters without spaces or slashes',
  tag: 'must be ASCII without spaces, as namespace:value',
  acquisition: 'must be chat_embed, directory, import or event:<source>',
  cursor: 'must be nextCursor of the previous page',
  keyword: 'must have a letter that people see and can type',
  picture: 'must be a JPEG, PNG or WebP picture',
  utf8: 'must be in UTF-8',
  json_utf8: 'must be JSON in UTF-8',
  request: 'must be a well-formed request',
  http: 'must be a well-formed HTTP request',
}

export type Choice = keyof typeof choices
const choices = {
  columns: 'must be one of the columns',
  channels: 'must be a channel of the message:',
  template_variables: 'must be a variable of the template:',
  scenario_variables: 'must name only variables of the scenario:',
  node_kinds: 'must be about a node of kind',
}

/** What is counted. */
export type Unit = keyof typeof units
const units = {
  characters: 'characters',
  characters_before_at: 'characters before the @',
  entries: 'entries',
  columns: 'columns',
  pixels: 'pixels',
  values: 'values',
  variables: 'variables',
  answers: 'answers',
  lookups: 'lookups',
  attributes: 'attributes',
  categories: 'categories',
  topics: 'topics',
}

/** What a list or an object has entries of. */
export type Counted = Exclude<Unit, 'characters' | 'characters_before_at'>

type Most<Units extends Unit> = { limit: number; unit: Units }

function atMost(limit: number, unit: Unit): string {
  const isLong = unit === 'pixels' || unit === 'values'
  return `must have at most ${isLong ? limit.toLocaleString('en') : limit} ${units[unit]}`
}

type Together = { limit: number; unit: 'characters'; count?: number; remedy?: keyof typeof remedies }
const remedies = { split: 'split it into several', jump: 'jump to another scenario' }

const tooSmall = {
  places: ': there are never fewer places than before',
  automatic: ' if approval_rule is auto',
}
