import type { EmailEvent } from '../../contract/webhooks.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import type { WebhookEvent } from '../../db/queries/event/webhook.ts'
import { findAddress } from '../../db/queries/subject/address.ts'
import type { Services } from '../context.ts'
import { handleBounce } from '../suppression/handle-bounce.ts'
import { suppressAddresses } from '../suppression/suppress.ts'

/**
 * Applies a bounce or a complaint: suppresses the address, whether or not it is bound. An event that names a message
 * instead is about the address of its recipient. A bounce of a doubted server is `doubted`: it suppresses no address.
 */
export async function applyEmailEvent(
  services: Pick<Services, 'secrets' | 'log' | 'mailServer'> & { db: Trx },
  event: WebhookEvent,
  subjectId: string | null,
): Promise<string> {
  const { db: trx } = services
  const { type, permanent = true } = event.payload as EmailEvent
  if (event.address === null && subjectId === null) return 'ignored'
  if (type === 'bounce' && !permanent) return 'recorded'
  const address = event.address ?? (await findAddress(trx, subjectId!, 'email'))
  if (address === undefined) return 'unknown_user'
  const suppressed =
    type === 'bounce'
      ? await handleBounce(services, address)
      : await suppressAddresses(services, { channel: 'email', why: type, addresses: [address] })
  if (suppressed === null) return 'doubted'
  for (const objectId of suppressed) {
    const subject = { unitId: null, objectKind: 'subject', objectId } as const
    await insertAudit(trx, { ...subject, actor: 'system:mail', action: 'suppress', reason: type })
  }
  return 'suppressed'
}
