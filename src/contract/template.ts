import { z } from 'zod'

/** One variable of a template. A required one must be given; another takes its default. */
export const TemplateVariable = z
  .strictObject({
    name: z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, 'letters, digits and underscores, not a digit first'),
    required: z.boolean(),
    default: z.unknown().optional(),
  })
  .meta({ id: 'TemplateVariable' })
export type TemplateVariable = z.infer<typeof TemplateVariable>
