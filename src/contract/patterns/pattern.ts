import { z } from 'zod'
import { Organisers } from '../answers.ts'
import { orBroken } from '../broken-rule.ts'
import {
  Actor,
  DateTime,
  Decision,
  Id,
  Instant,
  NameSearch,
  oneOrMore,
  ordinaryKey,
  PageQuery,
  pageOf,
  Reference,
  UnitId,
} from '../common.ts'
import { patternStatuses, patternTypes, scenarioVersionStates, shownScenarioStates } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText, withoutEmptyEnglish } from '../localised-text.ts'
import { CalendarEntry } from '../messages/calendar.ts'
import { farewellMeans, refuseLiquid } from '../scenarios/content.ts'

/** A text of a pattern, with a limit of its own: it stands in the texts of the scenario. Liquid, as these are. */
function textOf(most: number) {
  const text = z.string().trim().max(most)
  return z
    .strictObject({
      'zh-TW': text
        .min(1)
        .describe(`Traditional Chinese as written in Taiwan, 1 to ${most.toLocaleString('en')} characters.`),
      en: text.optional().describe('English. Omitted or empty: readers of English get the Chinese text.'),
    })
    .overwrite(withoutEmptyEnglish)
}

/** Of a question or an option: both become keys of a JSON object. */
const QuestionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, orBroken('wrong_format', { format: 'name' }))
  .refine(...ordinaryKey)

const PatternOption = z
  .strictObject({
    id: QuestionId.describe('The id of the option in its question: 1 to 64 letters, digits, _ or -.'),
    label: textOf(limits.patternLabelLength).describe('What its button says.'),
  })
  .meta({ id: 'PatternOption', description: 'One answer to choose.' })

export const PatternQuestion = z
  .strictObject({
    id: QuestionId.describe(
      'The id of the question, and of its node: 1 to 64 letters, digits, _ or -. Ids of nodes that every scenario of this ' +
        'type has are taken.',
    ),
    text: textOf(limits.patternTextLength).describe('The question.'),
    options: z
      .array(PatternOption)
      .min(1)
      .max(limits.patternOptions)
      .optional()
      .describe(`What can be chosen, 1 to ${limits.patternOptions}. Omitted: any text can be typed.`),
    required: z
      .boolean()
      .optional()
      .describe(
        'Whether it must be answered; otherwise it has a button to skip it. Omitted: it must. The first of an rsvp must.',
      ),
  })
  .meta({ id: 'PatternQuestion', description: 'One question of a pattern.' })
export type PatternQuestion = z.infer<typeof PatternQuestion>

const name = z.string().trim().min(1).max(200)
const Capacity = z.int().min(1).max(limits.patternCapacity)

/** What one is made of: the same for each of its versions. */
const designFields = {
  name: name.describe('The name of the scenario, for people of the unit: 1 to 200 characters.'),
  categoryId: Reference.describe('The id of the category of its messages, from GET /v1/categories.'),
  title: textOf(limits.patternTitleLength).describe('What it is about, as people read it.'),
  description: textOf(limits.patternTextLength)
    .optional()
    .describe('What people read below the title. Omitted: nothing.'),
  deadline: DateTime.describe(
    'Until when people may answer, change their answer and withdraw: later than now. Each question waits a year at most.',
  ),
  capacity: Capacity.optional().describe(
    `The number of places, 1 to ${limits.patternCapacity.toLocaleString('en')}. Omitted: unlimited. A survey has none.`,
  ),
  waitingList: z
    .boolean()
    .optional()
    .describe('Whether people may wait for a place when all are taken. Omitted: they may not.'),
  questions: z
    .array(PatternQuestion)
    .max(limits.patternQuestions)
    .optional()
    .describe(
      `What is asked, in this order, at most ${limits.patternQuestions}. A survey needs one. Of an rsvp the first decides: its ` +
        'option `yes` is the registration. Omitted: an rsvp asks yes or no, a registration nothing else.',
    ),
  calendar: CalendarEntry.optional().describe(
    'An entry that people with a place can add to their calendars, without variables; it is cancelled there when they give ' +
      'the place up. A survey has none. Omitted: none.',
  ),
  farewell: textOf(limits.patternTextLength).superRefine(refuseLiquid).optional().describe(farewellMeans),
}

export const CreatePattern = z
  .strictObject({
    unitId: UnitId,
    type: z
      .enum(patternTypes)
      .describe(
        '`registration`: takes people up to a capacity. `survey`: asks questions. `rsvp`: asks whether ' +
          'people attend; a yes is a registration.',
      ),
    ...designFields,
  })
  .meta({ id: 'CreatePattern', description: 'A registration, a survey, or a question whether people come.' })
export type CreatePattern = z.infer<typeof CreatePattern>

export const CreatePatternVersion = z.strictObject(designFields).meta({
  id: 'CreatePatternVersion',
  description:
    'What it is to be, as a whole: what is omitted is removed, or has its default. Its type stays.',
})
export type CreatePatternVersion = z.infer<typeof CreatePatternVersion>

export const PatchPattern = z
  .strictObject({
    deadline: DateTime.optional().describe(
      'Another deadline; one that has passed closes the pattern. Omitted: unchanged.',
    ),
    capacity: Capacity.optional().describe(
      'The new number of places, not fewer than before; added places go to the waiting list in order. ' +
        'Omitted: unchanged.',
    ),
  })
  .refine(
    ({ deadline, capacity }) => deadline !== undefined || capacity !== undefined,
    orBroken('nothing_given', { of: 'deadline_or_capacity' }),
  )
  .meta({ id: 'PatchPattern', description: 'Another deadline, more places, or both.' })
export type PatchPattern = z.infer<typeof PatchPattern>

export const CreatedPattern = z
  .object({
    id: Id.describe('The id of the pattern: the `patternInstanceId` of audiences.'),
    scenarioId: Id.describe('The scenario that was generated, a draft. PUT /v1/scenarios/{id} activates it.'),
  })
  .meta({ id: 'CreatedPattern', description: 'The new pattern and its scenario.' })
export type CreatedPattern = z.infer<typeof CreatedPattern>

export const Pattern = z
  .object({
    ...CreatedPattern.shape,
    unitId: Id.describe('The unit that it belongs to.'),
    type: z.enum(patternTypes).describe('What it asks for.'),
    name: z.string().describe('The name of the scenario.'),
    categoryId: z.string().describe("The id of the category of the scenario's messages."),
    scenarioState: z.enum(shownScenarioStates).describe('The state of the scenario: `active` can start.'),
    version: z.int().min(1).describe('The number of the newest version of the scenario.'),
    versionState: z
      .enum(scenarioVersionStates)
      .describe(
        'Of the newest version. `rejected`: `decision` says why. `withdrawn`: its unit took it back.',
      ),
    inForce: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'The version that people answer, of which the texts, questions and places here are; null: none, and they are of the newest.',
      ),
    paused: z.boolean().describe('Whether the scenario is paused, also while a newer version waits.'),
    decision: Decision.nullable().describe('The decision about the newest version; null: none yet.'),
    title: LocalisedText.describe('What it is about.'),
    description: LocalisedText.nullable().describe('What people read below the title; null: nothing.'),
    deadline: Instant.describe('Until when people may answer, in UTC.'),
    status: z
      .enum(patternStatuses)
      .describe('Now: `open`, `full` (all places are taken) or `closed` (the deadline has passed).'),
    capacity: z.int().nullable().describe('The number of places; null: unlimited.'),
    left: z.int().nullable().describe('The number of places left now; null: unlimited.'),
    waitingList: z.boolean().describe('Whether people may wait for a place.'),
    calendar: CalendarEntry.optional().describe('The entry for calendars, as it was given. Omitted: none.'),
    questions: z.array(PatternQuestion).describe('What it was made to ask, with the question that decides.'),
    organisers: Organisers,
    createdBy: Actor.describe('Who made it.'),
    createdAt: Instant.describe('When, in UTC.'),
  })
  .meta({ id: 'Pattern', description: 'A registration, a survey, or a question whether people come.' })
export type Pattern = z.infer<typeof Pattern>

export const PatternPage = pageOf(Pattern).meta({
  id: 'PatternPage',
  description: "One page of a unit's patterns, newest first.",
})
export type PatternPage = z.infer<typeof PatternPage>

/** Sessions of people in several units must pass unitId. */
export const PatternListQuery = PageQuery.extend({
  unitId: UnitId,
  type: oneOrMore(z.enum(patternTypes))
    .optional()
    .describe('Only patterns of this type. May be repeated. Omitted: all.'),
  q: NameSearch,
})
export type PatternListQuery = z.infer<typeof PatternListQuery>

const count = z.int().min(0)
const ofPlaces = (what: string) => count.nullable().describe(`${what}; null: a survey has no places.`)

export const PatternReport = z
  .object({
    invited: count.describe(
      'People who were sent a message whose button starts the scenario, and people whose run was started ' +
        'by others.',
    ),
    reached: count.describe('Those of them with a confirmed delivery.'),
    read: count.describe(
      'Those of them who opened the message in the inbox, pressed its button or answered.',
    ),
    answered: count.describe('People who answered the first question.'),
    registered: ofPlaces('People who have a place'),
    waitlisted: ofPlaces('People on the waiting list, or on it until the deadline'),
    withdrawn: ofPlaces('People who gave up their place, or left the waiting list'),
    declined: ofPlaces('People whose last answer is `no`: they do not take part'),
    undecided: ofPlaces('People whose last answer is another option, such as `maybe`'),
    stopped: count.describe(
      'People who answered the first question and stopped half-way: their conversation is over, and they neither came ' +
        'to its end nor were told that no place is left.',
    ),
    byOption: z
      .record(z.string(), z.record(z.string(), count))
      .describe('By question and option: people whose last answer it is.'),
    completionRate: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'The share of invited people who reached the end: requested a place or chose another option; for a survey, ' +
          'answered the last question. null: no one was invited.',
      ),
  })
  .meta({
    id: 'PatternReport',
    description: 'The numbers about a pattern, which outlive erasure and retention.',
  })
export type PatternReport = z.infer<typeof PatternReport>
