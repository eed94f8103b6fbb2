import { z } from 'zod'
import { RespondentSearch, respondentFields } from '../answers.ts'
import { Id, Instant, oneOrMore, PageQuery, pageOf } from '../common.ts'
import { registrationStates } from '../enums.ts'

/** What one person answered in a pattern, and where they stand in it. */
export const PatternAnswers = z
  .object({
    ...respondentFields,
    position: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'The position in the order in which people asked for a place, counted from 1; null: they did not.',
      ),
    state: z
      .enum(registrationStates)
      .nullable()
      .describe(
        '`registered`: has a place. `waitlisted`: waits for one. `withdrawn`: has given it up. `not_admitted`: waited until ' +
          'the deadline. null: they asked for none.',
      ),
    runId: Id.nullable().describe('The run by which they asked last; null: by none.'),
    answers: z
      .array(
        z.object({
          question: z.string().describe('The id of the question.'),
          optionId: z.string().nullable().describe('The option that was chosen; null: they typed.'),
          text: z.string().nullable().describe('What was typed; null: they chose an option.'),
          at: Instant.describe('When, in UTC.'),
        }),
      )
      .describe('The last answer to each question, the oldest first.'),
    at: Instant.describe('When they answered last, or since when the state holds if that was later, in UTC.'),
  })
  .meta({
    id: 'PatternAnswers',
    description: 'What one person answered in a pattern, and where they stand in it.',
  })
export type PatternAnswers = z.infer<typeof PatternAnswers>

export const PatternAnswersPage = pageOf(PatternAnswers).meta({
  id: 'PatternAnswersPage',
  description:
    'One page of who answered in a pattern: who asked for a place, in the order of their requests, then the others.',
})
export type PatternAnswersPage = z.infer<typeof PatternAnswersPage>

/** By state and person. */
export const PatternAnswersQuery = PageQuery.extend({
  state: oneOrMore(z.enum(registrationStates))
    .optional()
    .describe('Only people in these states. May be repeated. Omitted: all.'),
  q: RespondentSearch,
})
export type PatternAnswersQuery = z.infer<typeof PatternAnswersQuery>
