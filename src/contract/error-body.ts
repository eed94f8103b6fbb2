import { z } from 'zod'
import { keysOf } from './enums.ts'
import { errorDetails } from './error-details.ts'
import { errorMeanings } from './error-meanings.ts'
import { type ErrorCode, errorStatus } from './errors.ts'

/**
 * The schema of one error: its code, and the details that it has. `prefix` distinguishes the name of an operation's own
 * form.
 */
export function errorSchemaOf(code: ErrorCode, details: z.ZodType | null, prefix = '') {
  return z
    .looseObject({
      code: z.literal(code).describe('Identifies the error. Branch on it.'),
      message: z
        .string()
        .describe('What went wrong and what to do next, in English, for people. May change.'),
      ...(details && { details }),
    })
    .meta({
      id: `${prefix}${nameOf(code)}`,
      description: `${errorMeanings[code]}${details ? '' : ' It has no details.'}`,
    })
}

/** `invalid_transition`: `InvalidTransitionError`. */
function nameOf(code: ErrorCode): string {
  const name = code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return name.endsWith('Error') ? name : `${name}Error`
}

/** The schema of every error, by code, as operations without details of their own return it. */
export const errorSchemas = new Map(
  keysOf(errorStatus).map((code) => [code, errorSchemaOf(code, errorDetails[code])]),
)

/** The body of an error response that has one of these errors. */
export function errorBodyOf(errors: Iterable<ReturnType<typeof errorSchemaOf>>) {
  const [first, ...others] = errors
  return z.looseObject({
    error: z.discriminatedUnion('code', [first!, ...others]).describe('What went wrong.'),
  })
}

/** The body of every error response. `code` is for programs, `message` for people. */
export const ErrorBody = errorBodyOf(errorSchemas.values()).meta({
  id: 'ErrorBody',
  description: 'The body of every error response. An operation lists the codes that it can return.',
  examples: [{ error: { code: 'not_found', message: 'No such message. Check the id.' } }],
})
export type ErrorBody = z.infer<typeof ErrorBody>
