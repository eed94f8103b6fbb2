import type { Channel, MessageState, Problem, WaveState } from '../contract/enums.ts'
import { channelEntries } from './channel-entries.ts'
import { isExpired } from './expiry.ts'
import { type QuietPeriod, quietHoursEnd } from './quiet-hours.ts'

/** What the decision needs to know of a message. Times are ms since the epoch. */
export type MessageFacts = {
  state: MessageState
  closed: boolean
  scheduleAt: number | null
  expiresAt: number | null
  remindAt: number | null
  /** When its category does not disturb; null: it may at any time. */
  quiet: QuietPeriod | null
  /**
   * Deliveries by channel: as counted for the snapshot that was approved, or those that may have arrived, to remind
   * of.
   */
  planned: Partial<Record<Channel, number>>
  /** The wave that is up: the first one, and once the message is sent its reminder. */
  wave: WaveFacts | null
}

export type WaveFacts = {
  id: string
  state: WaveState
  /** Are its deliveries and batches written? */
  written: boolean
  parked: Problem | null
  /** An operator gave up who is left. */
  skipRest: boolean
  /** Only channels with batches that nobody has finished. */
  open: Partial<Record<Channel, OpenBatches>>
}

/** `free`: batches that may be claimed now. `freeAt`: when the first of the others may be, ms since the epoch. */
export type OpenBatches = { free: number; freeAt: number | null }

/** What a run waits for; an operator reads these words in the Temporal UI. */
export type WaitReason =
  | 'submission'
  | 'approval'
  | 'send time'
  | 'reminder time'
  | 'quiet hours'
  | 'resume'
  | 'provider'
  | 'quota'

/** What a run does next. `ms` is how long to wait by the clock that gave `now`; null: until somebody acts. */
export type NextStep =
  | { do: 'wait'; for: WaitReason; until: string | null; ms: number | null }
  | { do: 'expire' }
  | { do: 'start' }
  | { do: 'express'; channel: Channel }
  | { do: 'rows'; waveId: string }
  | { do: 'send'; waveId: string; lanes: Partial<Record<Channel, number>> }
  | { do: 'finish' }
  | { do: 'end' }

/** Up to this many recipients in one channel are sent to by one activity (docs/decisions/0029-runs.md). */
const oneStepRecipients = 500

/** Activities that send a wave at the same time, by channel. */
export const lanesPerWave: Record<Channel, number> = { chat: 4, email: 4 }

/**
 * What a message's run must do next, at this moment (ms since the epoch). Expiry is decided before everything else, so
 * that nothing begins after it; nothing starts before its send time.
 */
export function decideNextStep(facts: MessageFacts, now: number): NextStep {
  if (facts.closed) return { do: 'end' }
  const expired = isExpired(facts.expiresAt, now)
  switch (facts.state) {
    case 'draft':
      return expired ? { do: 'expire' } : wait('submission', facts.expiresAt, now)
    case 'submitted':
      return expired ? { do: 'expire' } : wait('approval', facts.expiresAt, now)
    case 'paused':
      return expired ? { do: 'expire' } : wait('resume', facts.expiresAt, now)
    case 'approved':
      return expired ? { do: 'expire' } : startStep(facts, 'send time', facts.scheduleAt, now)
    case 'sending':
      return expired ? { do: 'finish' } : sendStep(facts.wave, now)
    case 'sent':
      return reminderStep(facts, expired, now)
    default:
      return { do: 'finish' }
  }
}

/** A message that is sent waits for its reminder; until then, and once that is over, it is to be closed. */
function reminderStep(facts: MessageFacts, expired: boolean, now: number): NextStep {
  switch (facts.wave?.state) {
    case 'waiting':
      return expired ? { do: 'expire' } : startStep(facts, 'reminder time', facts.remindAt, now)
    case 'paused':
      return expired ? { do: 'expire' } : wait('resume', facts.expiresAt, now)
    case 'sending':
      return expired ? { do: 'finish' } : sendStep(facts.wave, now)
    default:
      return { do: 'finish' }
  }
}

/** The wave that is up begins at `due` (null: at once), or when the quiet hours are over in which that falls. */
function startStep(facts: MessageFacts, reason: WaitReason, due: number | null, now: number): NextStep {
  const { expiresAt, planned, quiet } = facts
  if (due !== null && now < due) return wait(reason, earliest(due, expiresAt), now)
  const quietEnd = quiet && quietHoursEnd(quiet, now)
  if (quietEnd !== null) return wait('quiet hours', earliest(quietEnd, expiresAt), now)
  const channel = oneStepChannel(planned)
  return channel ? { do: 'express', channel } : { do: 'start' }
}

function sendStep(wave: WaveFacts | null, now: number): NextStep {
  if (!wave || wave.skipRest) return { do: 'finish' }
  if (!wave.written) return { do: 'rows', waveId: wave.id }
  const open = channelEntries(wave.open)
  if (open.length === 0) return { do: 'finish' }
  const free = open.filter(([, batches]) => batches.free > 0)
  if (free.length === 0)
    return wait(wave.parked === 'quota' ? 'quota' : 'provider', firstFree(open, now), now)
  const lanes = free.map(([channel, batches]) => [channel, Math.min(batches.free, lanesPerWave[channel])])
  return { do: 'send', waveId: wave.id, lanes: Object.fromEntries(lanes) }
}

/** The channel, where a message goes out on one alone and to few enough; else null. */
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
