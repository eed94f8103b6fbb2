import type { EmailEvent } from '../../contract/webhooks/webhook.ts'
import type { Trx } from '../../db/connect.ts'
import type { WebhookEvent } from '../../db/queries/event/webhook.ts'
import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import { findAddress, suppressAddresses } from '../../db/queries/subject/address.ts'

/** Applies a bounce or a complaint: suppresses the address. */
export async function applyEmailEvent(trx: Trx, event: WebhookEvent, subjectId: string): Promise<string> {
  const { type, permanent = true } = event.payload as EmailEvent
  if (type === 'bounce' && !permanent) return 'recorded'
  const address = event.address ?? (await findAddress(trx, subjectId, 'email'))
  if (address === undefined) return 'unknown_user'
  const suppressed = await suppressAddresses(trx, 'email', [address])
  const subject = { unitId: null, objectKind: 'subject', objectId: subjectId } as const
  if (suppressed.length > 0)
    await insertAudit(trx, { ...subject, actor: 'system:mail', action: 'suppress', reason: type })
  return 'suppressed'
}
