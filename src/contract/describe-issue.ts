import type { z } from 'zod'

/**
 * Tells the caller what a value must be, in terms of JSON rather than of the schema. Never repeats the value itself.
 * A message that the schema defines takes precedence.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : ofType(issue.expected, issue.input)
    case 'invalid_value':
      return oneOf(issue.values, issue.input === undefined)
    case 'invalid_union':
      return describeUnion(issue)
    case 'unrecognized_keys':
      return unknownKeys(issue.keys)
    case 'invalid_key':
      return `every key ${issue.issues[0]?.message ?? 'must be shorter'}`
    case 'too_small':
      if (issue.minimum === 1 && issue.origin in counted) return 'must not be empty'
      return bound('at least', issue.minimum, issue.origin)
    case 'too_big':
      return bound('at most', issue.maximum, issue.origin)
    case 'invalid_format':
      return must(formats[issue.format])
    default:
      return undefined
  }
}

/** What was expected, and the type of what came. */
function ofType(expected: string, input: unknown): string | undefined {
  const wanted = must(kinds[expected])
  const came = typeName(expected, input)
  return wanted && came ? `${wanted}, not ${came}` : wanted
}

/** The type of a value of JSON; null for what no JSON contains, such as a parameter that is no number. */
function typeName(expected: string, input: unknown): string | null {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'an array'
  if (typeof input === 'number') {
    if (Number.isNaN(input)) return null
    return expected === 'int' ? 'a fraction' : 'a number'
  }
  return { string: 'a string', boolean: 'a boolean', object: 'an object' }[typeof input as string] ?? null
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const formats: Record<string, string> = {
  datetime: 'an ISO 8601 date-time with an offset, such as 2026-12-01T09:00:00+08:00',
  url: 'a URL',
  uuid: 'a UUID',
  email: 'an e-mail address',
}

const counted: Record<string, string> = { string: 'characters', array: 'entries' }

/** The most unknown keys named in one message, and the most characters of each. */
const shown = { keys: 10, characters: 100 }

function unknownKeys(keys: string[]): string {
  const names = keys.slice(0, shown.keys).map((key) => key.slice(0, shown.characters).toWellFormed())
  const others = keys.length - names.length
  const more = others > 0 ? ` and ${others} more` : ''
  return `must not have the unknown ${keys.length === 1 ? 'field' : 'fields'} ${names.join(', ')}${more}`
}

function must(what: string | undefined): string | undefined {
  return what && `must be ${what}`
}

function bound(comparison: string, limit: number | bigint, origin: string): string {
  const unit = counted[origin]
  return unit ? `must have ${comparison} ${limit} ${unit}` : `must be ${comparison} ${limit}`
}

function oneOf(values: readonly unknown[], missing: boolean): string {
  const choice = values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`
  return missing ? `is missing; must be ${choice}` : `must be ${choice}`
}

/** An unknown `kind`; or a value that may be single or repeated, which is described as the single one. */
function describeUnion(issue: Extract<z.core.$ZodRawIssue, { code: 'invalid_union' }>): string | undefined {
  const { discriminator, options } = issue
  if (discriminator === undefined) return (issue.errors as z.core.$ZodIssue[][]).at(-1)?.[0]?.message
  const kind = (issue.input as Record<string, unknown>)[discriminator]
  return oneOf((options ?? []) as unknown[], kind === undefined)
}
