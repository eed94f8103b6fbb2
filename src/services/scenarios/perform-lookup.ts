import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../contract/errors.ts'
import type { Trx } from '../../db/connect.ts'
import { beginLookup, endLookup, findLookup, type LookupAt } from '../../db/queries/scenario/lookup.ts'
import { hasInexactNumber } from '../../domain/json-values.ts'
import { countLookup, observeLookup } from '../../temporal/lookup-metrics.ts'
import type { Services } from '../context.ts'
import { type LookedUp, lookUp } from './look-up.ts'
import { lookupWay } from './lookup-way.ts'
import type { OriginTurns } from './origin-turns.ts'

type Parts = Pick<Services, 'db' | 'outbound' | 'signingKeys' | 'log'>

/** The Lookup that a run is at, and how it is made. */
export type RunLookup = {
  runId: string
  node: string
  turns: OriginTurns
  /** Whether a call may still begin; one that may not is made by another worker. */
  mayBegin: () => boolean
  /** What the outcome does to the run, in the transaction that stores it. Called once for each Lookup. */
  settle: (trx: Trx, result: LookedUp) => Promise<void>
}

/**
 * Makes the Lookup of a run once. The attempt is stored before the call: where a worker was lost in it, the outcome is
 * `timeout`. Does nothing if the Lookup has an outcome, or the run is not at the node any more.
 * @throws ServiceError unavailable if the origin's other Lookups take too long; nothing is stored then
 */
export async function performLookup(parts: Parts, lookup: RunLookup): Promise<void> {
  const { runId, node, turns } = lookup
  const at = await findLookup(parts.db, runId, node)
  if (!at) return
  const { origin } = new URL(at.node.url)
  await turns(origin, async () => {
    const begun = await begin(parts, lookup, origin)
    if (begun === 'over') return
    const result: LookedUp = begun === 'lost' ? { outcome: 'timeout' } : await call(parts, at)
    await end(parts, lookup, result)
  })
}

/** How long a Lookup waits for those of other workers, and how often it looks whether it may begin (ms). */
const placeWaitMs = 5_000
const placeLookMs = 500

async function begin(
  { db }: Parts,
  { runId, node, mayBegin }: RunLookup,
  origin: string,
): Promise<'begun' | 'lost' | 'over'> {
  const until = performance.now() + placeWaitMs
  while (mayBegin()) {
    const begun = await beginLookup(db, { runId, node, origin })
    if (begun !== 'busy') return begun
    if (performance.now() >= until)
      throw new ServiceError('unavailable', 'The origin has as many Lookups under way as it may have.')
    await sleep(placeLookMs)
  }
  return 'over'
}

async function call(
  parts: Parts,
  { unitId, subjectId: subject, node, variables }: LookupAt,
): Promise<LookedUp> {
  const { method, url } = node
  const way = await lookupWay(parts, parts.db, unitId, url)
  if (typeof way === 'string') return { outcome: 'network' }
  const given = node.variables.filter((name) => Object.hasOwn(variables, name))
  const named = Object.fromEntries(given.map((name) => [name, variables[name]]))
  // The producer would be asked about another order than the one that was meant.
  if (hasInexactNumber(named)) return { outcome: 'shape' }
  const startedAt = performance.now()
  const result = await lookUp(parts.outbound, { method, url, subject, variables: named, key: way.key })
  observeLookup(startedAt)
  return result
}

async function end({ db }: Parts, { runId, node, settle }: RunLookup, result: LookedUp): Promise<void> {
  const ended = await db.transaction().execute(async (trx) => {
    if (!(await endLookup(trx, runId, node, result))) return false
    await settle(trx, result)
    return true
  })
  if (ended) countLookup(result.outcome)
}
