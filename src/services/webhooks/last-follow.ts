import type { Trx } from '../../db/connect.ts'
import { lastFollow } from '../../db/queries/event/webhook.ts'
import { setBlocked, setFirstContact } from '../../db/queries/subject/address.ts'

/**
 * People usually follow the account first and are bound afterwards: what the chat told of the address before anybody knew
 * whose it is holds from now on. How they first came is written where nothing else is known.
 */
export async function applyLastFollow(trx: Trx, subjectId: string, address: string): Promise<void> {
  const last = await lastFollow(trx, address)
  if (!last) return
  await setFirstContact(trx, subjectId, 'chat_follow')
  await setBlocked(trx, { subjectId, channel: 'chat', blocked: last === 'unfollow' })
}
