import { z } from 'zod'
import { brokenAt, orBroken } from '../broken-rule.ts'
import { DateTime, distinct, ordinaryKey, Reference } from '../common.ts'
import { liquidOpenings, registerResults, reservedNames } from '../enums.ts'
import { limits } from '../limits.ts'
import { TemplateMessage } from '../messages/content.ts'
import { SubjectTag } from '../subjects/subject.ts'
import { couldName } from './names-in-address.ts'

/**
 * The graph of a scenario: nodes, and the edges between them. The first node is the start. Schemas check the form of
 * each node and edge; `graphProblems` in src/domain/scenario checks how they fit together.
 */

const NodeId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, orBroken('wrong_format', { format: 'name' }))
  .refine(...ordinaryKey)
  .describe('The id of the node in its scenario: 1 to 64 letters, digits, _ or -.')

/** Any text: an edge to or from an unknown node is a problem of the graph. */
const NodeReference = z.string().max(1_000)

const VariableName = z
  .string()
  .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, orBroken('wrong_format', { format: 'variable' }))
  .max(limits.nameLength)
  .refine(...ordinaryKey)

/** A variable, or a property of one: `order.total`. */
const VariablePath = z
  .string()
  .regex(/^[a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z0-9_-]+)*$/, orBroken('wrong_format', { format: 'variable_path' }))
  .max(1_000)
  .describe('The variable, or a property of one, such as `order.total`.')

const VariableNames = z.array(VariableName).max(limits.variablesPerTemplate).overwrite(distinct)

const Seconds = z
  .int()
  .min(1)
  .max(limits.scenarioWaitSeconds)
  .describe(`In seconds, 1 to ${limits.scenarioWaitSeconds}.`)

const Messages = z
  .array(TemplateMessage)
  .min(1)
  .max(limits.messagesPerTurn)
  .describe(`1 to ${limits.messagesPerTurn} messages; texts are Liquid over the variables of the run.`)

const Tags = z.array(SubjectTag).min(1).max(20).overwrite(distinct)

/** Says something. */
const MessageNode = z
  .strictObject({ id: NodeId, kind: z.literal('message').describe('Sends messages.'), messages: Messages })
  .meta({ id: 'MessageNode', description: 'A node that sends messages and continues.' })

/** Asks, and waits for the answer. */
const QuestionNode = z
  .strictObject({
    id: NodeId,
    kind: z.literal('question').describe('Asks, and waits for the answer.'),
    message: TemplateMessage.describe('The question. What has an id in it is an option.'),
    timeoutSeconds: Seconds.describe('How long it waits, in seconds from when the question was sent.'),
    saveAs: VariableName.optional().describe(
      'The variable that gets the id of the option, or the typed text.',
    ),
  })
  .meta({ id: 'QuestionNode', description: 'A node that asks and waits for one answer.' })

/** The fields of a Lookup that name the person. */
const personFields: readonly string[] = ['subject', 'uid']

/** Calls a registered endpoint of the producer. */
export const LookupNode = z
  .strictObject({
    id: NodeId,
    kind: z.literal('lookup').describe('Asks an endpoint of the producer.'),
    method: z.enum(['GET', 'POST']).describe('GET carries the variables in the query, POST in a JSON body.'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .refine(
        (url) => !liquidOpenings.some((opening) => url.includes(opening)),
        orBroken('has_liquid', { of: 'address' }),
      )
      .refine((url) => !url.includes('#'), orBroken('has_fragment'))
      .superRefine((url, context) => {
        const address = URL.canParse(url) ? new URL(url) : null
        for (const name of address ? reservedNames.filter((name) => couldName(address, name)) : [])
          context.addIssue(brokenAt([], 'reserved', { of: 'query', values: [name] }))
      })
      .describe(
        'The address, of a registered endpoint. It has no variables, no fragment, and nothing in its query that could be ' +
          `read as ${reservedNames.map((name) => `\`${name}\``).join(', ')}, in any spelling.`,
      ),
    variables: VariableNames.describe(
      'The names of the variables to send; none is reserved, such as `subject` or `uid`, in any case. One that has no value ' +
        'is left out.',
    ),
  })
  .superRefine(({ method, url, variables }, context) => {
    const address = method === 'GET' && URL.canParse(url) ? new URL(url) : null
    for (const [index, name] of variables.entries()) {
      const path = ['variables', index]
      // Readers of JSON, too, may ignore the case of a name, and take the last one.
      if (personFields.includes(name.toLowerCase()))
        context.addIssue(brokenAt(path, 'reserved', { of: 'sent_variable', values: [name] }))
      else if (address && couldName(address, name.toLowerCase()))
        context.addIssue(brokenAt(path, 'repeated', { of: 'query', value: name }))
    }
  })
  .meta({
    id: 'LookupNode',
    description:
      'A node that calls an endpoint of the producer; each field of the answer becomes a variable.',
  })

/** Chooses an edge by the variables. */
const BranchNode = z
  .strictObject({ id: NodeId, kind: z.literal('branch').describe('Chooses by the variables.') })
  .meta({ id: 'BranchNode', description: 'A node that follows the first of its edges whose case holds.' })

/** Waits for a time. */
const WaitNode = z
  .strictObject({
    id: NodeId,
    kind: z.literal('wait').describe('Waits for a time.'),
    seconds: Seconds.optional().describe('How long, in seconds.'),
    until: DateTime.optional().describe(
      'Until when, at most a year (366 days) ahead. A past time does not wait.',
    ),
    untilVariable: VariablePath.optional().describe('The variable that holds until when, as `until`.'),
  })
  .refine(
    ({ seconds, until, untilVariable }) =>
      [seconds, until, untilVariable].filter((value) => value !== undefined).length === 1,
    orBroken('not_exactly_one', { fields: ['seconds', 'until', 'untilVariable'] }),
  )
  .meta({
    id: 'WaitNode',
    'x-exactly-one-of': { seconds: [], until: [], untilVariable: [] },
    description: 'A node that waits: for a time, or until one. Exactly one of the three fields is given.',
  })

/** Changes tags of the person. */
const TagNode = z
  .strictObject({
    id: NodeId,
    kind: z.literal('tag').describe('Changes the tags of the person.'),
    add: Tags.optional().describe('Tags to add.'),
    remove: Tags.optional().describe('Tags to remove.'),
  })
  .refine(
    ({ add, remove }) => add !== undefined || remove !== undefined,
    orBroken('nothing_given', { of: 'tags' }),
  )
  .meta({
    id: 'TagNode',
    description:
      'A node that changes tags of the person: `interest:` and `source:`; others only in an administrative unit.',
  })

/** Adds the person to a group. */
const AddToGroupNode = z
  .strictObject({
    id: NodeId,
    kind: z.literal('addToGroup').describe('Adds the person to a group.'),
    groupId: Reference.describe('The id of a static group of the unit.'),
  })
  .meta({ id: 'AddToGroupNode', description: 'A node that adds the person to a static group.' })

/** Takes or gives up a place of a pattern. */
const RegisterNode = z
  .strictObject({
    id: NodeId,
    kind: z.literal('register').describe('Registers the person.'),
    withdraw: z.literal(true).optional().describe('Gives the place up instead of taking one.'),
    waitingList: z
      .strictObject({ messages: Messages })
      .optional()
      .describe(
        'The messages to people on the waiting list. Omitted: no waiting list; the result is `full`.',
      ),
  })
  .meta({
    id: 'RegisterNode',
    description: 'A node that registers the person with the pattern of the scenario.',
  })

/** Waits for a person of the unit. */
const HandoffNode = z
  .strictObject({
    id: NodeId,
    kind: z.literal('handoff').describe('Hands the conversation to a person of the unit.'),
    timeoutSeconds: Seconds.describe('How long it waits for them to close it, in seconds.'),
  })
  .meta({
    id: 'HandoffNode',
    description: 'A node that hands the conversation to a person of the unit and waits until they close it.',
  })

/** Ends the run and begins one of another scenario. */
const JumpNode = z
  .strictObject({
    id: NodeId,
    kind: z.literal('jump').describe('Goes on in another scenario.'),
    scenarioId: Reference.describe('The id of an active scenario of the unit.'),
    variables: VariableNames.optional().describe('The names of the variables to take along. Omitted: none.'),
  })
  .meta({
    id: 'JumpNode',
    description: 'A node that ends the run and starts another scenario with the person.',
  })

/** Ends the run. */
const EndNode = z
  .strictObject({ id: NodeId, kind: z.literal('end').describe('Ends the run.') })
  .meta({ id: 'EndNode', description: 'A node that ends the run.' })

export const ScenarioNode = z
  .discriminatedUnion('kind', [
    MessageNode,
    QuestionNode,
    LookupNode,
    BranchNode,
    WaitNode,
    TagNode,
    AddToGroupNode,
    RegisterNode,
    HandoffNode,
    JumpNode,
    EndNode,
  ])
  .meta({ id: 'ScenarioNode', description: 'One step of a scenario.' })
export type ScenarioNode = z.infer<typeof ScenarioNode>

const scalar = z.union([z.string().max(1_000), z.number(), z.boolean()])

/** The case of an edge. `id`: the name of its schema. */
function caseOf<Kind extends string, Fields extends z.ZodRawShape>(
  kind: Kind,
  description: string,
  fields: Fields,
) {
  const id = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Case`
  return z.strictObject({ kind: z.literal(kind).describe(description), ...fields }).meta({ id, description })
}

const aboutVariable = { variable: VariablePath }

export const EdgeCase = z
  .discriminatedUnion('kind', [
    caseOf('option', 'The person chose this option.', {
      optionId: z.string().min(1).max(1_000).describe('The id of the option.'),
    }),
    caseOf('text', 'The person typed a text that is no option.', {}),
    caseOf('otherwise', 'No other edge of the node holds.', {}),
    caseOf('timeout', 'The time of the node is over.', {}),
    caseOf(
      'error',
      'The node failed, such as a Lookup without an answer or a message that may not be sent.',
      {},
    ),
    caseOf('equals', 'The variable has this value.', {
      ...aboutVariable,
      value: scalar.describe('The value. A number equals the same number written as a text.'),
    }),
    caseOf('oneOf', 'The variable has one of these values.', {
      ...aboutVariable,
      values: z.array(scalar).min(1).max(100).describe('The values, 1 to 100.'),
    }),
    caseOf('atLeast', 'The variable is this number or more.', {
      ...aboutVariable,
      value: z.number().describe('The least number. A text that is a number counts as one.'),
    }),
    caseOf('atMost', 'The variable is this number or less.', {
      ...aboutVariable,
      value: z.number().describe('The greatest number. A text that is a number counts as one.'),
    }),
    caseOf('exists', 'The variable has a value other than null.', aboutVariable),
    caseOf('result', 'The registration ended like this.', {
      result: z.enum(registerResults).describe('How it ended.'),
    }),
  ])
  .meta({ id: 'EdgeCase', description: 'The case in which an edge is followed.' })
export type EdgeCase = z.infer<typeof EdgeCase>

export const ScenarioEdge = z
  .strictObject({
    from: NodeReference.describe('The id of the node that it leaves.'),
    to: NodeReference.describe('The id of the node that it leads to.'),
    when: EdgeCase.optional().describe('The case in which it is followed. Omitted: when the node is done.'),
  })
  .meta({ id: 'ScenarioEdge', description: 'A way from one node to the next.' })
export type ScenarioEdge = z.infer<typeof ScenarioEdge>

/** The nodes and edges of a scenario. */
export const graphFields = {
  nodes: z
    .array(ScenarioNode)
    .min(1)
    .max(limits.nodesPerScenario)
    .describe(`The steps, 1 to ${limits.nodesPerScenario}. The first is the start.`),
  edges: z
    .array(ScenarioEdge)
    .max(limits.edgesPerScenario)
    .describe(`The ways between them, at most ${limits.edgesPerScenario}. They form no circle.`),
}

/** `variables`: those of the scenario; omitted, it has none. */
export type Graph = {
  nodes: ScenarioNode[]
  edges: ScenarioEdge[]
  variables?: { name: string; required: boolean }[] | undefined
}
