import type { ScenarioNode } from '../../contract/scenarios/graph.ts'
import { failureNode } from './failure.ts'
import { farewellNode } from './farewell.ts'

/**
 * What the way of a run tells of its person: the edge out of a question is an answer, that out of a branch is what is known
 * of them, that out of a registration whether they have a place. Callers who may not read answers read the way up to
 * the first of these (docs/design/conversations.md). Other nodes are left by what happened to what was said or asked.
 */
export const answeringKinds = ['question', 'branch', 'register'] as const satisfies ScenarioNode['kind'][]

/** The edge for errors, as the path of a run holds it: what went wrong is nobody's answer. */
export const errorEdge = JSON.stringify({ kind: 'error' })

/** A node on the path of a run, and the edge by which it was left; null: the run is there, or ended there. */
type PathStep = { node: string; edge: string | null; to: string | null; leftAt: Date | null }

/**
 * The beginning of a path that tells no answer: its last step does not tell when and by which edge it was left. `cut`:
 * the run went on from there. Pure.
 */
export function wayBeforeAnswers<Step extends PathStep>(
  path: readonly Step[],
  nodes: readonly Pick<ScenarioNode, 'id' | 'kind'>[],
): { path: Step[]; cut: boolean } {
  const kinds = new Map(nodes.map(({ id, kind }) => [id, kind]))
  const answering: readonly (string | undefined)[] = answeringKinds
  const first = path.findIndex(
    ({ node, edge }) => edge !== null && edge !== errorEdge && answering.includes(kinds.get(node)),
  )
  if (first === -1) return { path: [...path], cut: false }
  const last = { ...path[first]!, edge: null, to: null, leftAt: null }
  return { path: [...path.slice(0, first), last], cut: true }
}

/**
 * Whether what stands at a node of a run may be shown with this much of its path. A farewell is said to everybody, and
 * a failure says nothing of answers.
 */
export function isOnWay(path: readonly { node: string }[], node: string): boolean {
  return node === farewellNode || node === failureNode || path.some((step) => step.node === node)
}
