import { byChannel } from '../../channels/facts/by-channel.ts'
import type { Channel, MessageState, Problem, WaveState } from '../../contract/enums.ts'
import { channelEntries } from '../lib/channel-entries.ts'
import { isExpired } from './expiry.ts'
import { type QuietPeriod, quietHoursEnd } from './quiet-hours.ts'
import { firstWaveDue } from './times.ts'

/** What the decision needs to know of a message. Times are ms since the epoch. */
export type MessageFacts = {
  state: MessageState
  closed: boolean
  scheduleAt: number | null
  /** A person approved it, and its category holds it until then. */
  holdUntil: number | null
  expiresAt: number | null
  remindAt: number | null
  /** The quiet hours that apply to it; null: none. */
  quiet: QuietPeriod | null
  /** It is sent at a pace: over hours perhaps, so that it rests in the quiet ones. */
  paced: boolean
  /**
   * Deliveries by channel: for the first wave as counted in the approved snapshot, for the reminder those that may have
   * arrived.
   */
  planned: Partial<Record<Channel, number>>
  /** Set while the run waits because its step kept failing: since when, and until when. */
  stepParked: { at: number; until: number } | null
  /** The active wave: the first one, and the reminder once the message is sent. */
  wave: WaveFacts | null
}

export type WaveFacts = {
  id: string
  state: WaveState
  /** Whether its deliveries and batches are written. */
  written: boolean
  /**
   * When quota is to be reserved for what is left: its deliveries were just written, another month has begun, or the wave is
   * parked for quota; ms since the epoch. Null: it is reserved.
   */
  quotaDueAt: number | null
  parked: Problem | null
  /** A caller or an operator has skipped the remaining recipients. */
  skipRemaining: boolean
  /** Only channels with open batches. */
  open: Partial<Record<Channel, OpenBatches>>
}

/**
 * `free`: batches that can be claimed now. `freeAt`: when the first of the others can be, ms since the epoch.
 * `interrupted`: one is leased by a step that sent the whole wave; its run reads the row only once that step is over, so
 * its worker has died.
 */
export type OpenBatches = { free: number; freeAt: number | null; interrupted?: boolean }

/** What a run waits for; operators read it in the Temporal UI. */
export type WaitReason =
  | 'submission'
  | 'approval'
  | 'send time'
  | 'reminder time'
  | 'quiet hours'
  | 'resume'
  | 'provider'
  | 'pace'
  | 'quota'
  | 'retry'

/** What a run does next. `ms`: how long to wait, by the clock of `now`; null: until a person acts. */
export type NextStep =
  | { do: 'wait'; for: WaitReason; until: string | null; ms: number | null }
  | { do: 'expireMessage' }
  | { do: 'resolveAudience' }
  | { do: 'reserveQuota' }
  | { do: 'sendInOneStep'; channel: Channel }
  | { do: 'sendWave'; waveId: string; lanes: Partial<Record<Channel, number>> }
  | { do: 'finishWave' }
  | { do: 'end' }

/** A wave of up to this many recipients on one channel is sent by one activity (docs/design/rows-and-runs.md). */
const oneStepRecipients = 500

/** Activities that send a wave at the same time, by channel. */
export const lanesPerWave = byChannel(({ lanes }) => lanes)

/**
 * What a message's run must do next, at this moment (ms since the epoch). Expiry is checked first, so that nothing
 * starts after it; nothing starts before its send time.
 */
export function decideNextStep(facts: MessageFacts, now: number): NextStep {
  if (facts.closed) return { do: 'end' }
  const expired = isExpired(facts.expiresAt, now)
  if (waitsForRetry(facts, now)) return wait('retry', retryAt(facts, now), now)
  switch (facts.state) {
    case 'draft':
      return expired ? { do: 'expireMessage' } : wait('submission', facts.expiresAt, now)
    case 'submitted':
      return expired ? { do: 'expireMessage' } : wait('approval', facts.expiresAt, now)
    case 'paused':
      return expired ? { do: 'expireMessage' } : wait('resume', facts.expiresAt, now)
    case 'approved':
      return expired ? { do: 'expireMessage' } : startStep(facts, 'send time', firstWaveDue(facts), now)
    case 'sending':
      return expired ? { do: 'finishWave' } : sendStep(facts, now)
    case 'sent':
      return reminderStep(facts, expired, now)
    default:
      return { do: 'finishWave' }
  }
}

/** A step that kept failing is not repeated before its time, except that the message expires once in between. */
function waitsForRetry({ stepParked, expiresAt }: MessageFacts, now: number): boolean {
  if (!stepParked || now >= stepParked.until) return false
  return !isExpired(expiresAt, now) || isExpired(expiresAt, stepParked.at)
}

function retryAt({ stepParked, expiresAt }: MessageFacts, now: number): number {
  return isExpired(expiresAt, now) ? stepParked!.until : earliest(stepParked!.until, expiresAt)
}

/** A sent message waits for its reminder; without one, or after it, the message is closed. */
function reminderStep(facts: MessageFacts, expired: boolean, now: number): NextStep {
  switch (facts.wave?.state) {
    case 'waiting':
      return expired ? { do: 'expireMessage' } : startStep(facts, 'reminder time', facts.remindAt, now)
    case 'paused':
      return expired ? { do: 'expireMessage' } : wait('resume', facts.expiresAt, now)
    case 'sending':
      return expired ? { do: 'finishWave' } : sendStep(facts, now)
    default:
      return { do: 'finishWave' }
  }
}

/** The active wave starts at `due` (null: immediately), or later, when quiet hours end. */
function startStep(facts: MessageFacts, reason: WaitReason, due: number | null, now: number): NextStep {
  const { expiresAt, planned, quiet, paced } = facts
  if (due !== null && now < due) return wait(reason, earliest(due, expiresAt), now)
  const quietEnd = quiet && quietHoursEnd(quiet, now)
  if (quietEnd !== null) return wait('quiet hours', earliest(quietEnd, expiresAt), now)
  const channel = paced ? null : oneStepChannel(planned)
  return channel ? { do: 'sendInOneStep', channel } : { do: 'resolveAudience' }
}

function sendStep({ wave, paced, quiet, expiresAt }: MessageFacts, now: number): NextStep {
  if (!wave || wave.skipRemaining) return { do: 'finishWave' }
  if (!wave.written) return { do: 'resolveAudience' }
  const open = channelEntries(wave.open)
  if (open.length === 0) return { do: 'finishWave' }
  const { quotaDueAt } = wave
  if (quotaDueAt !== null)
    return now < quotaDueAt ? wait('quota', earliest(quotaDueAt, expiresAt), now) : { do: 'reserveQuota' }
  const quietEnd = paced && quiet ? quietHoursEnd(quiet, now) : null
  if (quietEnd !== null) return wait('quiet hours', earliest(quietEnd, expiresAt), now)
  const interrupted = open.find(([, batches]) => batches.interrupted)
  if (interrupted) return { do: 'sendInOneStep', channel: interrupted[0] }
  const free = open.filter(([, batches]) => batches.free > 0)
  if (free.length === 0)
    return wait(paced && wave.parked === null ? 'pace' : 'provider', firstFree(open, now), now)
  const lanes = free.map(([channel, batches]) => [channel, Math.min(batches.free, lanesPerWave[channel])])
  return { do: 'sendWave', waveId: wave.id, lanes: Object.fromEntries(lanes) }
}

/** The channel of a wave that is small enough and uses only one; otherwise null. */
function oneStepChannel(planned: MessageFacts['planned']): Channel | null {
  const used = channelEntries(planned).filter(([, deliveries]) => deliveries > 0)
  const only = used.length === 1 ? used[0]! : null
  return only && only[1] <= oneStepRecipients ? only[0] : null
}

function firstFree(open: [Channel, OpenBatches][], now: number): number {
  return Math.min(...open.map(([, { freeAt }]) => freeAt ?? now))
}

function earliest(a: number, b: number | null): number {
  return b === null ? a : Math.min(a, b)
}

function wait(reason: WaitReason, until: number | null, now: number): NextStep {
  return {
    do: 'wait',
    for: reason,
    until: until === null ? null : new Date(until).toISOString(),
    ms: until === null ? null : Math.max(until - now, 0),
  }
}
