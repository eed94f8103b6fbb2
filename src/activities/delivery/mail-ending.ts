import { endMail, type MailEnding, type ToldMember } from '../../db/queries/mail-outcome.ts'
import type { Again } from '../../domain/outcome.ts'
import { tryLater } from './not-accepted.ts'
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

/** Writes what a try came to. Where the server was reached and left nobody waiting for all, that is one statement. */
export async function endMailTry(work: Work, { part, told, answered, again }: MailTry): Promise<BatchEnd> {
  const { claim, delivery } = work
  if (answered) delivery.breaker.reached(claim.channel)
  if (!answered && again) return tryLater(work, { part }, again)

  // A repeat is paid for already.
  const paid = work.claimed.repeats ? [] : told.filter(({ state }) => state !== 'failed')
  const ending: MailEnding = {
    ...{ part, told, paid },
    call: callState(paid),
    againAfterMs: again?.afterMs ?? null,
    code: again?.code ?? null,
  }
  if (again && (again.trouble || again.restMs))
    return tryLater(work, { part }, again, (trx) => endMail(trx, claim, ending))
  if (!(await endMail(delivery.services.db, claim, ending))) return 'lost'
  return again ? 'again' : 'done'
}

function callState(paid: ToldMember[]): MailEnding['call'] {
  if (paid.some(({ state }) => state === 'sent')) return 'accepted'
  return paid.length > 0 ? 'unknown' : 'refused'
}
