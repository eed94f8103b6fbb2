import type { Logger } from 'pino'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit.ts'
import { disableCallback } from '../../db/queries/callback.ts'
import type { DueDelivery } from '../../db/queries/callback-due.ts'
import {
  endDelivery,
  lockTried,
  noteFailure,
  noteSuccess,
  postponeDelivery,
} from '../../db/queries/callback-tried.ts'
import { nextTryIn } from '../../domain/callback-schedule.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SecretBox } from '../secret-box.ts'
import { payloadOf } from './payload.ts'
import { postCallback, type Tried } from './post.ts'

export type DeliverParts = { db: Db; outbound: Outbound; secrets: SecretBox; log: Logger }

/** Tries one delivery that was taken, and writes down how it went. */
export async function deliver(parts: DeliverParts, delivery: DueDelivery): Promise<void> {
  const told = { id: delivery.id, url: delivery.url, body: payloadOf(delivery) }
  const tried = await postCallback(parts, told, delivery)
  const ended = await parts.db.transaction().execute(async (trx) => {
    const waiting = await lockTried(trx, delivery)
    if (!waiting) return 'nothing'
    if (tried.code === null) {
      await endDelivery(trx, delivery.id, 'delivered', tried)
      await noteSuccess(trx, delivery.callbackId)
      return 'delivered'
    }
    const wait = tried.code === 'gone' ? null : nextTryIn(waiting.tries, waiting.ageSeconds)
    await noteFailure(trx, delivery.callbackId, wait === null)
    if (wait !== null) {
      await postponeDelivery(trx, delivery, wait, tried)
      return 'postponed'
    }
    await endDelivery(trx, delivery.id, 'failed', tried)
    if (tried.code === 'gone') await switchOff(trx, delivery)
    return 'given up'
  })
  logEnd(parts.log, delivery, tried, ended)
}

/** 410 Gone says: never again (Standard Webhooks). */
async function switchOff(trx: Trx, { callbackId, unitId }: DueDelivery) {
  await disableCallback(trx, callbackId, 'gone')
  const audit = { unitId, actor: 'system:run', action: 'disable', reason: 'gone' }
  await insertAudit(trx, { ...audit, objectKind: 'callback', objectId: callbackId })
}

function logEnd(log: Logger, { id, callbackId, unitId, tries }: DueDelivery, tried: Tried, ended: string) {
  if (ended === 'given up')
    log.warn({ deliveryId: id, callbackId, unitId, tries, ...tried }, 'A callback did not take a delivery')
}
