import { limits } from '../../contract/limits.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { findLedTo, type LedTo, lockJumps } from '../../db/queries/scenario-run/jumps.ts'
import { isId } from '../../domain/lib/id.ts'
import type { GraphProblem } from '../../domain/scenario/graph-problems.ts'
import { graphTexts } from '../../domain/scenario/graph-texts.ts'
import { jumpsOf, type StartCost, startCost, unattendedCircle } from '../../domain/scenario/jumps.ts'
import { dagInvalid } from './check-content.ts'

/** A version, stored or not. `id`: of its scenario; null: it is not stored. */
type Version = { id: string | null; unitId: string; content: ScenarioContent }

/**
 * Where a version leads by its jumps. `cost`: what one start of it costs at most, with all that they begin, as far as it is
 * read. `problems`: the jumps by which a conversation would come back to it without an answer of the person, and those that
 * lead to more scenarios than may be.
 */
export type Leads = { cost: StartCost; problems: GraphProblem[] }

/** Where a version leads by its jumps, among the scenarios of its unit as they are now. */
export async function leadsOf(db: Db, { id, unitId, content }: Version): Promise<Leads> {
  const own = jumpsOf(content)
  const ids = own.jumps.map(({ to }) => to).filter((to) => to !== id && isId(to))
  const others =
    ids.length === 0 ? new Map<string, LedTo>() : await findLedTo(db, unitId, ids, limits.scenariosLedTo)
  const jumpsById = new Map([...others].map(([one, { jumps }]) => [one, jumps]))
  const inForce = new Map([...jumpsById].filter(([one]) => others.get(one)?.inForce))
  const circle = id === null ? null : unattendedCircle(id, own, inForce)
  return {
    cost: startCost(id ?? '', own, jumpsById),
    problems: [
      ...(circle === null ? [] : circleProblems(content, circle, others)),
      ...(others.size > limits.scenariosLedTo ? reachProblems(content) : []),
    ],
  }
}

/** All its jumps together lead too far. */
function reachProblems({ nodes }: ScenarioContent): GraphProblem[] {
  const message = graphTexts.jump_reach({})
  return nodes.flatMap((node) =>
    node.kind === 'jump' ? [{ rule: 'jump_reach' as const, node: node.id, message }] : [],
  )
}

/** The jumps by which a version goes round in a circle, each a problem of its graph. */
function circleProblems(
  { nodes }: ScenarioContent,
  [id, ...through]: string[],
  others: Map<string, LedTo>,
): GraphProblem[] {
  const next = through[0] ?? id
  const names = through.map((one) => `“${others.get(one)?.name ?? one}”`).join(' → ')
  return nodes.flatMap((node) =>
    node.kind === 'jump' && node.scenarioId.toLowerCase() === next
      ? [{ rule: 'jump_circle', node: node.id, message: graphTexts.jump_circle({ names }) }]
      : [],
  )
}

/**
 * Checks that a version that comes in force leads to no more scenarios than may be, and closes no circle of jumps in which
 * the person is never asked: one start would push without end. A circle may be closed by any scenario of it, so it is judged
 * whenever a version comes in force.
 * @throws ServiceError dag_invalid
 */
export async function assertJumpsEnd(
  trx: Trx,
  version: { id: string; unitId: string; content: ScenarioContent },
): Promise<void> {
  if (!version.content.nodes.some(({ kind }) => kind === 'jump')) return
  await lockJumps(trx, version.unitId)
  const { problems } = await leadsOf(trx, version)
  if (problems.length > 0) throw dagInvalid(problems)
}
