import type { Trx } from '../../db/connect.ts'
import { lastFollow } from '../../db/queries/event/webhook.ts'
import { setBlocked, setFirstContact } from '../../db/queries/subject/address.ts'
import { startByFollow } from '../scenario-runs/start-by-person.ts'
import type { ToldRun } from '../wake-scenario-runs.ts'

/**
 * Applies the last follow or unfollow of a chat address when it is bound: people usually follow the account before
 * that. Sets the first contact if it is unknown.
 */
export async function applyLastFollow(trx: Trx, subjectId: string, address: string): Promise<void> {
  const last = await lastFollow(trx, address)
  if (!last) return
  await setFirstContact(trx, subjectId, 'chat_follow')
  await setBlocked(trx, { subjectId, channel: 'chat', blocked: last.type === 'unfollow' })
}

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
