import { ServiceError } from '../contract/errors.ts'
import { isId } from '../domain/id.ts'

export type Issue = { path: string; message: string }

/** An invalid body: 400 validation_error with every issue and its path. */
export function validationError(issues: Issue[]): ServiceError {
  const list = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
  return new ServiceError('validation_error', list, { issues })
}

/** A path as it stands in details: `messages[0].text.zh-TW`. */
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

/** The id that a caller wrote; null where it can be none. */
export function idOrNull(reference: string | null | undefined): string | null {
  return reference != null && isId(reference) ? reference : null
}

/** Something a body refers to that is not there, or belongs to another unit. */
export function unknownReference(path: string, message: string): ServiceError {
  return new ServiceError('not_found', message, { issues: [{ path, message }] })
}
