import { randomUUID } from 'node:crypto'
import type { TestedCallback } from '../../contract/callbacks/callback.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { requireSecrets } from '../secret-box.ts'
import { assertMayEdit } from '../unit-access.ts'
import { findOwnCallback } from './callbacks.ts'
import { postCallback } from './post.ts'

/**
 * Sends one signed request now, even to a disabled callback, and returns the result. Changes nothing.
 * @throws ServiceError not_found, forbidden, not_configured
 */
export async function testCallback(
  services: Services,
  principal: Principal,
  id: string,
): Promise<TestedCallback> {
  const row = await findOwnCallback(services, principal, id)
  const { unit_id: unitId, url, secret } = row
  assertMayEdit(principal, unitId)
  const secrets = requireSecrets(services)
  const audit = { unitId, actor: actorOf(principal), action: 'test' }
  await insertAudit(services.db, { ...audit, objectKind: 'callback', objectId: row.id })

  const data = { callbackId: row.id, unitId }
  const body = JSON.stringify({ type: 'callback.test', timestamp: new Date().toISOString(), data })
  const begun = performance.now()
  const { outbound } = services
  const { status, code } = await postCallback(
    { outbound, secrets },
    { id: randomUUID(), url, body },
    { unitId, secret, oldSecret: null },
  )
  return {
    delivered: code === null,
    httpStatus: status,
    reason: code,
    durationMs: Math.round(performance.now() - begun),
  }
}
