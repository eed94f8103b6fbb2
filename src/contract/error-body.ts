import { z } from 'zod'
import { keysOf } from './enums.ts'
import { errorStatus } from './errors.ts'

/** The body of every error response. `code` is for programs, `message` for people. */
export const ErrorBody = z
  .object({
    error: z.object({
      code: z.enum(keysOf(errorStatus)),
      message: z.string(),
      details: z.unknown().optional(),
    }),
  })
  .meta({
    id: 'ErrorBody',
    examples: [{ error: { code: 'not_found', message: 'No such message. Check the id.' } }],
  })
export type ErrorBody = z.infer<typeof ErrorBody>
