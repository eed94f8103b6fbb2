import { limits } from '../../../../../src/contract/limits.ts'
import { alternativesOf, resolve, type Schema, sampleOf, textOf } from './schema.ts'

/** The limits of a value that a schema describes. */
export const valueLimits = [
  'longest texts',
  'most entries',
  'deepest nesting',
  'one past each limit',
  'odd texts',
] as const
export type ValueLimit = (typeof valueLimits)[number]

/** A value that is legal but for one place in it, which is at a limit; `text` is its JSON. */
export type Edge = { limit: ValueLimit; place: string; text(): string }

/** A place in a value, and how to write something else there. */
type Place = { name: string; schema: Schema; put(value: unknown): unknown }

/** What JSON allows and a program may not expect; `\ud800` is half of a character. */
const oddTexts = [
  'a\u0000b',
  '\ud800',
  '\u202egnp.exe',
  '🏳️‍🌈'.repeat(200),
  `e${'\u0301'.repeat(1_000)}`,
  '{{ 7 | times: 7 }}{% raw %}',
  "'; drop table message; --",
  '__proto__',
  '\r\nX-Injected: 1',
  '   ',
]

/** Stands for what JSON.stringify cannot write: a value nested more deeply than its stack. */
const nested = '@nested@'
const depths = [limits.jsonDepth - 4, limits.jsonDepth + 1, 100_000]

/**
 * The edges of a schema's values, every place of `sample` and of the schema's alternatives at each of its limits.
 * `room`: the most bytes of a value. `round` chooses among what would be too many for one round.
 */
export function* edgesOf(schema: Schema, sample: unknown, room: number, round: number): Generator<Edge> {
  let at = round
  for (const { name, schema: bounds, put } of placesIn(schema, sample)) {
    at += 1
    const edge = (limit: ValueLimit, value: () => unknown, depth = 0): Edge => ({
      ...{ limit, place: name },
      text: () => JSON.stringify(put(value())).replace(`"${nested}"`, () => nestedTo(depth)),
    })
    const odd = oddTexts[at % oddTexts.length]!
    switch (kindOf(bounds)) {
      case 'text': {
        const { maxLength, minLength = 0 } = bounds
        yield edge('longest texts', () => textOf(bounds, maxLength ?? room))
        if (maxLength) yield edge('one past each limit', () => textOf(bounds, maxLength + 1))
        if (minLength > 0) yield edge('one past each limit', () => '')
        yield edge('odd texts', () => odd)
        break
      }
      case 'list': {
        const { maxItems, minItems = 0, items = {} } = bounds
        yield edge('most entries', () => entries(items, room, maxItems))
        if (maxItems) yield edge('one past each limit', () => entries(items, room, maxItems + 1))
        if (minItems > 0) yield edge('one past each limit', () => [])
        break
      }
      case 'map':
        yield edge('most entries', () => Object.fromEntries(keys(room).map((key) => [key, 1])))
        yield edge('longest texts', () => ({ [textOf({}, room)]: 1 }))
        yield edge('odd texts', () => Object.fromEntries([[odd, odd]]))
        yield edge('deepest nesting', () => ({ a: nested }), depths[at % depths.length])
        break
      case 'number':
        for (const value of [(bounds.maximum ?? 2 ** 53) + 1, (bounds.minimum ?? 0) - 1])
          yield edge('one past each limit', () => value)
        break
      default:
        yield edge('longest texts', () => textOf({}, room))
        yield edge('most entries', () => keys(room))
        yield edge('odd texts', () => odd)
        yield edge('deepest nesting', () => nested, depths[at % depths.length])
    }
  }
}

/** Every list and text of a schema full at once, in about `room` bytes. */
export function fullValue(reference: Schema, room: number, turn = 0): unknown {
  const branches = alternativesOf(resolve(reference))
  const schema = branches[turn % branches.length]!
  if (schema.const !== undefined || schema.enum) return sampleOf(schema)
  switch (kindOf(schema)) {
    case 'text':
      return textOf(schema, Math.max(1, Math.min(schema.maxLength ?? room, room - 2)))
    case 'list': {
      const each = Math.max(100, Math.floor(room / (schema.maxItems ?? 1_000)))
      const count = Math.min(schema.maxItems ?? 1_000, Math.max(1, Math.floor(room / each)))
      return Array.from({ length: count }, (_, n) => fullValue(schema.items ?? {}, each - 1, n))
    }
    case 'map':
      return Object.fromEntries(keys(room / 2).map((key) => [key, 1]))
    case 'fields': {
      const fields = Object.entries(schema.properties ?? {})
      const each = Math.floor((room - 20 * fields.length) / fields.length)
      return Object.fromEntries(fields.map(([name, field]) => [name, fullValue(field, each, turn)]))
    }
    default:
      return sampleOf(schema)
  }
}

/** The places of a schema, each component once. */
function* placesIn(
  reference: Schema,
  sample: unknown,
  name = 'body',
  put: Place['put'] = (value) => value,
  ancestors = new Set<Schema>(),
): Generator<Place> {
  const schema = resolve(reference)
  if (ancestors.has(schema)) return
  ancestors.add(schema)
  const branches = alternativesOf(schema)
  if (branches.length > 1) {
    for (const branch of branches)
      yield* placesIn(branch, fits(branch, sample) ? sample : sampleOf(branch), name, put, ancestors)
    return
  }
  if (schema.const !== undefined || schema.enum || schema.type === 'boolean' || schema.type === 'null') return
  const kind = kindOf(schema)
  if (kind !== 'fields') yield { name, schema, put }
  if (kind === 'list') {
    const first = Array.isArray(sample) ? sample[0] : undefined
    const item = schema.items ?? {}
    yield* placesIn(item, first ?? sampleOf(item), `${name}[]`, (value) => put([value]), ancestors)
  }
  if (kind === 'map' && typeof schema.additionalProperties === 'object')
    yield* placesIn(schema.additionalProperties, undefined, `${name}.*`, (a) => put({ a }), ancestors)
  for (const [field, inner] of Object.entries(schema.properties ?? {})) {
    const value = recordOf(sample)[field] ?? sampleOf(inner)
    const within: Place['put'] = (inside) => put({ ...recordOf(sample), [field]: inside })
    yield* placesIn(inner, value, `${name}.${field}`, within, ancestors)
  }
}

function kindOf({ type, properties }: Schema): 'text' | 'list' | 'number' | 'map' | 'fields' | 'anything' {
  if (type === 'string') return 'text'
  if (type === 'array') return 'list'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'object') return properties ? 'fields' : 'map'
  return 'anything'
}

/** Whether a sample belongs to an alternative, by the constants of its fields. */
function fits(branch: Schema, sample: unknown): boolean {
  if (kindOf(branch) !== 'fields') return false
  const constants = Object.entries(branch.properties ?? {}).filter(([, field]) => field.const !== undefined)
  return constants.every(([name, field]) => recordOf(sample)[name] === field.const)
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Different entries of a list: `most`, but no more than there is room for. */
function entries(items: Schema, room: number, most = Number.POSITIVE_INFINITY): unknown[] {
  const sample = sampleOf(items)
  const count = Math.min(most, Math.floor(room / (JSON.stringify(sample).length + 1)))
  if (typeof sample !== 'string' || items.enum || items.format) return Array(count).fill(sample)
  return keys(room, sample.slice(0, 1)).slice(0, count)
}

/** As many different short texts as there is room for. */
function keys(room: number, start = 'k'): string[] {
  return Array.from({ length: Math.floor(room / 16) }, (_, n) => start + n)
}

function nestedTo(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}
