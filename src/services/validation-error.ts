import type { z } from 'zod'
import { brokenIn } from '../contract/broken-rule.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Target } from '../contract/rules/objects.ts'
import { broken, type Issue } from '../contract/rules.ts'

export type { Issue }

/** The most issues listed in one error. */
export const issuesShown = 50

/** The error of an invalid request: 400 validation_error with the first issues and their paths. */
export function validationError(allIssues: Issue[]): ServiceError {
  const issues = allIssues.slice(0, issuesShown)
  const list = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
  return new ServiceError('validation_error', list, { issues })
}

/** The error of a request that is refused as a whole: `message` says what to do, the issue what is wrong. */
export function requestError(message: string, issue: Issue): ServiceError {
  return new ServiceError('validation_error', message, { issues: [issue] })
}

/** What a schema found wrong, as an error lists it. A misspelt field is both unknown and missing: what was written comes first. */
export function issuesFound(
  { issues }: z.core.$ZodError,
  issueOf: (issue: z.core.$ZodIssue) => Issue = plainIssue,
): Issue[] {
  const isUnknown = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys'
  const unknownFirst = [...issues.filter(isUnknown), ...issues.filter((issue) => !isUnknown(issue))]
  return unknownFirst.slice(0, issuesShown).map(issueOf)
}

/** An issue of a schema, with its path as texts have it. */
export function plainIssue(issue: z.core.$ZodIssue): Issue {
  return { path: clipPath(pathOf(issue.path)), ...brokenIn(issue) }
}

/** The most characters of a path in an answer, which must not repeat a body with long keys. */
const pathLengthMax = 300

/** The end of a path that is made of long keys. */
export function clipPath(path: string): string {
  return path.length > pathLengthMax ? `…${path.slice(-pathLengthMax)}` : path
}

/** Formats a path for details: `messages[0].text.zh-TW`. */
export function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (start, step) =>
      typeof step === 'number'
        ? `${start}[${step}]`
        : start === ''
          ? String(step)
          : `${start}.${String(step)}`,
    '',
  )
}

/**
 * The error of a reference in a body to something that does not exist, or belongs to another unit: `message` says what to
 * do, `to`: what the reference must lead to.
 */
export function unknownReference(path: string, to: Target, message: string): ServiceError {
  return new ServiceError('not_found', message, {
    issues: [{ path, ...broken('unknown_reference', { to }) }],
  })
}
