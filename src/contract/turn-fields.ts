import { z } from 'zod'
import { Instant } from './common.ts'
import { turnChannels, turnStates, turnWays } from './enums.ts'

/** A turn without its texts and without its run. */
export const turnFields = {
  number: z.int().describe('Its number in the run, from 1.'),
  firstNode: z
    .string()
    .describe(
      'The id of the first node in it; `(farewell)`: the farewell of the retired scenario; `(failure)`: that it cannot go on.',
    ),
  lastNode: z.string().describe('The id of the last node in it; as `firstNode`.'),
  state: z
    .enum(turnStates)
    .describe('`unknown`: it may or may not have arrived. `skipped`: it was not tried.'),
  reason: z.string().nullable().describe('Why it was skipped or failed; null if there is no reason.'),
  channel: z
    .enum(turnChannels)
    .nullable()
    .describe(
      'The channel; `page`: the page on which the person answered, by a link in a mail. null: not tried yet.',
    ),
  by: z
    .enum(turnWays)
    .nullable()
    .describe('`reply`, `page`: free, to what the person did. `push`, `mail`: paid. null: not tried yet.'),
  createdAt: Instant.describe('When the run created it, in UTC.'),
  firstTryAt: Instant.nullable().describe('When it was first tried, in UTC; null: not yet.'),
  nextTryAt: Instant.nullable().describe(
    'For a delayed turn, the earliest time of the next try, in UTC; otherwise null.',
  ),
  closedAt: Instant.nullable().describe('When its outcome was certain, in UTC; null: it is pending.'),
}
