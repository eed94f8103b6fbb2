import type { z } from 'zod'

/**
 * Says what is wrong with a value to whoever wrote it: what it must be, as a JSON document knows it, and not what a schema
 * calls it. Never what stands there. Where a schema has words of its own, these count.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : must(kinds[issue.expected])
    case 'invalid_value':
      return oneOf(issue.values, issue.input === undefined)
    case 'invalid_union':
      return ofNoKind(issue)
    case 'unrecognized_keys':
      return `there is no field ${issue.keys.join(', ')}`
    case 'too_small':
      if (issue.minimum === 1 && issue.origin in counted) return 'must not be empty'
      return must(`at least ${amount(issue.minimum, issue.origin)}`)
    case 'too_big':
      return must(`at most ${amount(issue.maximum, issue.origin)}`)
    case 'invalid_format':
      return must(formats[issue.format])
    default:
      return undefined
  }
}

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const formats: Record<string, string> = {
  datetime: 'a moment with its offset, as in 2026-12-01T09:00:00+08:00',
  url: 'a URI',
  uuid: 'an id',
  email: 'a mail address',
}

const counted: Record<string, string> = { string: 'characters', array: 'entries' }

function must(what: string | undefined): string | undefined {
  return what && `must be ${what}`
}

function amount(limit: number | bigint, origin: string): string {
  return counted[origin] ? `${limit} ${counted[origin]} long` : `${limit}`
}

function oneOf(values: readonly unknown[], missing: boolean): string {
  const choice = values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`
  return missing ? `is missing; it is ${choice}` : `must be ${choice}`
}

/** An object of none of the kinds there are, or a value that may be one thing or a list of them: then the one thing counts. */
function ofNoKind(issue: Extract<z.core.$ZodRawIssue, { code: 'invalid_union' }>): string | undefined {
  const { discriminator, options } = issue
  if (discriminator === undefined) return (issue.errors as z.core.$ZodIssue[][]).at(-1)?.[0]?.message
  const kind = (issue.input as Record<string, unknown>)[discriminator]
  return oneOf((options ?? []) as unknown[], kind === undefined)
}
