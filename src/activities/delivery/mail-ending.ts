import type { Trx } from '../../db/connect.ts'
import { leaveRest } from '../../db/queries/batch-rest.ts'
import { endMail, type MailEnding, type ToldMember } from '../../db/queries/mail-outcome.ts'
import { suppressAddresses } from '../../db/queries/reachable.ts'
import type { Again } from '../../domain/outcome.ts'
import type { LockedMessage } from '../../services/move.ts'
import { fallBack, waysLeft } from './fallback.ts'
import { tryLater } from './not-accepted.ts'
import { whileOurs } from './while-ours.ts'
import type { BatchEnd, Work } from './work.ts'

/** What one try of a mail batch came to. */
export type MailTry = {
  part: number
  /** Everybody for whom it settled anything. */
  told: ToldMember[]
  /** The server said something about somebody; else it is as if the try had not been made. */
  answered: boolean
  /** Set where somebody is left. */
  again: Again | null
}

/**
 * Writes what a try came to: in one statement, unless the server is in trouble and the wave waits with it, or somebody
 * was refused who can be reached another way, or some are left and the others are not to wait for them.
 */
export async function endMailTry(work: Work, { part, told, answered, again }: MailTry): Promise<BatchEnd> {
  const { claim, delivery } = work
  if (answered) delivery.breaker.reached(claim.channel)
  if (!answered && again) return tryLater(work, { part }, again)
  await suppress(work, told)

  const end = again ? 'again' : 'done'
  const parts = again !== null && told.length > 0
  const refused = told.filter(({ state }) => state === 'failed').map(({ subjectId }) => subjectId)
  const write = async (trx: Trx, locked: LockedMessage): Promise<BatchEnd> => {
    const moved = await fallBack(trx, work, locked, refused)
    await endMail(
      trx,
      claim,
      endingOf(work, { part, again, told: told.filter(({ subjectId }) => !moved.has(subjectId)) }),
    )
    if (parts) await leaveRest(trx, claim)
    return end
  }
  if (again && (again.trouble || again.restMs)) return tryLater(work, { part }, again, write)
  if (parts || (refused.length > 0 && waysLeft(work).length > 0)) return whileOurs(work, write)
  return (await endMail(delivery.services.db, claim, endingOf(work, { part, told, again }))) ? end : 'lost'
}

/** What a server says of a mailbox holds whoever has the batch by now: nobody is to mail there again. */
async function suppress({ delivery, claim }: Work, told: ToldMember[]): Promise<void> {
  const gone = told.filter(({ reason }) => reason === 'bad_address').map(({ address }) => address)
  if (gone.length > 0) await suppressAddresses(delivery.services.db, claim.channel, gone)
}

function endingOf({ claimed }: Work, { part, told, again }: Omit<MailTry, 'answered'>): MailEnding {
  // A repeat is paid for already.
  const paid = claimed.repeats ? [] : told.filter(({ state }) => state !== 'failed')
  return {
    ...{ part, told, paid },
    call: callState(paid),
    againAfterMs: again?.afterMs ?? null,
    code: again?.code ?? null,
  }
}

function callState(paid: ToldMember[]): MailEnding['call'] {
  if (paid.some(({ state }) => state === 'sent')) return 'accepted'
  return paid.length > 0 ? 'unknown' : 'refused'
}
