import type { Trace, TraceQuery } from '../../contract/trace.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import { findMessage } from '../../db/queries/message/message.ts'
import { findRun } from '../../db/queries/scenario-run/records.ts'
import { runNamesRefusal, traceRefusal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { toInstant } from '../instants.ts'
import { refuse } from '../refuse.ts'
import { noSuchSubject, subjectNamed } from '../subjects/find.ts'
import { findInUnits } from '../unit-access.ts'
import { traceRun } from './run.ts'
import { trace } from './trace.ts'
import type { TraceEntry } from './words.ts'

/**
 * Explains a message for one person. The audit log records who asked.
 * @throws ServiceError not_found, forbidden
 */
export async function readMessageTrace(
  { db }: Services,
  principal: Principal,
  id: string,
  { uid }: TraceQuery,
): Promise<Trace> {
  const { message } = await findInUnits(db, principal, id, 'message', findMessage)
  const unit = await findUnit(db, message.unit_id)
  refuse(traceRefusal(principal, message.unit_id, unit!.kind))
  const subjectId = await subjectNamed(db, uid)
  if (!subjectId) throw noSuchSubject()
  return toTrace(await trace(db, actorOf(principal), message.id, subjectId))
}

/**
 * Explains a run. The audit log records who asked.
 * @throws ServiceError not_found, forbidden
 */
export async function readRunTrace(services: Services, principal: Principal, id: string): Promise<Trace> {
  const run = await findInUnits(services.db, principal, id, 'run', findRun)
  refuse(runNamesRefusal(principal, run.unitId, run.unitKind))
  return toTrace((await traceRun(services, actorOf(principal), run.id)) ?? [])
}

function toTrace(entries: readonly TraceEntry[]): Trace {
  return { items: entries.map(({ at, ...entry }) => ({ at: toInstant(at), ...entry })) }
}
