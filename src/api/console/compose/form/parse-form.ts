import type { z } from 'zod'
import type { ChosenDimension } from '../../../../contract/audience-values.ts'
import { brokenIn } from '../../../../contract/broken-rule.ts'
import { ServiceError } from '../../../../contract/errors.ts'
import type { LocalisedText } from '../../../../contract/localised-text.ts'
import { readValue } from '../../../../contract/read-value.ts'
import { type Broken, broken, type Issue } from '../../../../contract/rules.ts'
import type { Violation } from '../../../../domain/audience/audience.ts'
import { inexactPath } from '../../../../domain/lib/json-values.ts'
import type { GraphProblem } from '../../../../domain/scenario/graph-problems.ts'
import { instantOf, wallOf } from '../../../../domain/schedule/wall-time.ts'
import { type Fields, fieldsOf, isFilled, jsonOf, pathOf } from './fields.ts'
import { isKey } from './keys.ts'

/** A rule that a value breaks; what a violation says in both languages; or an error that says no more than its code. */
type Why = Broken | { code: string; message: LocalisedText } | Pick<ServiceError, 'code' | 'message'>

/** What is wrong with a field. `missing`: nothing is written there; `label`: what people call a variable of a template. */
export type FieldIssue<Reason extends Why = Why> = {
  name: string
  why: Reason
  missing: boolean
  label?: LocalisedText
}

/** The body that a form describes; without `body`, what is wrong with which field. */
export type ParseResult<Body> = { body: Body; issues: [] } | { body: null; issues: FieldIssue<Broken>[] }

/** What stands before the name of a dimension in the field that looks for values of it. */
const searchPrefix = 'find.'

/** The name of the field that looks for values of a dimension, or for templates. */
export function searchFor(dimension: ChosenDimension | 'templates'): string {
  return `${searchPrefix}${dimension}`
}

/** Who is to read the answers: of the submission, and not of what is submitted. */
export const organisersField = 'organisers'

/** Times, which people write as the wall time of their unit. */
const times = ['scheduleAt', 'expiresAt', 'remindAt', 'deadline', 'calendar.start', 'calendar.end']

/** The value of a form without what belongs to the page. `timeZone`: of the unit, in which people write their times. */
export function bodyIn(fields: Fields, timeZone: string): object {
  const isOfBody = (name: string) =>
    !name.startsWith(searchPrefix) && !isKey(name) && pathOf(name) !== organisersField
  const values = fields
    .filter(([name]) => isOfBody(name))
    .map(([name, text]): [string, string] => [
      name,
      times.includes(name) ? (instantIn(text, timeZone) ?? text) : text,
    ])
  return jsonOf(values) as object
}

/** The same backwards. */
export function formOfBody(value: object, timeZone: string): Fields {
  return fieldsOf(value).map(([name, text]) => [name, times.includes(name) ? wallIn(text, timeZone) : text])
}

/** Reads a value as the schema says. `fields`: what it was made of, to tell what is missing from what is wrong. */
export function readAs<Body>(schema: z.ZodType<Body>, value: unknown, fields: Fields): ParseResult<Body> {
  const inexact = inexactPath(value)
  if (inexact) return { body: null, issues: [issueAt(inexact.join('.'), broken('inexact_number') as Broken)] }
  const read = readValue(schema, value)
  if (read.success) return { body: read.data, issues: [] }
  const issues = read.error.issues.map((issue) => {
    const name = issue.path.join('.')
    return { name, why: brokenIn(issue), missing: !isFilled(fields, name) }
  })
  return { body: null, issues }
}

/** The issue of a path as errors and violations have it: `messages[0].title.en`. */
export function issueAt<Reason extends Why>(path: string, why: Reason): FieldIssue<Reason> {
  return { name: path.replace(/\[(\d+)\]/g, '.$1'), why, missing: false }
}

/**
 * What the server would not take of a form.
 * @throws an error that is none of the form
 */
export function issuesIn(error: unknown): FieldIssue[] {
  if (error instanceof ServiceError && error.status < 500) return issuesOf(error)
  throw error
}

/** What an error says is wrong with which field; the whole of it if it names none. */
export function issuesOf({ code, message, details }: ServiceError): FieldIssue[] {
  const {
    issues = [],
    violations = [],
    problems = [],
    variables = [],
    labels = {},
  } = (details ?? {}) as Details
  const fieldIssues = [
    ...variables.map((name) => ({
      ...issueAt(`variables.${name}`, broken('missing') as Broken),
      missing: true,
      label: labels[name] ?? { 'zh-TW': name },
    })),
    ...issues.map((issue) =>
      issueAt(issue.path, issue.rule === undefined ? { code, message: issue.message } : issue),
    ),
    ...violations.map((violation) => issueAt(violation.path, violation)),
    ...problems.map(({ message }) => issueAt('', { code: 'dag_invalid', message })),
  ]
  return fieldIssues.length === 0 ? [issueAt('', { code, message })] : fieldIssues
}

/** An audience that was stored by another version is refused without a rule. */
type ErrorIssue = Issue | { path: string; message: string; rule?: undefined }
type Details = {
  issues?: ErrorIssue[]
  violations?: Violation[]
  problems?: GraphProblem[]
  /** Of a template, those without a value, and what people call them. */
  variables?: string[]
  labels?: Record<string, LocalisedText>
}

/** The instant of a wall time such as `2026-12-01T09:00`; null if it is none. */
function instantIn(wall: string, timeZone: string): string | null {
  const wallMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(wall) ? Date.parse(`${wall}Z`) : Number.NaN
  return Number.isNaN(wallMs) ? null : new Date(instantOf(wallMs, timeZone)).toISOString()
}

/** The wall time of an instant, to the second where it is not a whole minute. */
export function wallIn(instant: string, timeZone: string): string {
  const wallIso = new Date(wallOf(Date.parse(instant), timeZone)).toISOString()
  return wallIso.slice(0, wallIso.slice(16, 19) === ':00' ? 16 : 19)
}
