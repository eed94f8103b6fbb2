import type { MessageReading } from '../activities/read-message.ts'
import type { Channel, MessageState } from '../contract/enums.ts'
import { isExpired } from '../domain/message/expiry.ts'
import { type MessageRun, openMessage } from './open-message.ts'
import { sendWave } from './send-wave.ts'

/** The life of one message intent, from its submission to its end. Returns the state in which it closed; null: it is gone. */
export async function messageIntent(id: string): Promise<MessageState | null> {
  const run = openMessage(id)
  return run.carryOut(async () => {
    let message = await run.read()
    while (message && !message.closed) {
      await stageOf(message)(run, message)
      message = await run.read()
    }
    return message?.state ?? null
  })
}

/** A message that has not ended. */
type Unended = Extract<MessageReading, { closed: false }>

/** Takes a message further. */
type Stage = (run: MessageRun, message: Unended) => Promise<void>

/** What a run does in each state, until the message leaves it. A step that keeps failing waits in any of them. */
export function stageOf({ state, retryAt }: Unended): Stage {
  return retryAt === null ? stages[state] : awaitRetry
}

const stages: Record<MessageState, Stage> = {
  draft: awaitSubmission, // a draft has a run only to expire
  submitted: awaitDecision,
  approved: beginAtSendTime,
  sending: sendDeliveries,
  paused: awaitResume,
  sent: remind, // it is not closed while a reminder is to come
  rejected: finish,
  cancelled: finish, // before anybody was sent to
  stopped: finish, // after that
  expired: finish,
  failed: finish,
}

function awaitSubmission(run: MessageRun, message: Unended): Promise<void> {
  return awaitPerson(run, message, 'its submission')
}

/** Waits until the row says that it was approved, rejected or cancelled: it is read after each signal. */
function awaitDecision(run: MessageRun, message: Unended): Promise<void> {
  return awaitPerson(run, message, 'an approval')
}

function awaitResume(run: MessageRun, message: Unended): Promise<void> {
  return awaitPerson(run, message, 'a person to resume it')
}

/** A message for which nobody acts in time expires. */
function awaitPerson(run: MessageRun, message: Unended, what: string): Promise<void> {
  return hasExpired(message) ? expire(run) : run.wait(what, message.expiresAt)
}

/** Waits for the hold of its category and its schedule, then begins to send. */
function beginAtSendTime(run: MessageRun, message: Unended): Promise<void> {
  return begin(run, message, 'its send time')
}

/** Resolves the audience of a wave that is due, outside quiet hours; quota is reserved next. A small one is sent at once. */
function begin(run: MessageRun, message: Unended, time: string): Promise<void> {
  const { sendAt, quietUntil, small } = message
  if (hasExpired(message)) return expire(run)
  if (isAhead(message, sendAt)) return run.wait(time, earliest(message, sendAt))
  if (quietUntil !== null) return run.wait('the end of the quiet hours', earliest(message, quietUntil))
  if (small !== null) return sendSmallWave(run, message, small)
  return run.steps('writing a delivery for every recipient').resolveAudience(run.id)
}

/** Sends by all channels, as long as the row says that it may be sent. What expires meanwhile ends with what was sent. */
async function sendDeliveries(run: MessageRun, message: Unended): Promise<void> {
  const { wave, quietUntil, unitId } = message
  if (!wave || wave.skipRemaining || hasExpired(message)) return finish(run)
  if (!wave.written) return run.steps('writing a delivery for every recipient').resolveAudience(run.id)
  if (!wave.open) return finish(run)
  if (isAhead(message, wave.quotaDueAt)) return run.wait('quota', earliest(message, wave.quotaDueAt))
  if (wave.quotaDueAt !== null) return run.steps('reserving quota for the deliveries').reserveQuota(run.id)
  if (quietUntil !== null) return run.wait('the end of the quiet hours', earliest(message, quietUntil))
  if (wave.interrupted !== null) return sendSmallWave(run, message, wave.interrupted)
  if (Object.keys(wave.lanes).length === 0)
    return run.wait(wave.paced ? 'its pace' : 'the provider', wave.freeAt)
  run.announce(`sending through ${Object.keys(wave.lanes).join(' and ')}`)
  const waitMs = await sendWave(wave, {
    on: (channel, lane) => run.on(channel, unitId, lane),
    // of a parked wave, one batch shows whether the provider is back
    shouldStop: () => wave.probes || run.isInterrupted(),
  })
  if (waitMs > 0) await run.rest('the provider', waitMs)
}

/** Sends the reminder at its time, as the message was sent: to those whom it may have reached. */
function remind(run: MessageRun, message: Unended): Promise<void> {
  switch (message.wave?.state) {
    case 'waiting':
      return begin(run, message, 'the time of its reminder')
    case 'sending':
      return sendDeliveries(run, message)
    case 'paused':
      return awaitResume(run, message)
    default:
      return finish(run)
  }
}

/** Audience, quota and send in one step: in the worker of this run while the channel is quick, otherwise by its queue. */
async function sendSmallWave(
  run: MessageRun,
  { quick, unitId, people }: Unended,
  channel: Channel,
): Promise<void> {
  const crowd = people === null ? 'a small wave' : people === 1 ? '1 person' : `${people} people`
  const what = `audience, quota and ${channel} for ${crowd}`
  const sent = quick ? await run.locally(what).sendSmallWave(run.id, channel) : null
  run.useReading(sent ?? (await run.on(channel, unitId, run.announce(what)).sendSmallWave(run.id, channel)))
}

/** Skips whom it will not send to any more, decides the outcome, gives back what is left of the quota, and closes. */
async function finish(run: MessageRun): Promise<void> {
  const { finishWave } = run.steps('finishing the wave, closing the message')
  while ((await finishWave(run.id)).more);
}

function expire(run: MessageRun): Promise<void> {
  return run.locally('closing what has expired').expireMessage(run.id)
}

function awaitRetry(run: MessageRun, { retryAt }: Unended): Promise<void> {
  return run.wait('the next retry of a step that keeps failing', retryAt)
}

const hasExpired = ({ expiresAt, now }: Unended) => isExpired(expiresAt, now)
const isAhead = ({ now }: Unended, at: number | null) => at !== null && now < at

/** This moment, or the expiry if that is earlier. */
function earliest({ expiresAt }: Unended, at: number | null): number | null {
  return at === null || expiresAt === null ? at : Math.min(at, expiresAt)
}
