import type { Trx } from '../../db/connect.ts'
import { lastFollow } from '../../db/queries/event/webhook.ts'
import type { ToldRun } from '../wake-scenario-runs.ts'
import { startByFollow } from './start-by-person.ts'

/**
 * Starts the scenario that begins with a follow, for a person whose address is bound within a day of it. Only where the
 * person's own doing binds it: never at an import. Returns the runs to wake.
 */
export async function startByLastFollow(trx: Trx, subjectId: string, address: string): Promise<ToldRun[]> {
  const last = await lastFollow(trx, address)
  return last?.type === 'follow' && last.recent
    ? startByFollow(trx, { subjectId, webhookEventId: last.id })
    : []
}
