import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { beginLookup, endLookup, findLookup, type LookupAt } from '../../db/queries/lookup/lookup.ts'
import { hasInexactNumber } from '../../domain/lib/json-values.ts'
import { countLookup, observeLookup } from '../../metrics/lookups.ts'
import type { Services } from '../context.ts'
import { type LookedUp, lookUp } from './look-up.ts'
import { lookupWay } from './way.ts'

type Parts = Pick<Services, 'db' | 'outbound' | 'signingKeys' | 'log'>

/** The run whose Lookup is made, and how. */
export type RunLookup = {
  runId: string
  /** Whether a call may still begin; one that may not is made by another worker. */
  mayBegin: () => boolean
  /** What the outcome does to the run, in the transaction that stores it. Called once for each Lookup. */
  settle: (trx: Trx, node: string, result: LookedUp) => Promise<void>
}

/**
 * Makes the Lookup of a run once. The attempt is stored before the call: where a worker was lost in it, the outcome is
 * `timeout`. Does nothing if the Lookup has an outcome, or the run is at none any more. Returns after how many ms
 * to try again, where it is not the turn of this run at its origin; null: there is no need to.
 */
export async function performLookup(parts: Parts, lookup: RunLookup): Promise<number | null> {
  const { runId, mayBegin } = lookup
  const at = await findLookup(parts.db, runId)
  if (!at || !mayBegin()) return null
  const node = at.node.id
  const { origin } = new URL(at.node.url)
  const begun = await beginLookup(parts.db, { runId, node, origin })
  if (begun === 'over') return null
  if (typeof begun === 'object') return begun.waitMs
  const result: LookedUp = begun === 'lost' ? { outcome: 'timeout' } : await call(parts, runId, at)
  await end(parts, lookup, node, result)
  return null
}

async function call(
  parts: Parts,
  runId: string,
  { unitId, scenarioId, subjectId: subject, uid, node, variables }: LookupAt,
): Promise<LookedUp> {
  const { method, url } = node
  const way = await lookupWay(parts, parts.db, unitId, url)
  if ('rule' in way) return { outcome: 'network' }
  const names = node.variables.filter((name) => Object.hasOwn(variables, name))
  const named = Object.fromEntries(names.map((name) => [name, variables[name]]))
  // The producer would be asked about another order than the one that was meant.
  if (hasInexactNumber(named)) return { outcome: 'shape' }
  const sent = way.sendUid && method === 'POST' ? uid : undefined
  if (sent !== undefined) {
    const about = { unitId, objectKind: 'scenario_run', objectId: runId } as const
    const details = { node: node.id, origin: new URL(url).origin, subjectId: subject }
    await insertAudit(parts.db, { ...about, actor: `scenario:${scenarioId}`, action: 'send_uid', details })
  }
  const startedAt = performance.now()
  const call = { method, url, subject, uid: sent, variables: named, key: way.key }
  const result = await lookUp(parts.outbound, call)
  observeLookup(startedAt)
  return result
}

async function end(
  { db }: Parts,
  { runId, settle }: RunLookup,
  node: string,
  result: LookedUp,
): Promise<void> {
  const ended = await db.transaction().execute(async (trx) => {
    if (!(await endLookup(trx, runId, node, result))) return false
    await settle(trx, node, result)
    return true
  })
  if (ended) countLookup(result.outcome)
}
