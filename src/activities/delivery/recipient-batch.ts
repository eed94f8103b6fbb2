import { randomUUID } from 'node:crypto'
import type { CallContent } from '../../channels/channel.ts'
import { Cleared } from '../../channels/cleared.ts'
import type { RecipientSender } from '../../channels/connection.ts'
import type { Channel } from '../../contract/enums.ts'
import { callsOf, type StoredCall } from '../../db/queries/delivery/call.ts'
import { doubtedCode, isAborted, type Outcome } from '../../domain/message/outcome.ts'
import { classifyRecipients, type Settlement } from '../../domain/message/settlement.ts'
import { notApproved } from '../../domain/rights/approval.ts'
import {
  type RecipientVerdict,
  recordServerAnswers,
  suppressRefused,
} from '../../services/suppression/handle-bounce.ts'
import {
  type BatchContext,
  type BatchResult,
  canStart,
  type ProviderCall,
  recordTry,
} from './batch-context.ts'
import { prepareCall } from './prepare-call.ts'
import { releaseBatch, settleTry, toBatchResult } from './settle-try.ts'

/** Recipients not started within this time are deferred: a slow server must not hold an activity until it times out. */
const batchMs = 20_000

/**
 * Sends a claimed batch to one recipient after another, each with its own outcome. The call is stored before the first
 * recipient: if it is found without outcomes, an interrupted claim may have sent to any of them, and all become unknown.
 */
export async function sendRecipientBatch<C extends Channel>(
  work: BatchContext,
  sender: RecipientSender<C>,
  content: CallContent[C] | undefined,
): Promise<BatchResult> {
  const { claimed, delivery, claim } = work
  const stored = claimed.begun ? await callsOf(delivery.services.db, claim) : []
  const newest = stored.at(-1)
  if (newest?.unclear) return markInterrupted(work, newest)
  if (!maySend(work)) return releaseBatch(work)

  const callNumber = newest?.state === 'open' ? newest.call_number : stored.length
  const prepared = await prepareCall(work, { callNumber, retryKey: randomUUID() })
  if (typeof prepared === 'string') return prepared
  const call = rotated(prepared, claimed.tries)
  if (!maySend(work)) return releaseBatch(work, call)
  const outcomes = await classifyRefused(work, call, await sendAll(work, call, sender, content))
  const situation = recordTry(work, call, outcomes)
  return toBatchResult(
    await settleTry(work, call, classifyRecipients(outcomes, situation, Math.random(), claimed)),
  )
}

/** As `canStart`, and the process is not shutting down. */
function maySend(work: BatchContext): boolean {
  return canStart(work) && !work.delivery.drain.draining
}

/**
 * Starts each try with another recipient, so that one that makes the server fail does not always delay the same others.
 */
function rotated(call: ProviderCall, tries: number): ProviderCall {
  const { addresses, subjectIds = [] } = call
  const first = Math.floor(((tries * goldenRatio) % 1) * addresses.length)
  const turned = <T>(list: T[]) => [...list.slice(first), ...list.slice(0, first)]
  return { ...call, addresses: turned(addresses), subjectIds: turned(subjectIds) }
}

/** The fractional parts of its multiples spread evenly over the interval 0 to 1. */
const goldenRatio = (1 + Math.sqrt(5)) / 2

async function sendAll<C extends Channel>(
  work: BatchContext,
  { addresses, subjectIds = [] }: ProviderCall,
  sender: RecipientSender<C>,
  content: CallContent[C] | undefined,
): Promise<Outcome[]> {
  const { wave, claimed } = work
  // The batch's language has no content and never will: retrying cannot help.
  if (!content) return addresses.map(() => ({ kind: 'refused', code: 'content' }))
  const { approval } = wave
  if (approval === null) return addresses.map(() => ({ kind: 'refused', code: notApproved }))
  const deadline = performance.now() + batchMs
  const to = addresses.map((address, index) => ({ address, subjectId: subjectIds[index]! }))
  const cleared = Cleared.byApproval(content, approval)
  const call = { content: cleared, messageId: wave.messageId, waveId: wave.waveId, to }
  let begun = 0
  const mayBegin = () =>
    maySend(work) && performance.now() < deadline && !(claimed.probesServer && begun++ > 0)
  const outcomes = await sender.send(call, mayBegin)
  work.counts.calls += outcomes.filter((outcome) => !isAborted(outcome)).length
  return outcomes
}

/**
 * Tells what the server said of these recipients, even if the claim is lost: it holds for every worker. Where the server is
 * doubted, those whom it refused are to be tried again.
 */
async function classifyRefused(
  { delivery: { services }, claimed: { believes, probesServer, acceptsAll } }: BatchContext,
  { addresses }: ProviderCall,
  outcomes: Outcome[],
): Promise<Outcome[]> {
  const verdicts = outcomes.flatMap((outcome, place): RecipientVerdict[] => {
    const verdict = verdictOf(outcome)
    return verdict ? [{ address: addresses[place]!, verdict }] : []
  })
  const unknown = verdicts.flatMap(({ address, verdict }) => (verdict === 'unknown' ? [address] : []))
  if (believes && unknown.length > 0)
    await services.db.transaction().execute((db) => suppressRefused({ ...services, db }, unknown))
  if (believes || verdicts.length === 0) return outcomes
  if (await recordServerAnswers(services, { verdicts, probe: probesServer, acceptsAll })) return outcomes
  return outcomes.map((outcome) => {
    const verdict = verdictOf(outcome)
    return verdict && verdict !== 'taken' ? { kind: 'doubted', code: doubtedCode } : outcome
  })
}

/** What an outcome says of its recipient, whatever the mail is; null: nothing, or about this mailbox's size. */
function verdictOf(outcome: Outcome): RecipientVerdict['verdict'] | null {
  if (outcome.kind === 'accepted') return 'taken'
  if (outcome.kind !== 'refused') return null
  if (outcome.code === 'bad_address') return 'unknown'
  return outcome.unseen && outcome.code !== 'mailbox_full' ? 'refused' : null
}

/** An earlier claim was lost between storing its call and settling it. */
async function markInterrupted(
  work: BatchContext,
  { call_number: callNumber, addresses, subject_ids: subjectIds }: StoredCall,
): Promise<BatchResult> {
  const outcomes = addresses.map(() => ({ state: 'unknown', reason: 'interrupted' }) as const)
  const settlement: Settlement = {
    answered: false,
    outcomes,
    next: { do: 'end' },
    park: null,
    restMs: null,
  }
  return toBatchResult(await settleTry(work, { callNumber, addresses, subjectIds }, settlement))
}
