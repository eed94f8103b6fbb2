import { ServiceError } from '../../../contract/errors.ts'
import { isStorableText } from '../../../domain/lib/storable-text.ts'

/**
 * Checks that Postgres can store what a form says, as the texts of JSON bodies are checked. No browser sends another.
 * @throws ServiceError validation_error
 */
export function assertStorable(form: URLSearchParams): void {
  if ([...form].flat().every(isStorableText)) return
  throw new ServiceError(
    'validation_error',
    'The form has a NUL character, which cannot be stored. Remove it.',
  )
}
