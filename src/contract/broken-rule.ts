import type { z } from 'zod'
import { type Broken, broken, type Facts, type Rule } from './rules.ts'

/** What a check of a schema says where it fails: `.refine(isTimeZone, orBroken('wrong_format', { format: 'time_zone' }))`. */
export function orBroken<R extends Rule>(rule: R, ...facts: Facts<R>): { error: z.core.$ZodErrorMap } {
  return { error: (issue) => marked(issue, broken(rule, ...facts) as Broken) }
}

/** An issue that a check adds by itself: `context.addIssue(brokenAt(['remindTo'], 'unexpected', { without: 'remindAt' }))`. */
export function brokenAt<R extends Rule>(path: PropertyKey[], rule: R, ...facts: Facts<R>) {
  const params = broken(rule, ...facts) as Broken
  return { code: 'custom' as const, path, message: params.message, params }
}

/**
 * Lets an issue of a schema carry the rule, and returns its message. The issue that a caller of `safeParse` gets has the
 * params of this one: zod copies them after it has asked for the message.
 */
export function marked(issue: z.core.$ZodRawIssue, params: Broken): string {
  Object.assign(issue, { params })
  return params.message
}

/** The rule that an issue of a schema is about: the schema was read with `readValue`, or the issue is of a check. */
export function brokenIn(issue: z.core.$ZodIssue): Broken {
  const { params } = issue as { params?: Broken }
  return params ?? broken('invalid')
}
