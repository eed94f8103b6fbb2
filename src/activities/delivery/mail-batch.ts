import { randomUUID } from 'node:crypto'
import { callsOf, type StoredCall } from '../../db/queries/delivery/call.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { judgeEach, type Settlement } from '../../domain/settlement.ts'
import { type BatchEnd, type Call, mayBegin, noteTry, type Work } from './batch-work.ts'
import { prepareCall } from './prepare.ts'
import { giveBack, orAgain, settle } from './settle.ts'

/** What is not begun by then goes back: a slow server must not hold a step until Temporal takes it for lost. */
const batchMs = 20_000

/**
 * Sends a batch of mail, one recipient after another, each with an outcome of their own. A call is stored before the
 * first of them: where it is found without outcomes, whoever stored it may have mailed anybody of it, and they become
 * unknown.
 */
export async function sendMailBatch(work: Work): Promise<BatchEnd> {
  const { claimed, delivery, claim } = work
  const stored = claimed.begun ? await callsOf(delivery.services.db, claim) : []
  const newest = stored.at(-1)
  if (newest?.unclear) return inDoubt(work, newest)
  if (!mayMail(work)) return giveBack(work)

  const part = newest?.state === 'open' ? newest.part : stored.length
  const prepared = await prepareCall(work, { part, retryKey: randomUUID() })
  if (typeof prepared === 'string') return prepared
  const call = inTurn(prepared, claimed.tries)
  if (!mayMail(work)) return giveBack(work, call)
  const outcomes = await mail(work, call)
  const situation = noteTry(work, call, outcomes)
  return orAgain(await settle(work, call, judgeEach(outcomes, situation, Math.random(), claimed)))
}

/** There is time enough, the process goes on, and the server is not left alone for a moment. */
function mayMail(work: Work): boolean {
  return mayBegin(work) && !work.delivery.drain.draining
}

/** Begins with another recipient at each try, so that none whom the server trips over keeps the same others waiting. */
function inTurn(call: Call, tries: number): Call {
  const { addresses, subjectIds = [] } = call
  const first = Math.floor(((tries * goldenRatio) % 1) * addresses.length)
  const turned = <T>(list: T[]) => [...list.slice(first), ...list.slice(0, first)]
  return { ...call, addresses: turned(addresses), subjectIds: turned(subjectIds) }
}

/** Its multiples fall between one another as evenly as can be. */
const goldenRatio = (1 + Math.sqrt(5)) / 2

async function mail(work: Work, { addresses, subjectIds = [] }: Call): Promise<Outcome[]> {
  const { wave, claimed, delivery } = work
  const letter = wave.compiled.email?.locales[claimed.locale]?.parts[0][0]
  // There is nothing to be sent in this language, and never will be: nobody must wait for it.
  if (!letter) return addresses.map(() => ({ kind: 'refused', code: 'content' }))
  const over = performance.now() + batchMs
  const to = addresses.map((address, index) => ({ address, subjectId: subjectIds[index]! }))
  const mailing = { letter, messageId: wave.messageId, waveId: wave.waveId, to }
  return delivery.senders.email!(mailing, () => mayMail(work) && performance.now() < over)
}

/** An earlier claim was lost between storing its call and writing what came of it. */
async function inDoubt(
  work: Work,
  { part, addresses, subject_ids: subjectIds }: StoredCall,
): Promise<BatchEnd> {
  const fates = addresses.map(() => ({ state: 'unknown', reason: 'interrupted' }) as const)
  const settlement: Settlement = { answered: false, fates, next: { do: 'end' }, park: null, restMs: null }
  return orAgain(await settle(work, { part, addresses, subjectIds }, settlement))
}
