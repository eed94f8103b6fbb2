import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { atMost, Channel, Locale, Reference, UnitId } from '../common.ts'
import { isOneOf, reservedNames } from '../enums.ts'
import { limits } from '../limits.ts'
import { CanonicalMessage } from '../messages/content.ts'
import { Violation } from '../messages/dry-run.ts'
import { GivenVariable } from '../templates/template.ts'
import { mostTogether, textLengthOf, textLimit } from '../text-length.ts'
import { scenarioContentFields } from './content.ts'
import { NodeError } from './node-error.ts'
import { StartCost } from './scenario.ts'

const variables = atMost(
  z
    .record(z.string().max(limits.nameLength), z.unknown())
    .refine(
      (values) => !Object.keys(values).some((name) => isOneOf(reservedNames, name)),
      orBroken('reserved', { of: 'variables', values: reservedNames }),
    ),
  limits.variablesPerTemplate,
  'variables',
)
  .optional()
  .describe('The variables of the start, by name. Omitted: none.')

/** What happens outside, by node. */
const outside = {
  answers: atMost(z.record(z.string(), z.string().max(5_000).nullable()), limits.nodesPerScenario, 'answers')
    .default({})
    .describe(
      "The input for nodes that wait for a person, by node: for a question an option's id, label or " +
        'number, or a typed text; for `register` its result; for a handoff any text, which closes it; ' +
        'null: the time-out. Without an entry, the simulation ends there.',
    ),
  lookups: atMost(
    z.record(z.string(), z.record(z.string(), z.unknown()).nullable()),
    limits.nodesPerScenario,
    'lookups',
  )
    .default({})
    .describe(
      'What the endpoints answer, by node: the JSON object; null: no answer in time. Without one, the simulation ends there.',
    ),
  variables,
  locale: Locale.default('zh-TW').describe("The person's language. Default: zh-TW."),
}

/** A simulation of a stored version. */
export const SimulateScenario = z
  .strictObject({
    version: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .describe('The number of the version. Omitted: the newest one.'),
    ...outside,
  })
  .meta({ id: 'SimulateScenario', description: 'What happens to a simulated run of a stored scenario.' })
export type SimulateScenario = z.infer<typeof SimulateScenario>

/** A simulation of content that is not stored. */
export const SimulateContent = z
  .strictObject({
    unitId: UnitId,
    scenario: z
      .strictObject({
        name: z.string().trim().min(1).max(200).optional().describe('Its name, which changes nothing here.'),
        categoryId: Reference.describe('The id of its category, whose channels decide what can be sent.'),
        ...scenarioContentFields,
        variables: z
          .array(GivenVariable)
          .max(limits.variablesPerTemplate)
          .optional()
          .describe('The variables of a start.'),
      })
      .refine(
        (scenario) => textLengthOf(scenario) <= limits.textLength,
        orBroken('too_long_together', mostTogether),
      )
      .describe(`The scenario, as it would be stored. ${textLimit}`),
    ...outside,
  })
  .meta({ id: 'SimulateContent', description: 'A scenario that is not stored, and what happens to its run.' })
export type SimulateContent = z.infer<typeof SimulateContent>

const SimulatedSaying = z
  .object({
    node: z.string().describe('The id of its node.'),
    channel: Channel.describe("The channel: the first of the category's plan that can carry it."),
    messages: z
      .array(CanonicalMessage)
      .describe('Its messages, with variables filled in, in both languages.'),
  })
  .meta({ id: 'SimulatedSaying', description: 'The messages of one node in a simulation.' })

export const Simulation = z
  .object({
    path: z.array(z.string()).describe('The ids of the nodes, in the order in which the run enters them.'),
    errors: z
      .array(NodeError)
      .describe(
        'What went wrong, in order, whether an edge took it or the run failed: at which node, and in which text.',
      ),
    variables: z.record(z.string(), z.unknown()).describe('The variables as they are at the end.'),
    says: z.array(SimulatedSaying).describe('The messages to the person, in order.'),
    ends: z
      .object({
        state: z
          .enum(['done', 'cancelled', 'failed'])
          .optional()
          .describe(
            'How the run ends; `cancelled`: the person leaves, by a text such as `取消`. Omitted: it waits.',
          ),
        reason: z
          .string()
          .optional()
          .describe(
            'Why it fails, such as `missing_variable`, `content_violation` or `no_instant`, or is cancelled: `left`.',
          ),
        jumpsTo: z
          .string()
          .optional()
          .describe('The id of the scenario that it jumps to, which may be its own. Omitted: none.'),
        waits: z
          .string()
          .optional()
          .describe('The id of the node where it waits: `answers` or `lookups` has no entry for it.'),
      })
      .describe('How it ends: with a state, or waiting at a node.'),
    warnings: z.array(Violation).describe('The `warnings` of the scenario. Paths refer to the scenario.'),
    cost: StartCost.describe(
      'The maximum cost of one start, with the current versions of scenarios it jumps to.',
    ),
  })
  .meta({ id: 'Simulation', description: 'The way of a simulated run. Nothing was stored, sent or called.' })
export type Simulation = z.infer<typeof Simulation>
