import type { Trx } from '../../db/connect.ts'
import { lastFollow } from '../../db/queries/event/webhook.ts'
import { setBlocked, setFirstContact } from '../../db/queries/subject/address.ts'

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
