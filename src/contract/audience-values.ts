import { z } from 'zod'
import { UnitId } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { LocalisedText } from './localised-text.ts'

/** The dimensions whose values are chosen from a list: those of people, and the unit's own groups and patterns. */
export const chosenDimensions = ['orgUnits', 'classIds', 'tags', 'groups', 'patterns'] as const
export type ChosenDimension = (typeof chosenDimensions)[number]

/** Those of people, whose values are codes that an administrator can give names. */
export const valueDimensions = ['orgUnits', 'classIds', 'tags'] as const satisfies ChosenDimension[]
export type ValueDimension = (typeof valueDimensions)[number]

/** Which values are asked for. */
export const AudienceValuesQuery = z.object({
  unitId: UnitId,
  dimension: z
    .enum(chosenDimensions)
    .describe('The dimension; `patterns` are those of `history` with kind `registered`.'),
  q: z
    .string()
    .max(200)
    .optional()
    .describe('Only values that contain this text, themselves or in their names. Omitted: all.'),
})
export type AudienceValuesQuery = z.infer<typeof AudienceValuesQuery>

export const AudienceValues = z
  .object({
    items: z
      .array(
        z.object({
          id: z.string().describe('The value, as an audience names it.'),
          name: LocalisedText.describe('What people call it; of a value without a name, the value.'),
        }),
      )
      .describe('The values.'),
  })
  .meta({
    id: 'AudienceValues',
    description: `Values of a dimension, at most ${limits.audienceChoices}, in the order of their ids; groups and patterns, of their names.`,
  })
export type AudienceValues = z.infer<typeof AudienceValues>

export const audienceValueEndpoints = {
  listAudienceValues: {
    method: 'GET',
    path: '/v1/audience/values',
    tag: 'Messages',
    summary: 'List the values of an audience dimension',
    description:
      `The values that at least ${limits.fewestOfChoice} people have, for a form in which an audience is put together: at ` +
      `most ${limits.audienceChoices}, so that \`q\` narrows them down. A key sees the dimensions that it may use.`,
    auth: ['producer', 'session'],
    unit: 'query',
    query: AudienceValuesQuery,
    answers: {
      200: {
        description: 'The values.',
        schema: AudienceValues,
        example: { items: [{ id: 'interest:music', name: { 'zh-TW': '音樂', en: 'Music' } }] },
      },
    },
    errors: ['audience_dimension_not_allowed'],
  },
} as const satisfies Record<string, Endpoint>
