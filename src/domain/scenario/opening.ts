import type { Graph, ScenarioNode } from '../../contract/scenarios/graph.ts'
import { firstName } from '../content/text-names.ts'
import type { NodeMessages } from './deliverable-channels.ts'
import { edgesFrom } from './edges.ts'
import { isPublic } from './public-text.ts'
import type { RunContext, RunValues } from './values.ts'
import { type Speech, walk } from './walk.ts'

/**
 * How a conversation begins for whoever opens a link to it. `asks`: the question that can be answered at once; null: the
 * page only starts. `over`: nothing follows what it says.
 */
export type Opening = { says: NodeMessages[]; asks: string | null; over: boolean }

/** What a page shows that cannot say how its conversation begins. */
export const closedOpening: Opening = { says: [], asks: null, over: false }

/**
 * The beginning of a conversation as it reads for everybody, since a link may be opened by anybody it was forwarded to: up to
 * the first question. A way that depends on the person, or a text that names something of theirs, is not shown. Pure.
 */
export function openingOf(
  graph: Graph,
  values: RunValues,
  context: RunContext,
  now: number,
  speech: Speech,
): Opening {
  const { stop, steps } = walk(graph, { node: graph.nodes[0]!.id }, values, context, now, speech)
  const passed = new Set(steps.map(({ node }) => node))
  if (graph.nodes.some((node) => passed.has(node.id) && asksPerson(graph, node))) return closedOpening
  if (stop.kind !== 'say' && stop.kind !== 'ask') return closedOpening
  if (!isPublic(graph, stop.says)) return closedOpening
  if (stop.kind === 'ask') return { says: stop.says, asks: stop.node, over: false }
  const after = { node: stop.node, outcome: { kind: 'done' } } as const
  const { stop: next } = walk(graph, after, values, context, now, speech)
  return { says: stop.says, asks: null, over: next.kind === 'end' }
}

/** Whether the way out of a node depends on the person. Where they stand in the pattern is read again by their own run. */
function asksPerson({ edges }: Graph, { id, kind }: ScenarioNode): boolean {
  if (kind !== 'branch') return false
  return edgesFrom(edges, id).some(
    ({ when }) => when && 'variable' in when && ['person', 'subject'].includes(firstName(when.variable)),
  )
}
