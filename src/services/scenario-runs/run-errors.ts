import type { NodeError } from '../../contract/scenarios/node-error.ts'
import { observeRun } from '../../db/queries/scenario-run/observe-run.ts'
import { listTurns, type StepRow } from '../../db/queries/scenario-run/records.ts'
import { tracedLookups } from '../../db/queries/trace/run.ts'
import { errorEdge } from '../../domain/scenario/answered-way.ts'
import { refusalsAt } from '../../domain/scenario/lookup-answer.ts'
import type { Services } from '../context.ts'
import { configured } from './compile-turn.ts'
import { factsOfRun } from './facts-of-run.ts'

type RunServices = Pick<Services, 'db' | 'channels' | 'rendering' | 'links' | 'publicUrl'>

/** A run whose errors are asked for. */
type Read = { id: string; state: string; node: string; reason: string | null }

/**
 * What went wrong at the nodes of a run: at those that took their edge for errors, where it failed, and what it could not
 * keep of the answers of Lookups. The faults of texts
 * are found when they are read, from what the run knows (docs/design/scenarios.md): after an erasure, and past
 * retention, the reason of its end is all that is left.
 */
export async function errorsOf(
  services: RunServices,
  run: Read,
  steps: readonly StepRow[],
): Promise<NodeError[]> {
  const left = steps.flatMap(({ node, edge }) => (edge === errorEdge ? [node] : []))
  const failed = run.state === 'failed' ? [run.node] : []
  const nodes = [...left, ...failed]
  const lookups = await tracedLookups(services.db, run.id)
  const refused = lookups.flatMap(({ node, refused }) => refusalsAt(node, refused ?? []))
  if (nodes.length === 0) return refused
  const observation = await observeRun(services.db, run.id)
  const turns = await listTurns(services.db, run.id)
  const turnAt = (node: string) => turns.find(({ lastNode, state }) => lastNode === node && state !== 'sent')
  const unsent = nodes.filter((node) => !turnAt(node))
  const reasons =
    observation && unsent.length > 0 ? await undeliverableNow(services, observation, unsent) : []
  const errors = nodes.map((node): NodeError => {
    const turn = turnAt(node)
    const unsaid = reasons[unsent.indexOf(node)] ?? null
    const lookup = lookups.find((one) => one.node === node)
    const ended = failed.includes(node) ? run.reason : null
    const stepReason = steps.find((step) => step.node === node)?.reason
    const reason = ended ?? stepReason ?? turn?.reason ?? unsaid?.reason ?? lookup?.outcome ?? null
    return { node, reason, faults: unsaid?.faults ?? [] }
  })
  const order = steps.map(({ node }) => node)
  return [...errors, ...refused].sort((one, other) => order.indexOf(one.node) - order.indexOf(other.node))
}

/** Why each of the nodes cannot be said now; null: it can, or has no texts. */
function undeliverableNow(
  services: RunServices,
  { facts, now, speaking, run, channels: plan }: NonNullable<Awaited<ReturnType<typeof observeRun>>>,
  nodes: string[],
) {
  return services.rendering.run(run.unitId, 'unsaid', {
    nodes,
    facts: factsOfRun(services, { facts, run }),
    now,
    speaking,
    plan,
    configured: configured(services.channels),
  })
}
