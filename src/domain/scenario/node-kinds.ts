import type { EdgeKind, NodeKind, RegisterResult } from '../../contract/enums.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { ScenarioNode } from '../../contract/scenarios/graph.ts'
import { isOpenTag } from '../audience/open-tag.ts'
import { actionGroups } from '../content/actions.ts'

/** Without a case, the edge is followed when the node is done. */
export type Exit = EdgeKind | 'done'

/** Where a graph is used: `register` belongs to a pattern's scenario, tags of any namespace to administrative units. */
export type GraphContext = { pattern: boolean; administrative: boolean; variables: readonly string[] }

/** What the rules of graphs and texts know of a kind of node. */
type NodeRules<Node> = {
  /** The edges that it may have. */
  may: readonly Exit[]
  /** Those that it must have. */
  must(node: Node): readonly Exit[]
  /** The results of which each must have an edge. */
  results(node: Node): readonly RegisterResult[]
  /** Whether a run ends there, so that no edge has to lead on. */
  ends: boolean
  /** Variables that it sets, or sends beside those that Carillon sends itself. */
  names(node: Node): readonly string[]
  /** What is not allowed in this place: the node, a tag, or a button that leads to a node without asking. */
  misplaced(node: Node, context: GraphContext): string[]
  /** What it says; `at` turns a path into these messages (`messages[0].text`) into one of the node. */
  texts(node: Node): { messages: CanonicalMessage[]; at: (path: string) => string } | null
}

const silent = {
  must: () => ['done'] as const,
  results: () => [],
  ends: false,
  names: () => [],
  misplaced: () => [],
  texts: () => null,
} satisfies Partial<NodeRules<ScenarioNode>>

const rules: { [Kind in NodeKind]: NodeRules<Extract<ScenarioNode, { kind: Kind }>> } = {
  message: {
    ...silent,
    may: ['done', 'error'],
    misplaced: ({ messages }) => withoutAsking(messages),
    texts: ({ messages }) => ({ messages, at: (path) => path }),
  },
  question: {
    ...silent,
    may: ['option', 'otherwise', 'text', 'timeout', 'error'],
    must: () => ['timeout'],
    names: ({ saveAs }) => (saveAs === undefined ? [] : [saveAs]),
    texts: ({ message }) => ({ messages: [message], at: (path) => path.replace('messages[0]', 'message') }),
  },
  lookup: {
    ...silent,
    may: ['done', 'error'],
    must: () => ['done', 'error'],
    names: ({ variables }) => variables,
  },
  branch: {
    ...silent,
    may: ['equals', 'oneOf', 'atLeast', 'atMost', 'exists', 'otherwise'],
    must: () => ['otherwise'],
  },
  wait: {
    ...silent,
    may: ['done', 'error'],
    // A variable may hold no instant.
    must: ({ untilVariable }) => (untilVariable === undefined ? ['done'] : ['done', 'error']),
  },
  tag: {
    ...silent,
    may: ['done'],
    misplaced: ({ add = [], remove = [] }, { administrative }) =>
      administrative ? [] : [...add, ...remove].filter((tag) => !isOpenTag(tag)),
  },
  addToGroup: { ...silent, may: ['done', 'error'] },
  register: {
    ...silent,
    may: ['result'],
    must: () => [],
    results: ({ withdraw, waitingList }) =>
      withdraw
        ? ['withdrawn', 'closed']
        : ['registered', 'full', 'closed', ...(waitingList ? ['withdrawn' as const] : [])],
    misplaced: ({ waitingList }, { pattern }) => [
      ...(pattern ? [] : ['register']),
      ...withoutAsking(waitingList?.messages ?? []),
    ],
    texts: ({ waitingList }) =>
      waitingList ? { messages: waitingList.messages, at: (path) => `waitingList.${path}` } : null,
  },
  handoff: { ...silent, may: ['done', 'timeout'], must: () => ['done', 'timeout'] },
  jump: { ...silent, may: ['error'], must: () => [], ends: true, names: ({ variables = [] }) => variables },
  end: { ...silent, may: [], must: () => [], ends: true },
}

export function rulesOf(node: ScenarioNode): NodeRules<ScenarioNode> {
  return rules[node.kind] as NodeRules<ScenarioNode>
}

/** The nodes to which the buttons of messages lead. */
export function leadingActions(messages: CanonicalMessage[]): string[] {
  return actionGroups(messages)
    .flat()
    .flatMap(({ action }) => (action.kind === 'nextNode' ? [action.nodeId] : []))
}

function withoutAsking(messages: CanonicalMessage[]): string[] {
  return leadingActions(messages).length > 0 ? ['nextNode'] : []
}
