import { randomUUID } from 'node:crypto'
import type { CompiledEmail } from '../../channels/email/compile.ts'
import { callsOf, type StoredCall } from '../../db/queries/call.ts'
import type { ToldMember } from '../../db/queries/mail-outcome.ts'
import { fateOf, fateOfRepeat, type MailOutcome, tryAgain } from '../../domain/mail-outcome.ts'
import { firstTry } from './first-try.ts'
import { endMailTry } from './mail-ending.ts'
import { notBegun } from './not-accepted.ts'
import type { BatchEnd, Call, Work } from './work.ts'

/** What is not begun by then goes back: a slow server must not hold a step until Temporal takes it for lost. */
const batchMs = 20_000

/**
 * Sends a batch of mail, one recipient after another, each with an outcome of their own. A call is stored before the
 * first of them: where it is found without outcomes, whoever stored it may have mailed anybody of it, and they become
 * unknown. Each round in which the server settled or put off anybody is a call of its own.
 */
export async function deliverMail(work: Work): Promise<BatchEnd> {
  const stored = work.claimed.begun ? await callsOf(work.delivery.services.db, work.claim) : []
  const newest = stored.at(-1)
  if (newest?.unclear) return inDoubt(work, newest)
  if (!mayBegin(work)) return notBegun(work)

  const part = newest?.state === 'open' ? newest.part : stored.length
  const tries = stored.reduce((sum, call) => sum + call.tries, 0)
  const call = await firstTry(work, { part, retryKey: randomUUID(), tries })
  if (typeof call === 'string') return call
  if (!mayBegin(work)) return notBegun(work, call)
  const outcomes = await mail(work, call)
  const firstAnswered = stored.find(({ state }) => state !== 'open')
  return settle(work, call, outcomes, firstAnswered?.ageMs ?? 0)
}

/** There is time enough, the process goes on, and the server has not asked for a pause. */
function mayBegin({ lease, delivery, claim }: Work): boolean {
  return lease.mayBegin() && !delivery.drain.draining && delivery.breaker.waitMs(claim.channel) === 0
}

function mail(work: Work, { addresses, subjectIds = [] }: Call): Promise<MailOutcome[]> {
  const { wave, claimed, delivery } = work
  const over = performance.now() + batchMs
  const letter = wave.compiled.email?.locales[claimed.locale]?.parts[0]?.[0] as CompiledEmail // jsonb comes untyped
  const to = addresses.map((address, index) => ({ address, subjectId: subjectIds[index]! }))
  const mailing = { letter, messageId: wave.messageId, waveId: wave.waveId, to }
  return delivery.senders.email!(mailing, () => mayBegin(work) && performance.now() < over)
}

/** Writes what each outcome means; whoever is left is tried again later. */
function settle(work: Work, call: Call, outcomes: MailOutcome[], ageMs: number): Promise<BatchEnd> {
  const { repeats } = work.claimed
  const fateIn = repeats ? fateOfRepeat : fateOf
  const told = outcomes.flatMap((outcome, index): ToldMember[] => {
    const fate = fateIn(outcome, ageMs)
    return fate ? [{ ...fate, subjectId: call.subjectIds![index]!, address: call.addresses[index]! }] : []
  })
  const left = told.length < outcomes.length
  return endMailTry(work, {
    part: call.part,
    told,
    answered: told.length > 0 || outcomes.some(({ kind }) => kind === 'deferred'),
    again: left ? tryAgain(outcomes, call.tries, Math.random()) : null,
  })
}

/** An earlier claim was lost between storing its call and writing what came of it. */
function inDoubt(work: Work, { part, addresses, subject_ids }: StoredCall): Promise<BatchEnd> {
  const told = addresses.map(
    (address, index): ToldMember => ({
      address,
      subjectId: subject_ids[index]!,
      state: 'unknown',
      reason: 'interrupted',
    }),
  )
  return endMailTry(work, { part, told, answered: true, again: null })
}
