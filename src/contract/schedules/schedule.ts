import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import {
  Actor,
  DateTime,
  Id,
  Instant,
  isChange,
  mustChange,
  PageQuery,
  pageOf,
  TimeZone,
  UnitId,
} from '../common.ts'
import { disabledScheduleReasons, missedReasons, occurrenceOutcomes, scheduleTypes } from '../enums.ts'
import { limits } from '../limits.ts'
import {
  ScheduledMessage,
  ScheduledScenario,
  StoredScheduledMessage,
  StoredScheduledScenario,
} from './content.ts'

const year = limits.scheduleSeconds.toLocaleString('en')
const aboutType =
  '`once`: at an instant; `delay`: so long after it was created or enabled; `recurring`: by a cron expression.'

const when = {
  at: DateTime.optional().describe(
    'When it fires, ISO 8601 with an offset, in the future. Only of a schedule that fires once.',
  ),
  delaySeconds: z
    .int()
    .min(1)
    .max(limits.scheduleSeconds)
    .optional()
    .describe(`After how many seconds it fires, 1 to ${year}. Only of a delay.`),
  cron: z
    .string()
    .min(1)
    .max(limits.cronLength)
    .optional()
    .describe(
      'When it fires: five fields, minute, hour, day of the month, month and day of the week, with `*`, lists, ' +
        'ranges, steps and names. Two occurrences are at least 5 minutes apart, also around midnight. Where both days are ' +
        'given, either suffices. Only of a recurring schedule.',
    ),
  timeZone: TimeZone.max(100)
    .optional()
    .describe(
      'The IANA zone by whose clocks it recurs. A time that comes twice counts the first time; one that is skipped ' +
        'counts at the end of the gap, all of one gap once. Only of a recurring schedule.',
    ),
}

const makes = {
  message: ScheduledMessage.optional().describe(
    'The message that each occurrence makes and submits. Exactly one of message and scenario is given.',
  ),
  scenario: ScheduledScenario.optional().describe(
    'The runs that each occurrence starts. Exactly one of message and scenario is given.',
  ),
}

const name = z
  .string()
  .trim()
  .min(1)
  .max(limits.nameLength)
  .describe(`A name for people: 1 to ${limits.nameLength} characters. It must not name a person.`)

const enabled = z.boolean().optional()

export const CreateSchedule = z
  .strictObject({
    unitId: UnitId,
    name,
    type: z.enum(scheduleTypes).describe(aboutType),
    ...when,
    timeZone: when.timeZone.describe(`${when.timeZone.description} Default: the zone of the unit.`),
    ...makes,
    enabled: enabled.describe('Whether it fires at its times. Default: true.'),
  })
  .refine(
    ({ message, scenario }) => (message === undefined) !== (scenario === undefined),
    orBroken('not_exactly_one', { fields: ['message', 'scenario'] }),
  )
  .meta({
    id: 'CreateSchedule',
    'x-exactly-one-of': { message: [], scenario: [] },
    description: 'A new schedule: what it makes, and when. The time fields are those of its type.',
  })
export type CreateSchedule = z.infer<typeof CreateSchedule>

export const UpdateSchedule = z
  .strictObject({
    name: name.optional(),
    ...when,
    message: makes.message.describe('Replaces the message of a schedule that has one.'),
    scenario: makes.scenario.describe(
      'Replaces the scenario, audience and variables of a schedule that has one.',
    ),
    enabled: enabled.describe(
      'false: no further occurrences. true: occurrences from now on; a delay starts again, and failures ' +
        'are counted from 0.',
    ),
  })
  .refine(isChange, mustChange)
  .meta({
    id: 'UpdateSchedule',
    minProperties: 1,
    description:
      'Changes to a schedule, at least one. Omitted fields are unchanged. Its type cannot change, nor whether it creates ' +
      'messages or starts runs.',
  })
export type UpdateSchedule = z.infer<typeof UpdateSchedule>

const outcome = z
  .enum(occurrenceOutcomes)
  .describe(
    '`created`: it created its message or started its runs. `missed`: its time passed; `reason` says why. ' +
      '`refused`: the rights of the caller it acts for do not suffice. `failed`: any other error.',
  )

export const Occurrence = z
  .object({
    id: Id.describe('The id of the occurrence.'),
    dueAt: Instant.describe('When it was due, in UTC.'),
    at: Instant.describe('When its outcome was decided, in UTC.'),
    outcome,
    reason: z
      .enum(missedReasons)
      .nullable()
      .describe(
        'Why it was missed: it was too `late`, `superseded` by the next one, or the schedule was `changed` (disabled or given ' +
          'other times) before it was created. null: it was not.',
      ),
    messageId: Id.nullable().describe('The message that it made; null: none.'),
    runs: z.int().min(0).nullable().describe('How many runs it started; null: it starts none.'),
    error: z
      .object({
        code: z.string().describe('The error code that a call would have got.'),
        message: z.string().describe('What is wrong and what to do, in English.'),
        details: z
          .record(z.string(), z.unknown())
          .optional()
          .describe(
            'As the call would have got them, such as `variables` of missing_variable and `violations` of content_violation. ' +
              'Omitted: the error has none.',
          ),
      })
      .nullable()
      .describe('Why it was refused or failed; null: it was not.'),
  })
  .meta({ id: 'Occurrence', description: 'One due time of a schedule, with its outcome.' })
export type Occurrence = z.infer<typeof Occurrence>

export const Schedule = z
  .object({
    id: Id.describe('The id of the schedule.'),
    unitId: Id.describe('The unit that it belongs to.'),
    name: z.string().describe('Its name.'),
    type: z.enum(scheduleTypes).describe(aboutType),
    at: Instant.nullable().describe('When it fires once, in UTC; null for the other types.'),
    delaySeconds: z.int().nullable().describe('Of a delay, how many seconds; null for the other types.'),
    cron: z.string().nullable().describe('The cron expression of a recurring one; null for the other types.'),
    timeZone: z.string().nullable().describe('The zone of a recurring one; null for the other types.'),
    message: StoredScheduledMessage.nullable().describe(
      'The message that each occurrence makes; null: it starts runs.',
    ),
    scenario: StoredScheduledScenario.nullable().describe(
      'The runs that it starts; null: it makes messages.',
    ),
    enabled: z.boolean().describe('Whether it fires at its times.'),
    state: z
      .enum(['active', 'disabled', 'finished'])
      .describe(
        '`active`: it will fire. `disabled`: it does not fire until it is enabled. `finished`: it has fired, and will not fire again.',
      ),
    disabledReason: z
      .enum(disabledScheduleReasons)
      .nullable()
      .describe(
        'Why it is disabled: disabled `by_caller`, or by three `failures` in a row. null: it is not disabled.',
      ),
    nextTimes: z.array(Instant).describe('The times at which it fires next, in UTC: three at most.'),
    lastOccurrence: Occurrence.nullable().describe('The newest occurrence; null: it was not due yet.'),
    consecutiveFailures: z
      .int()
      .min(0)
      .describe('How many occurrences in a row were refused or failed. The third disables it.'),
    actsFor: Actor.describe(
      'The caller whose rights it uses: the one who last changed its content or times.',
    ),
    createdBy: Actor.describe('Who created it.'),
    createdAt: Instant.describe('When it was created, in UTC.'),
    updatedAt: Instant.describe('When it was last changed by a caller, in UTC.'),
  })
  .meta({ id: 'Schedule', description: 'A schedule, with its next times and its last occurrence.' })
export type Schedule = z.infer<typeof Schedule>

export const SchedulePage = pageOf(Schedule).meta({
  id: 'SchedulePage',
  description: "One page of a unit's schedules, newest first.",
})
export type SchedulePage = z.infer<typeof SchedulePage>

/** Sessions of people in several units must pass unitId. */
export const ScheduleListQuery = PageQuery.extend({ unitId: UnitId })
export type ScheduleListQuery = z.infer<typeof ScheduleListQuery>

export const OccurrencePage = pageOf(Occurrence).meta({
  id: 'OccurrencePage',
  description: 'One page of the occurrences of a schedule, newest first.',
})
export type OccurrencePage = z.infer<typeof OccurrencePage>

export const DeletedSchedule = z
  .object({ deleted: z.literal(true).describe('Always true.') })
  .meta({ id: 'DeletedSchedule', description: 'The schedule is deleted: it is not due again.' })
export type DeletedSchedule = z.infer<typeof DeletedSchedule>
