import type { z } from 'zod'
import { brokenIn, marked } from './broken-rule.ts'
import type { Actual, Expected, Format } from './rules/values.ts'
import { type Broken, broken } from './rules.ts'

/**
 * Tells the caller what a value must be, in terms of JSON rather than of the schema, and by which rule. Never repeats the
 * value itself. What the schema says by itself (`orBroken`) takes precedence.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => marked(issue, brokenBy(issue))

/** The rule of what zod finds by itself. */
function brokenBy(issue: z.core.$ZodRawIssue): Broken {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? broken('missing') : ofType(issue.expected, issue.input)
    case 'invalid_value':
      return oneOf(issue.values, issue.input)
    case 'invalid_union':
      return ofUnion(issue)
    case 'unrecognized_keys':
      return broken('unknown_field', namedFields(issue.keys))
    case 'invalid_key':
      return broken('invalid_key', {
        because: issue.issues[0] ? brokenIn(issue.issues[0]) : broken('invalid'),
      })
    case 'too_small':
      return tooSmall(Number(issue.minimum), issue.origin)
    case 'too_big':
      return tooBig(Number(issue.maximum), issue.origin)
    case 'invalid_format':
      return ofFormat(issue.format)
    default:
      return broken('invalid')
  }
}

/** What was expected, and the type of what came. */
function ofType(type: string, input: unknown): Broken {
  const expected = expectedTypes[type]
  if (!expected) return broken('invalid')
  const actual = typeOf(type, input)
  return broken('wrong_type', { expected, ...(actual && { actual }) })
}

const expectedTypes: Record<string, Expected> = {
  string: 'string',
  number: 'number',
  int: 'integer',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  record: 'object',
}

/** The type of a value of JSON; null for what no JSON contains, such as a parameter that is no number. */
function typeOf(expected: string, input: unknown): Actual | null {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'array'
  switch (typeof input) {
    case 'number':
      if (Number.isNaN(input)) return null
      return expected === 'int' ? 'fraction' : 'number'
    case 'string':
    case 'boolean':
    case 'object':
      return typeof input as Actual
    default:
      return null
  }
}

function ofFormat(name: string): Broken {
  const format = formats[name]
  return format ? broken('wrong_format', { format }) : broken('invalid')
}

const formats: Record<string, Format> = { datetime: 'datetime', url: 'url', uuid: 'uuid', email: 'email' }

/** The most unknown keys named in one message, and the most characters of each. */
const most = { keys: 10, characters: 100 }

/** Unknown keys as an answer names them, which must not repeat a body full of them. `others`: how many are left out. */
function namedFields(keys: string[]): { fields: string[]; others?: number } {
  const fields = keys.slice(0, most.keys).map((key) => key.slice(0, most.characters).toWellFormed())
  const others = keys.length - fields.length
  return { fields, ...(others > 0 && { others }) }
}

function tooSmall(limit: number, origin: string): Broken {
  const isCounted = origin === 'string' || origin === 'array'
  if (isCounted && limit === 1) return broken('empty')
  if (origin === 'string') return broken('too_short', { limit, unit: 'characters' })
  return origin === 'array' ? broken('too_few', { limit, unit: 'entries' }) : broken('too_small', { limit })
}

function tooBig(limit: number, origin: string): Broken {
  if (origin === 'string') return broken('too_long', { limit, unit: 'characters' })
  return origin === 'array' ? broken('too_many', { limit, unit: 'entries' }) : broken('too_large', { limit })
}

type Value = string | number | boolean | bigint | null | undefined

function oneOf(values: readonly unknown[], input: unknown): Broken {
  const facts = { values: values as Value[] }
  return input === undefined ? broken('missing', facts) : broken('not_one_of', facts)
}

/**
 * An unknown `kind`; or a value of several forms: of one that may be single or repeated the single one is described, of
 * objects the one that has the fields of the value.
 */
function ofUnion(issue: Extract<z.core.$ZodRawIssue, { code: 'invalid_union' }>): Broken {
  const { discriminator, options } = issue
  if (discriminator !== undefined)
    return oneOf((options ?? []) as unknown[], (issue.input as Record<string, unknown>)[discriminator])
  const forms = (issue.errors as z.core.$ZodIssue[][]).map((issues) => issues.map(brokenIn))
  const hasOtherFields = (form: Broken[]) =>
    form.some(({ rule }) => rule === 'unknown_field' || rule === 'missing')
  const form = forms.findLast((one) => !hasOtherFields(one)) ?? forms.at(-1)
  return form?.[0] ?? broken('invalid')
}
