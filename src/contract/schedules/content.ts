import { z } from 'zod'
import { brokenAt } from '../broken-rule.ts'
import { Reference } from '../common.ts'
import { limits } from '../limits.ts'
import {
  AllAudience,
  QueryAudience,
  StoredAllAudience,
  StoredAudience,
  StoredQueryAudience,
} from '../messages/audience.ts'
import { CreateMessage, exactlyOneContent, refuseContradictions } from '../messages/create.ts'

/** A calendar entry has one time, and a schedule many. */
const {
  unitId: _,
  scheduleAt: _at,
  expiresAt: _end,
  remindAt: _remind,
  calendar: _calendar,
  ...ofMessages
} = CreateMessage.shape

const seconds = z.int().min(limits.shortestReminderSeconds).max(limits.scheduleSeconds)
const year = limits.scheduleSeconds.toLocaleString('en')

const times = {
  remindTo: ofMessages.remindTo.describe(
    'Whom the reminder goes to: `all` who received the message, or those of them who have not answered it by then ' +
      '(`unanswered`). Requires remindAfterSeconds. Default: all.',
  ),
  remindAfterSeconds: seconds
    .optional()
    .describe(
      `How long after the occurrence is due its message is sent again, as \`remindAt\` of a message: 60 to ${year}, and ` +
        'less than expiresAfterSeconds. Omitted: no reminder.',
    ),
  expiresAfterSeconds: seconds
    .optional()
    .describe(
      `How long after the occurrence is due nothing more of its message is sent, as \`expiresAt\` of a message: 60 to ` +
        `${year}. An occurrence that is later is missed. Omitted: never.`,
    ),
}

export const ScheduledMessage = z
  .strictObject({ ...ofMessages, ...times })
  .superRefine((body, context) => {
    refuseContradictions(body, context)
    const { remindAfterSeconds, expiresAfterSeconds, remindTo } = body
    if (remindTo !== undefined && remindAfterSeconds === undefined)
      context.addIssue(brokenAt(['remindTo'], 'unexpected', { without: 'remindAfterSeconds' }))
    if (remindAfterSeconds !== undefined && remindAfterSeconds >= (expiresAfterSeconds ?? Infinity))
      context.addIssue(brokenAt(['remindAfterSeconds'], 'not_less', { than: 'expiresAfterSeconds' }))
  })
  .meta({
    id: 'ScheduledMessage',
    ...exactlyOneContent,
    description:
      'The message that each occurrence makes: a message intent, whose times count from when the occurrence is due.',
  })
export type ScheduledMessage = z.infer<typeof ScheduledMessage>

const variables = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('Values of the declared variables, by name; the same for all people.')

export const ScheduledScenario = z
  .strictObject({
    scenarioId: Reference.describe(
      'The id of a scenario of the unit whose version in force a person approved.',
    ),
    audience: z
      .discriminatedUnion('kind', [AllAudience, QueryAudience])
      .describe(
        `The people for whom runs start, at most ${limits.subjectsPerStart.toLocaleString('en')} people, counted at each occurrence.`,
      ),
    variables,
  })
  .meta({
    id: 'ScheduledScenario',
    description: 'The runs that each occurrence starts: of the version that is in force then.',
  })
export type ScheduledScenario = z.infer<typeof ScheduledScenario>

/** What a row keeps of it beside the scenario. */
export type ScheduledStart = Omit<ScheduledScenario, 'scenarioId'>

/** Every field as it was given, except the uids of an audience. */
export const StoredScheduledMessage = z
  .object({
    ...ofMessages,
    ...times,
    audience: StoredAudience.describe('The audience as it was given.'),
  })
  .meta({
    id: 'StoredScheduledMessage',
    description:
      'The message that each occurrence makes. `messages`, `subject` and `variables` of a personal one are shown to the ' +
      'authors of the schedule and to approvers alone.',
  })

export const StoredScheduledScenario = z
  .object({
    scenarioId: z.string().describe('The id of the scenario.'),
    audience: z
      .discriminatedUnion('kind', [StoredAllAudience, StoredQueryAudience])
      .describe('The people for whom runs start.'),
    variables,
  })
  .meta({ id: 'StoredScheduledScenario', description: 'The runs that each occurrence starts.' })
