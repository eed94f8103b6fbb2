import type { Logger } from 'pino'
import type { PlanMode } from '../../contract/enums.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { announceAnswers } from '../../db/queries/callback/answers.ts'
import { disableCallback } from '../../db/queries/callback/callback.ts'
import {
  type DueDelivery,
  endDelivery,
  lockTriedDelivery,
  postponeDelivery,
  recordFailure,
  recordSuccess,
  type WaveStats,
} from '../../db/queries/callback/delivery.ts'
import { type FailedDelivery, findFailures } from '../../db/queries/callback/failures.ts'
import { statsOf } from '../../domain/message/stats.ts'
import { inSpan } from '../../tracing/spans.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SecretBox } from '../secret-box.ts'
import { postCallback, type TryResult } from './post.ts'

export type DeliverDeps = { db: Db; outbound: Outbound; secrets: SecretBox; log: Logger }

/** The result of a delivery that names a person to a callback that may not name people any more: nothing is sent. */
const withheld: TryResult = { status: null, code: 'individual_targeting_disabled' }

/** The result of an internal error, during the try or while recording it. It counts as a failed try. */
const internal: TryResult = { status: null, code: 'internal' }

/** Tries one claimed delivery, and records the result. */
export async function deliver(parts: DeliverDeps, delivery: DueDelivery): Promise<void> {
  const { db, log } = parts
  const failed = (err: unknown) =>
    log.warn({ deliveryId: delivery.id, err }, 'A callback delivery failed unexpectedly')
  const result = await tracedDelivery(parts, delivery).catch((err: unknown) => {
    failed(err)
    return internal
  })
  const note = (how: TryResult) => db.transaction().execute((trx) => recordTry(trx, delivery, how))
  const ended = await note(result).catch((err: unknown) => {
    failed(err)
    return note(internal)
  })
  logEnd(log, delivery, result, ended)
}

/** Records a try in the trace that its message stands in. */
function tracedDelivery(parts: DeliverDeps, delivery: DueDelivery): Promise<TryResult> {
  const { id, callbackId, messageId, run, objectId, tries, traceparent: parent } = delivery
  const attributes = {
    'carillon.callback.id': callbackId,
    'carillon.callback_delivery.id': id,
    ...(objectId === null && { 'carillon.run.kind': run === null ? 'message' : 'scenario' }),
    ...(objectId === null && { 'carillon.run.id': messageId ?? run!.id }),
    'carillon.attempt': tries,
  }
  return inSpan('callback deliver', { parent, attributes }, async (span) => {
    const result = await postDelivery(parts, delivery)
    if (result.code !== null) span?.fail(result.code)
    return result
  })
}

async function postDelivery(parts: DeliverDeps, delivery: DueDelivery): Promise<TryResult> {
  const failures = failuresIn(delivery)
  const namesPeople = delivery.subjectId !== null || failures !== null
  if (namesPeople && !delivery.mayNamePeople) return withheld
  if (delivery.uid !== null) await auditUid(parts.db, delivery)
  const failed = failures && (await findFailures(parts.db, failures.batches))
  if (failed) await auditUids(parts.db, delivery, failed.length)
  const body = payloadOf(delivery, failed ?? [])
  return postCallback(parts, { id: delivery.id, url: delivery.url, body }, delivery)
}

/** The batches of a report of failed deliveries; null: it is none. */
function failuresIn({ data }: DueDelivery) {
  return data !== null && 'batches' in data ? data : null
}

/** Of a report that names many people, their number. */
async function auditUids(db: Db, { id, callbackId, unitId, type }: DueDelivery, count: number) {
  const about = { unitId, objectKind: 'callback', objectId: callbackId } as const
  const details = { type, deliveryId: id, count }
  await insertAudit(db, { ...about, actor: 'system:run', action: 'send_uid', details })
}

/** Each try may have arrived. */
async function auditUid(db: Db, { id, callbackId, unitId, type, subjectId }: DueDelivery) {
  const about = { unitId, objectKind: 'callback', objectId: callbackId } as const
  const details = { type, deliveryId: id, subjectId }
  await insertAudit(db, { ...about, actor: 'system:run', action: 'send_uid', details })
}

async function recordTry(trx: Trx, delivery: DueDelivery, result: TryResult) {
  const waiting = await lockTriedDelivery(trx, delivery)
  if (!waiting) return 'nothing'
  if (result.code === null) {
    await endDelivery(trx, delivery.id, 'delivered', result)
    await recordSuccess(trx, delivery.callbackId)
    return 'delivered'
  }
  if (result === withheld) {
    await endDelivery(trx, delivery.id, 'failed', result)
    if (delivery.messageId !== null && delivery.type === 'message.answered')
      await announceAnswers(trx, [delivery.callbackId], delivery.messageId)
    return 'withheld'
  }
  const wait = result.code === 'gone' ? null : secondsUntilRetry(waiting.tries, waiting.ageSeconds)
  await recordFailure(trx, delivery.callbackId, wait === null)
  if (wait !== null) {
    await postponeDelivery(trx, delivery, wait, result)
    return 'postponed'
  }
  await endDelivery(trx, delivery.id, 'failed', result)
  if (result.code === 'gone') await disableGone(trx, delivery)
  return 'exhausted'
}

/** 410 Gone disables a callback (Standard Webhooks). */
async function disableGone(trx: Trx, { callbackId, unitId }: DueDelivery) {
  if (!(await disableCallback(trx, callbackId, 'gone'))) return
  const audit = { unitId, actor: 'system:run', action: 'disable', reason: 'gone' }
  await insertAudit(trx, { ...audit, objectKind: 'callback', objectId: callbackId })
}

function logEnd(
  log: Logger,
  { id, callbackId, unitId, tries }: DueDelivery,
  result: TryResult,
  ended: string,
) {
  if (ended === 'exhausted')
    log.warn(
      { deliveryId: id, callbackId, unitId, tries, ...result },
      'A callback delivery failed and will not be retried',
    )
}

/**
 * Waits between the tries of one delivery, in seconds: a first try and seven more over a day and four hours, as
 * Standard Webhooks recommends. A message's deliveries keep their order, so a later one waits for an earlier one.
 */
const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const

/** Maximum age of a delivery, in seconds: one that waited for others is exhausted with them, not a day later. */
const lifetime = waits.reduce<number>((sum, wait) => sum + wait, 0)

/**
 * Seconds until the next try after `tries` failed ones, the last of them `age` seconds after the delivery was written;
 * null: exhausted.
 */
function secondsUntilRetry(tries: number, age: number): number | null {
  const wait = waits[tries - 1]
  return wait === undefined || age >= lifetime ? null : wait
}

/**
 * The body of a callback: ids, states, counts and chosen options, never names, addresses or texts. Every try sends the
 * same. `failures`: what a report of failed deliveries is about.
 */
export function payloadOf(delivery: DueDelivery, failures: FailedDelivery[] = []): string {
  const { type, at } = delivery
  return JSON.stringify({ type, timestamp: at.toISOString(), data: dataOf(delivery, failures) })
}

function dataOf({ type, unitId, ...delivery }: DueDelivery, failures: FailedDelivery[]) {
  const { messageId, reference, run, objectId, subjectId, uid, state, from, version, data } = delivery
  const about = { messageId, unitId, reference }
  const aboutRun = { runId: run?.id, scenarioId: run?.scenarioId, version: run?.version, unitId }
  switch (type) {
    case 'message.state_changed':
      return { ...about, state, version, from }
    case 'message.closed':
      return { ...about, state, version, ...countsOf(delivery.waves, delivery.planMode!) }
    case 'message.answered':
      return { ...about, subjectId, uid, ...data }
    case 'message.answer_counts':
      return { ...about, ...data }
    case 'run.answered':
      return { ...aboutRun, subjectId, uid, ...data }
    case 'run.ended':
      return { ...aboutRun, ...data }
    case 'delivery.failed':
      return { ...about, failures }
    case 'registration.changed':
      return { unitId, runId: run?.id, subjectId, uid, ...data }
    case 'handoff.opened': {
      const { runId } = data as { runId: string | null }
      return { unitId, handoffId: objectId, runId }
    }
    case 'handoff.closed':
      return { unitId, handoffId: objectId, ...data }
    case 'import.closed':
      return { unitId, importId: objectId, ...data }
    case 'address.suppressed':
    case 'preference.changed':
      return { unitId, subjectId, uid, ...data }
  }
}

/** The final counts of a closed message; null if it never started. */
function countsOf([first, reminder]: WaveStats[], mode: PlanMode) {
  const final = (wave: WaveStats) => (wave.expected === null ? null : statsOf(wave, mode))
  return {
    stats: first ? final(first) : null,
    ...(reminder && { reminder: { state: reminder.state, stats: final(reminder) } }),
  }
}
