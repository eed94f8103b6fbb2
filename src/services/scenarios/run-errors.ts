import type { NodeError } from '../../contract/scenarios/node-error.ts'
import { tracedLookups } from '../../db/queries/maintenance/trace-run.ts'
import { observeRun } from '../../db/queries/scenario/observe-run.ts'
import { listTurns, type StepRow } from '../../db/queries/scenario/records.ts'
import { surroundingsOf } from '../../domain/scenario/advance.ts'
import { errorEdge } from '../../domain/scenario/answered-way.ts'
import { unsaidAt } from '../../domain/scenario/walk.ts'
import type { Services } from '../context.ts'
import { carriersAmong } from './compile-turn.ts'

/** A run whose errors are asked for. */
type Read = { id: string; state: string; node: string; reason: string | null }

/**
 * What went wrong at the nodes of a run: at those that took their edge for errors, and where it failed. The texts are
 * judged when they are read, from what the run knows (docs/decisions/0095-why-a-run-failed.md): after an erasure, and past
 * retention, the reason of its end is all that is left.
 */
export async function errorsOf(
  services: Pick<Services, 'db' | 'channels'>,
  run: Read,
  steps: readonly StepRow[],
): Promise<NodeError[]> {
  const left = steps.flatMap(({ node, edge }) => (edge === errorEdge ? [node] : []))
  const failed = run.state === 'failed' ? [run.node] : []
  const nodes = [...left, ...failed]
  if (nodes.length === 0) return []
  const seen = await observeRun(services.db, run.id)
  const turns = await listTurns(services.db, run.id)
  const lookups = await tracedLookups(services.db, run.id)
  return nodes.map((node) => {
    const turn = turns.find(({ lastNode, state }) => lastNode === node && state !== 'sent')
    const unsaid = turn || !seen ? null : unsaidNow(services, seen, node)
    const lookup = lookups.find((one) => one.node === node)
    const ended = failed.includes(node) ? run.reason : null
    const reason = ended ?? turn?.reason ?? unsaid?.reason ?? lookup?.outcome ?? null
    return { node, reason, faults: unsaid?.faults ?? [] }
  })
}

type Observed = NonNullable<Awaited<ReturnType<typeof observeRun>>>

/** Each channel is judged by itself: which of them this process has, and which the person, may have changed since. */
function unsaidNow(
  services: Pick<Services, 'channels'>,
  { facts, now, speaking, channels }: Observed,
  node: string,
) {
  const judges = channels.map((channel) => carriersAmong(services, speaking, [channel]))
  return unsaidAt(facts.scenario.graph, node, facts.values, surroundingsOf(facts, now), {
    carriersOf: (says) => {
      const judged = judges.map((carriersOf) => carriersOf(says))
      const refused = judged.flatMap((one) => (Array.isArray(one) ? [] : [one]))
      return refused[0] ? { ...refused[0], faults: refused.flatMap(({ faults }) => faults) } : channels
    },
  })
}
