import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import { isStorableText } from '../../../domain/lib/storable-text.ts'

/** The form of a request; empty if it has none. */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '')
}

/**
 * The form of a request, which Postgres can store.
 * @throws ServiceError validation_error
 */
export function storableFormOf(request: FastifyRequest): URLSearchParams {
  const form = formOf(request)
  assertStorable(form)
  return form
}

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

/** What a form is answered that no page of Carillon has. */
export function foreignForm(): ServiceError {
  return new ServiceError('validation_error', 'The form is not one of this page.')
}
