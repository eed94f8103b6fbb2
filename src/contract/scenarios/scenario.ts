import { z } from 'zod'
import { OrganiserIds } from '../answers.ts'
import { Decisions } from '../approvals.ts'
import { brokenAt, marked } from '../broken-rule.ts'
import {
  Actor,
  Decision,
  Id,
  Instant,
  NameSearch,
  oneOrMore,
  PageQuery,
  pageOf,
  Reference,
  UnitId,
} from '../common.ts'
import { activationReasons, scenarioVersionStates, shownScenarioStates } from '../enums.ts'
import { refuseManyMarks } from '../light-marks.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'
import { Shortfall } from '../messages/detail.ts'
import { Violation } from '../messages/dry-run.ts'
import { broken } from '../rules.ts'
import { GivenVariable, TemplateVariable } from '../templates/template.ts'
import { mostTogether, textLengthOf, textLimit } from '../text-length.ts'
import { farewellMeans, scenarioContentFields } from './content.ts'

const { variables: _, ...content } = scenarioContentFields
const name = z.string().trim().min(1).max(200)
const versionFields = {
  name: name.describe('Its name, for people of the unit: 1 to 200 characters.'),
  categoryId: Reference.describe('The id of the category of its messages, from GET /v1/categories.'),
  ...content,
  nodes: content.nodes.describe(
    `The steps, 1 to ${limits.nodesPerScenario}. The first is the start. ${textLimit}`,
  ),
  variables: z
    .array(GivenVariable)
    .max(limits.variablesPerTemplate)
    .optional()
    .describe(
      `The variables of a start, at most ${limits.variablesPerTemplate}. Lookups and answers may bring others, which ` +
        'need not be declared.',
    ),
}

/** Refuses content whose texts, with its ids and links, have more characters together than `limits.textLength`. */
function refuseLongContent(
  body: { nodes?: unknown; edges?: unknown; variables?: unknown; farewell?: unknown },
  context: z.RefinementCtx,
) {
  refuseManyMarks([body.nodes, body.farewell], 'nodes', context)
  const length = textLengthOf([body.nodes, body.edges, body.variables, body.farewell])
  if (length <= limits.textLength) return
  context.addIssue(
    brokenAt(['nodes'], 'too_long_together', { ...mostTogether, count: length, remedy: 'jump' }),
  )
}

export const CreateScenario = z
  .strictObject({ unitId: UnitId, ...versionFields })
  .superRefine(refuseLongContent)
  .meta({
    id: 'CreateScenario',
    description: 'A new scenario, with its first version.',
  })
export type CreateScenario = z.infer<typeof CreateScenario>

/** What every version says; a change names all of it or nothing. */
const required = ['name', 'categoryId', 'nodes', 'edges'] as const

export const PutScenario = z
  .strictObject({
    unitId: UnitId,
    ...z.strictObject(versionFields).partial().shape,
    state: z
      .enum(['active', 'paused', 'retired'])
      .optional()
      .describe(
        '`active`: requests activation of the newest version; without content, in a pause: only ends the ' +
          'pause. `paused`: no runs start, and open runs hold their turns. `retired`: permanent end. ' +
          'Omitted: unchanged.',
      ),
    organisers: OrganiserIds.optional().describe(
      `Of a scenario of a pattern, together with \`active\`, while no version has been in force. ${OrganiserIds.description} The approver sees them. Omitted: unchanged.`,
    ),
  })
  .superRefine(refuseLongContent)
  .superRefine((body, context) => {
    const { unitId, state, organisers, ...rest } = body
    if (organisers !== undefined && state !== 'active')
      context.addIssue(brokenAt(['organisers'], 'unexpected', { reason: 'not_activated' }))
    // A change of state carries no text: the approver of a version approves its farewell with it.
    if (rest.farewell !== undefined && (state === 'retired' || rest.nodes === undefined)) {
      context.addIssue(brokenAt(['farewell'], 'unexpected', { reason: 'change_of_state' }))
      return
    }
    if (Object.keys(rest).length === 0) {
      if (state === undefined) context.addIssue(brokenAt([], 'nothing_given', { of: 'content_or_state' }))
      return
    }
    for (const field of required)
      if (!(field in rest)) context.addIssue(brokenAt([field], 'missing', { reason: 'whole_content' }))
  })
  .meta({
    id: 'PutScenario',
    description:
      'The whole content of a scenario, the state it should have, or both. With content, an optional field of it that is ' +
      'omitted is removed, or has its default; without content, the content is unchanged.',
  })
export type PutScenario = z.infer<typeof PutScenario>

const aboutVersion = {
  version: z.int().min(1).describe('The number of the version, counted from 1.'),
  versionState: z
    .enum(scenarioVersionStates)
    .describe(
      '`draft`: written. `submitted`: waits for an approver. `in_force`: new runs follow it. `replaced`: a newer version ' +
        'has taken its place. `rejected`: by an approver. `withdrawn`: by its unit, while it waited.',
    ),
  autoApproved: z
    .boolean()
    .describe(
      'Whether it came in force without a person’s approval; it then has no triggers and no mass starts.',
    ),
  name: name.describe('Its name, for people of the unit.'),
  categoryId: z.string().describe('The id of the category of its messages.'),
  author: Actor.describe('Who wrote this version, and cannot approve it.'),
  createdAt: Instant.describe('When this version was written, in UTC.'),
  submittedAt: Instant.nullable().describe('When its activation was asked for, in UTC; null: not yet.'),
  reason: z
    .enum(activationReasons)
    .nullable()
    .describe('While it waits: why a person decides about it. null: it does not wait.'),
  decision: Decision.nullable().describe('The decision about it; null: none yet.'),
}
const whole = {
  ...scenarioContentFields,
  farewell: LocalisedText.optional().describe(farewellMeans),
  variables: z.array(TemplateVariable).describe('The variables of a start.'),
}

export const ScenarioVersion = z
  .object({ ...aboutVersion, ...whole })
  .meta({ id: 'ScenarioVersion', description: 'One version of a scenario.' })
export type ScenarioVersion = z.infer<typeof ScenarioVersion>

export const ScenarioVersionPage = pageOf(ScenarioVersion).meta({
  id: 'ScenarioVersionPage',
  description: 'One page of the versions of a scenario, newest first.',
})
export type ScenarioVersionPage = z.infer<typeof ScenarioVersionPage>

const aboutScenario = {
  id: Id.describe('The id of the scenario.'),
  unitId: Id.describe('The unit that it belongs to.'),
  state: z
    .enum(shownScenarioStates)
    .describe(
      '`draft`: no version has been in force. `submitted`: the newest version waits for an approver; the ' +
        'one in force, if any, continues. `active`: runs can start. `paused`: no runs start, and open runs ' +
        'hold their turns. `retired`: ended.',
    ),
  canStart: z
    .boolean()
    .describe(
      'Whether it can start now: a version is in force, its category is enabled, and it is neither paused nor retired.',
    ),
  paused: z
    .boolean()
    .describe('Whether it is paused, also while a newer version waits (`state: submitted`).'),
  inForce: z.int().min(1).nullable().describe('The version that new runs follow; null: none.'),
}
const allowed = { allowed: Decisions.describe('What the caller may decide about the newest version now.') }

export const ScenarioItem = z
  .object({ ...aboutScenario, ...aboutVersion, ...z.object(whole).partial().shape, ...allowed })
  .meta({
    id: 'ScenarioItem',
    description:
      'A scenario in a list, with the content of its newest version unless `fields=summary` leaves it out.',
  })
export type ScenarioItem = z.infer<typeof ScenarioItem>

const ShortStart = z
  .object({
    startedAt: Instant.describe('When the conversations were started, in UTC.'),
    ...Shortfall.shape,
    people: Shortfall.shape.people.describe(
      'People of the start; those who may not be written to are not counted.',
    ),
    reached: Shortfall.shape.reached.describe('Those of them whose conversation has not failed.'),
  })
  .meta({
    id: 'ShortStart',
    description: 'A start of 20 conversations or more that failed with a tenth of them or more.',
  })

export const StartCost = z
  .object({
    maxTurns: z
      .int()
      .min(0)
      .describe(
        'The maximum number of turns of one start for each person, including jumps: a chat push each, or ' +
          "a mail. Replies within a minute of the person's message are free.",
      ),
    loops: z
      .boolean()
      .describe(
        'Whether answers of the person can lead around a circle of scenarios, of which `maxTurns` counts ' +
          'one round.',
      ),
  })
  .meta({ id: 'StartCost', description: 'What one start of a scenario costs at most.' })

export const Scenario = z
  .object({
    ...aboutScenario,
    ...aboutVersion,
    ...whole,
    warnings: z
      .array(Violation)
      .describe(
        'What may surprise its author: questions that cannot be answered by mail, options with a word that leaves a ' +
          'conversation, ways to scenarios that are not active, circles of jumps, names in texts that have no value. Paths begin ' +
          'at `nodes`.',
      ),
    cost: StartCost.describe(
      'The maximum cost of one start of this version, with the current versions of scenarios it jumps to.',
    ),
    shortStart: ShortStart.optional().describe(
      'The newest start of 20 conversations or more, within 30 days, that failed with a tenth of its people or more, or ' +
        'reached no one. Omitted: there is none.',
    ),
    ...allowed,
  })
  .meta({ id: 'Scenario', description: 'A scenario with its newest version.' })
export type Scenario = z.infer<typeof Scenario>

export const ScenarioPage = pageOf(ScenarioItem).meta({
  id: 'ScenarioPage',
  description: "One page of a unit's scenarios, newest first.",
})
export type ScenarioPage = z.infer<typeof ScenarioPage>

/** Sessions of people in several units must pass unitId. */
export const ScenarioListQuery = PageQuery.extend({
  unitId: UnitId,
  state: oneOrMore(z.enum(shownScenarioStates))
    .optional()
    .describe('Only scenarios in this state. May be repeated. Omitted: all.'),
  categoryId: Reference.optional().describe('Only scenarios whose newest version has this category.'),
  q: NameSearch,
  fields: z
    .literal('summary')
    .optional()
    .describe('Leaves out the content: nodes, edges, variables, triggers and farewell. Omitted: all fields.'),
})
export type ScenarioListQuery = z.infer<typeof ScenarioListQuery>

const shownVersion = z
  .int({
    error: (issue) =>
      issue.input === undefined ? marked(issue, broken('missing', { reason: 'shown_version' })) : undefined,
  })
  .min(1)
  .describe('The version that was shown: 409 invalid_transition if it is not the one that waits.')

export const ApproveScenario = z
  .strictObject({ version: shownVersion })
  .meta({ id: 'ApproveScenario', description: 'The version that was shown to the approver.' })
export type ApproveScenario = z.infer<typeof ApproveScenario>

export const WithdrawScenario = z
  .strictObject({ version: shownVersion })
  .meta({ id: 'WithdrawScenario', description: 'The version that is taken back.' })
export type WithdrawScenario = z.infer<typeof WithdrawScenario>

export const RejectScenario = z
  .strictObject({
    reason: z.string().trim().min(1).max(1_000).describe('Why, for the author: 1 to 1,000 characters.'),
    version: shownVersion,
  })
  .meta({ id: 'RejectScenario', description: 'Why the version is rejected.' })
export type RejectScenario = z.infer<typeof RejectScenario>
