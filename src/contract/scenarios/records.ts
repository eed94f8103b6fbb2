import { z } from 'zod'
import { Actor, Id, Instant, oneOrMore, PageQuery, pageOf } from '../common.ts'
import { handoffStates, problems, runStates } from '../enums.ts'
import { limits } from '../limits.ts'
import { CanonicalMessage, PostbackData } from '../messages/content.ts'
import { turnFields } from '../turn-fields.ts'
import { NodeError } from './node-error.ts'

const uid = z.string().min(1).max(limits.uidLength)
const nodeId = z.string().min(1).max(64)
const version = z.coerce.number().int().min(1).max(2_147_483_647)

/** Omitted for callers who may not read about people. */
const person = {
  subjectId: Id.nullable()
    .optional()
    .describe(
      'The person; null if they were erased, or the run is past retention. Only for callers who may read ' +
        'personal data.',
    ),
  uid: z
    .string()
    .nullable()
    .optional()
    .describe('Their uid; null as `subjectId`. Only for callers who may read personal data.'),
}

const runFields = {
  id: Id.describe('The id of the run.'),
  scenarioId: Id.describe('The scenario.'),
  version: z.int().describe('The version of the scenario, which a run keeps.'),
  ...person,
  state: z
    .enum(runStates)
    .describe(
      '`waiting`: for the person, a time, or another party. `done`, `cancelled` and `failed` are final.',
    ),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it was cancelled or failed, such as `restarted`, `erased` or `missing_variable`; null otherwise.',
    ),
  node: z
    .string()
    .optional()
    .describe(
      'The id of the node where it is, or ended. Once it has passed an answer, only for callers who may ' +
        'read about people.',
    ),
  problem: z
    .enum(problems)
    .nullable()
    .describe(
      'Why it is parked: `provider` or `provider_quota` (the channel), `unknown_recipients` (the mail server rejects an ' +
        'implausible share of the recipients), `quota` (of the unit and the pool), `internal` (a step that keeps failing); ' +
        'null: it is not. It retries automatically.',
    ),
  deadline: Instant.nullable()
    .optional()
    .describe(
      'When it continues without input, in UTC; null: it does not wait for a time. Omitted as `node`.',
    ),
  test: z.boolean().describe('Whether it is a test run, which only reaches the caller who started it.'),
  startedBy: Actor.describe('Who started it. If the person did, not who they are.'),
  startedAt: Instant.describe('When, in UTC.'),
  endedAt: Instant.nullable().describe('When it ended, in UTC; null: it is open.'),
}

export const ScenarioRun = z
  .object(runFields)
  .meta({ id: 'ScenarioRun', description: 'A run of a scenario: its conversation with one person.' })
export type ScenarioRun = z.infer<typeof ScenarioRun>

export const ScenarioRunPage = pageOf(ScenarioRun).meta({
  id: 'ScenarioRunPage',
  description: 'One page of the runs of a scenario, newest first.',
})
export type ScenarioRunPage = z.infer<typeof ScenarioRunPage>

/** By state, place, version and person. */
export const ScenarioRunQuery = PageQuery.extend({
  state: oneOrMore(z.enum(runStates))
    .optional()
    .describe('Only runs in these states. May be repeated. Omitted: all.'),
  node: nodeId
    .optional()
    .describe(
      'Only runs that are at this node, or ended there. Only for callers who may read personal data.',
    ),
  version: version.optional().describe('Only runs of this version.'),
  uid: uid
    .optional()
    .describe('Only runs of the person with this uid. Only for callers who may read personal data.'),
})
export type ScenarioRunQuery = z.infer<typeof ScenarioRunQuery>

const answerFields = {
  node: z.string().describe('The id of the question.'),
  optionId: z.string().nullable().describe('The id of the option; null: a typed text.'),
  text: z.string().nullable().describe('The typed text; null: an option.'),
  data: PostbackData.nullable().describe(
    "The producer's own data of the postback that was tapped; null for any other answer.",
  ),
  at: Instant.describe('When it was taken, in UTC.'),
}

const RunStep = z
  .object({
    node: z.string().describe('The id of the node.'),
    enteredAt: Instant.describe('When the run entered it, in UTC.'),
    leftAt: Instant.nullable().describe(
      'When it left, in UTC; null: it is there, or ended there, or went on by an answer that the caller may not read.',
    ),
    edge: z
      .string()
      .nullable()
      .describe(
        'How it left: the JSON of the case of the edge, `plain` for an edge without one, `nextNode` for a button that names ' +
          'the next node; null as `leftAt`.',
      ),
    to: z.string().nullable().describe('The id of the next node; null as `leftAt`.'),
  })
  .meta({ id: 'RunStep', description: 'A node on the path of a run.' })

export const RunTurn = z
  .object({
    ...turnFields,
    says: z
      .array(
        z.object({
          node: z.string().describe('The id of the node; `(farewell)` and `(failure)` as in `firstNode`.'),
          messages: z.array(CanonicalMessage).describe('What it says.'),
        }),
      )
      .nullable()
      .optional()
      .describe(
        'The messages, node by node; null: erased, or past retention. Only for callers who may read ' +
          'personal data.',
      ),
  })
  .meta({ id: 'RunTurn', description: 'The messages that a run sends together.' })
export type RunTurn = z.infer<typeof RunTurn>

const RunHandoff = z
  .object({
    id: Id.describe('The id of the handoff, whose conversation GET /v1/handoffs/{id} shows.'),
    node: z.string().describe('The id of the node.'),
    state: z.enum(handoffStates).describe('`open`: the run waits for it.'),
    openedAt: Instant.describe('When the node was entered, in UTC.'),
    closedAt: Instant.nullable().describe('When it was closed, in UTC; null: it is open.'),
  })
  .meta({ id: 'RunHandoff', description: 'A handoff that a node of a run has opened.' })

export const ScenarioRunDetail = z
  .object({
    ...runFields,
    purged: z.boolean().describe('Whether it is past retention: path, variables and answers are gone.'),
    path: z
      .array(RunStep)
      .describe(
        'The nodes that it entered, in order. For callers who may not read personal data, up to the ' +
          'first that was left by an answer: a question, a branch or a registration. `errors`, `turns` and ' +
          '`handoffs` end there too.',
      ),
    errors: z
      .array(NodeError)
      .describe(
        'The nodes of the path that took their `error` edge, and the one at which it failed. Texts are ' +
          "evaluated with the run's current variables.",
      ),
    turns: z.array(RunTurn).describe('Its turns, in order.'),
    handoffs: z
      .array(RunHandoff)
      .describe('The conversations that its nodes have handed to people of the unit, in order.'),
    variables: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Its variables: from its start, answers and Lookups. Only for callers who may read personal data.',
      ),
    answers: z
      .array(z.object(answerFields))
      .optional()
      .describe('What the person answered, in order. Only for callers who may read personal data.'),
  })
  .meta({
    id: 'ScenarioRunDetail',
    description: 'A run of a scenario: its path, turns and answers.',
  })
export type ScenarioRunDetail = z.infer<typeof ScenarioRunDetail>

const count = z.int().min(0)

export const RunSummary = z
  .object({
    versions: z
      .array(
        z.object({
          version: z.int().describe('The version.'),
          nodes: z
            .record(
              z.string(),
              z.object({
                here: count.describe('Open runs that are at the node now.'),
                entered: count.describe('Runs that have entered it.'),
                left: z
                  .record(z.string(), count)
                  .describe(
                    'Runs that have left it, by edge: the JSON of its case, `plain`, or `nextNode`. The others are there, or ended there.',
                  ),
              }),
            )
            .describe('The counts by node. Nodes that no run has entered are omitted.'),
        }),
      )
      .describe('The versions that have had runs, newest first.'),
  })
  .meta({
    id: 'RunSummary',
    description: 'How runs go through a scenario, in counts, which outlive erasure and retention.',
  })
export type RunSummary = z.infer<typeof RunSummary>

/** By version. */
export const RunSummaryQuery = z.object({
  version: version.optional().describe('Only this version. Omitted: all.'),
})
export type RunSummaryQuery = z.infer<typeof RunSummaryQuery>

export const ScenarioAnswer = z
  .object({
    runId: Id.describe('The run.'),
    version: z.int().describe('The version of the scenario that the run follows.'),
    subjectId: Id.describe("Carillon's id of the person."),
    uid: z.string().describe('Their uid.'),
    ...answerFields,
  })
  .meta({ id: 'ScenarioAnswer', description: 'The answer of one person to one question of a run.' })
export type ScenarioAnswer = z.infer<typeof ScenarioAnswer>

export const ScenarioAnswerPage = pageOf(ScenarioAnswer).meta({
  id: 'ScenarioAnswerPage',
  description: 'One page of the answers to a scenario, newest runs first.',
})
export type ScenarioAnswerPage = z.infer<typeof ScenarioAnswerPage>

/** By question, option, version and person. */
export const ScenarioAnswerQuery = PageQuery.extend({
  node: nodeId.optional().describe('Only answers to this question.'),
  optionId: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Only answers with this option, compared exactly.'),
  version: version.optional().describe('Only answers in runs of this version.'),
  uid: uid.optional().describe('Only answers of the person with this uid.'),
})
export type ScenarioAnswerQuery = z.infer<typeof ScenarioAnswerQuery>
