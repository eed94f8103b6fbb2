import type { z } from 'zod'
import type { Answer } from '../../endpoint.ts'

/** What all of /v1/admin has in common: only for persons who administer the installation, whatever their units. */
export const forAdministrators = {
  tag: 'Administration',
  doors: ['session'],
  systemAdmin: true,
  unit: 'none',
} as const

/** The answer of a list, shown with one item. */
export function page<Schema extends z.ZodType>(schema: Schema, item: unknown) {
  return { description: 'A page.', schema, example: { items: [item], nextCursor: null } } satisfies Answer
}
