import type { Channel, MessageState, Problem, WaveState } from '../contract/enums.ts'
import { byChannel } from './by-channel.ts'
import { isExpired } from './expired.ts'
import { type Quiet, quietUntil } from './quiet-hours.ts'

/** What the decision needs to know of a message. Times are ms since the epoch. */
export type Facts = {
  state: MessageState
  closed: boolean
  scheduleAt: number | null
  expiresAt: number | null
  remindAt: number | null
  /** When its category does not disturb; null: it may at any time. */
  quiet: Quiet | null
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
export type WaitFor =
  | 'submission'
  | 'approval'
  | 'send time'
  | 'reminder time'
  | 'quiet hours'
  | 'resume'
  | 'provider'
  | 'quota'

/** What a run does next. `ms` is how long to wait by the clock that gave `now`; null: until somebody acts. */
export type Next =
  | { do: 'wait'; for: WaitFor; until: string | null; ms: number | null }
  | { do: 'expire' }
  | { do: 'start' }
  | { do: 'express'; channel: Channel }
  | { do: 'rows'; waveId: string }
  | { do: 'send'; waveId: string; lanes: Partial<Record<Channel, number>> }
  | { do: 'finish' }
  | { do: 'end' }

/** Up to this many recipients in one channel are sent to by one activity (docs/decisions/0029-runs.md). */
const expressRecipients = 500

/** Activities that send a wave at the same time, by channel. */
export const lanesPerWave: Record<Channel, number> = { chat: 4, email: 4 }

/**
 * What a message's run must do next, at this moment (ms since the epoch). Expiry is decided before everything else, so
 * that nothing begins after it; nothing starts before its send time.
 */
export function nextOf(facts: Facts, now: number): Next {
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
      return expired ? { do: 'expire' } : begin(facts, 'send time', facts.scheduleAt, now)
    case 'sending':
      return expired ? { do: 'finish' } : sending(facts.wave, now)
    case 'sent':
      return reminding(facts, expired, now)
    default:
      return { do: 'finish' }
  }
}

/** A message that is sent waits for its reminder; until then, and once that is over, it is to be closed. */
function reminding(facts: Facts, expired: boolean, now: number): Next {
  switch (facts.wave?.state) {
    case 'waiting':
      return expired ? { do: 'expire' } : begin(facts, 'reminder time', facts.remindAt, now)
    case 'paused':
      return expired ? { do: 'expire' } : wait('resume', facts.expiresAt, now)
    case 'sending':
      return expired ? { do: 'finish' } : sending(facts.wave, now)
    default:
      return { do: 'finish' }
  }
}

/** The wave that is up begins at `due` (null: at once), or when the quiet hours are over in which that falls. */
function begin(facts: Facts, reason: WaitFor, due: number | null, now: number): Next {
  const { expiresAt, planned, quiet } = facts
  if (due !== null && now < due) return wait(reason, earliest(due, expiresAt), now)
  const quietEnd = quiet && quietUntil(quiet, now)
  if (quietEnd !== null) return wait('quiet hours', earliest(quietEnd, expiresAt), now)
  const channel = expressChannel(planned)
  return channel ? { do: 'express', channel } : { do: 'start' }
}

function sending(wave: WaveFacts | null, now: number): Next {
  if (!wave || wave.skipRest) return { do: 'finish' }
  if (!wave.written) return { do: 'rows', waveId: wave.id }
  const open = byChannel(wave.open)
  if (open.length === 0) return { do: 'finish' }
  const free = open.filter(([, batches]) => batches.free > 0)
  if (free.length === 0)
    return wait(wave.parked === 'quota' ? 'quota' : 'provider', firstFree(open, now), now)
  const lanes = free.map(([channel, batches]) => [channel, Math.min(batches.free, lanesPerWave[channel])])
  return { do: 'send', waveId: wave.id, lanes: Object.fromEntries(lanes) }
}

/** The channel, where a message goes out on one alone and to few enough; else null. */
function expressChannel(planned: Facts['planned']): Channel | null {
  const used = byChannel(planned).filter(([, deliveries]) => deliveries > 0)
  const only = used.length === 1 ? used[0]! : null
  return only && only[1] <= expressRecipients ? only[0] : null
}

function firstFree(open: [Channel, OpenBatches][], now: number): number {
  return Math.min(...open.map(([, { freeAt }]) => freeAt ?? now))
}

function earliest(a: number, b: number | null): number {
  return b === null ? a : Math.min(a, b)
}

function wait(reason: WaitFor, until: number | null, now: number): Next {
  return {
    do: 'wait',
    for: reason,
    until: until === null ? null : new Date(until).toISOString(),
    ms: until === null ? null : Math.max(until - now, 0),
  }
}
