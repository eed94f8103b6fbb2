import { randomUUID } from 'node:crypto'
import { endBatch } from '../../db/queries/batch-outcome.ts'
import { acceptPart, type StoredCall } from '../../db/queries/call.ts'
import { isRepeatable, judge, type Verdict } from '../../domain/outcome.ts'
import { waysLeft } from './fallback.ts'
import { firstTry } from './first-try.ts'
import { failNamed, halve, notBegun, tryLater } from './not-accepted.ts'
import type { BatchEnd, Call, Work } from './work.ts'

/** One provider call of a batch: these messages, to everybody who is still pending in it. */
export type Part = { part: number; messages: unknown[]; last: boolean; known: StoredCall | undefined }

/** Makes a part's call and writes what came of it. `accepted`: the next part may follow. */
export async function deliverPart(
  work: Work,
  { part, messages, last, known }: Part,
): Promise<BatchEnd | 'accepted'> {
  // All tries refused for certain: as if the call had never been made.
  let call = known?.unclear ? restored(known) : undefined
  if (call && !isRepeatable(known!.ageMs)) return inDoubt(work, call)
  for (;;) {
    if (!mayBegin(work)) return notBegun(work)
    const next = call ?? (await firstTry(work, { part, retryKey: randomUUID(), tries: known?.tries ?? 0 }))
    if (typeof next === 'string') return next
    call = next
    if (!mayBegin(work)) return notBegun(work, call) // storing took its time too

    const { retryKey, addresses } = call
    const outcome = await work.delivery.senders.chat!({ to: addresses, messages, retryKey })
    const verdict = judge(outcome, { ...call, recipients: addresses.length }, Math.random())
    if (outcome.kind !== 'unavailable') work.delivery.breaker.reached(work.claim.channel)
    const end = await settle(work, call, verdict, { last, requestId: outcome.requestId })
    if (end !== 'rest') return end
    call = undefined
  }
}

type Context = { last: boolean; requestId: string | undefined }

/** Writes what a verdict means. `rest`: some failed by name, and the others are to be called under a new key. */
async function settle(
  work: Work,
  call: Call,
  verdict: Verdict,
  { last, requestId }: Context,
): Promise<BatchEnd | 'accepted' | 'rest'> {
  const { part, addresses } = call
  switch (verdict.do) {
    case 'accept':
      return last
        ? end(work, { part, call: 'accepted', deliveries: 'sent', pushes: addresses.length, requestId })
        : acceptOne(work, { part, recipients: addresses.length, requestId })
    case 'failAll':
      if (waysLeft(work).length > 0) return failNamed(work, call, { failed: addresses, code: verdict.code })
      return end(work, {
        part,
        call: 'refused',
        deliveries: 'failed',
        pushes: 0,
        code: verdict.code,
        requestId,
      })
    case 'fail':
      return failNamed(work, call, verdict)
    case 'halve':
      return halve(work, call)
    case 'again':
      return tryLater(work, call, verdict)
  }
}

/** There is time enough, and the provider has not asked for a pause since the claim. */
function mayBegin({ lease, delivery, claim }: Work): boolean {
  return lease.mayBegin() && delivery.breaker.waitMs(claim.channel) === 0
}

function restored(call: StoredCall): Call {
  const { retry_key: retryKey, part, addresses, unclear, tries } = call
  return { part, retryKey, addresses, unclear, tries }
}

/** The provider no longer knows the key: a repeat might be told twice, so it stays unknown who was told. */
function inDoubt(work: Work, { part, addresses }: Call): Promise<BatchEnd> {
  return end(work, {
    part,
    call: 'unknown',
    deliveries: 'unknown',
    pushes: addresses.length,
    code: 'too_old',
  })
}

async function end(work: Work, ending: Parameters<typeof endBatch>[2]): Promise<BatchEnd> {
  return (await endBatch(work.delivery.services.db, work.claim, ending)) ? 'done' : 'lost'
}

async function acceptOne(work: Work, call: Parameters<typeof acceptPart>[2]): Promise<'accepted' | 'lost'> {
  return (await acceptPart(work.delivery.services.db, work.claim, call)) ? 'accepted' : 'lost'
}
