import type { Channel } from './channel-plan.ts'
import type { MessageState } from './message-state.ts'

/** What the decision needs to know of a message. Times are ms since the epoch. */
export type Facts = {
  state: MessageState
  closed: boolean
  scheduleAt: number | null
  expiresAt: number | null
  /** Only where a reminder is still to come. */
  remindAt: number | null
  /** Deliveries by channel, as counted for the snapshot that was approved. */
  planned: Partial<Record<Channel, number>>
  wave: WaveFacts | null
}

export type WaveFacts = {
  id: string
  /** Are its deliveries and batches written? */
  written: boolean
  /** Only channels with batches that nobody has finished. */
  open: Partial<Record<Channel, OpenBatches>>
}

/** `free`: batches that may be claimed now. `freeAt`: when the first of the others may be, ms since the epoch. */
export type OpenBatches = { free: number; freeAt: number | null }

/** What a run waits for; an operator reads these words in the Temporal UI. */
export type WaitFor = 'submission' | 'approval' | 'send time' | 'resume' | 'provider' | 'reminder'

/** What a run does next. `ms` is how long to wait by the clock that gave `now`; null: until somebody acts. */
export type Next =
  | { do: 'wait'; for: WaitFor; until: string | null; ms: number | null }
  | { do: 'expire' }
  | { do: 'start' }
  | { do: 'express'; channel: Channel }
  | { do: 'rows'; waveId: string }
  | { do: 'send'; waveId: string; lanes: Partial<Record<Channel, number>> }
  | { do: 'finish' }
  | { do: 'missReminder' }
  | { do: 'end' }

/** Up to so many recipients in one channel are sent to by one activity (design 1, Cost). */
const expressRecipients = 500

/** Activities that send a wave at the same time, by channel. */
export const lanesPerWave: Record<Channel, number> = { chat: 4, email: 4 }

/**
 * What a message's run must do next, at this moment (ms since the epoch). Expiry is decided before everything else, so
 * that nothing begins after it; nothing starts before its send time.
 */
export function nextOf(facts: Facts, now: number): Next {
  if (facts.closed) return { do: 'end' }
  const expired = facts.expiresAt !== null && now >= facts.expiresAt
  switch (facts.state) {
    case 'draft':
      return expired ? { do: 'expire' } : wait('submission', facts.expiresAt, now)
    case 'submitted':
      return expired ? { do: 'expire' } : wait('approval', facts.expiresAt, now)
    case 'paused':
      return expired ? { do: 'expire' } : wait('resume', facts.expiresAt, now)
    case 'approved':
      return expired ? { do: 'expire' } : approved(facts, now)
    case 'sending':
      return expired ? { do: 'finish' } : sending(facts.wave, now)
    case 'sent':
      return sent(facts.remindAt, now)
    default:
      return { do: 'finish' }
  }
}

function approved({ scheduleAt, expiresAt, planned }: Facts, now: number): Next {
  if (scheduleAt !== null && now < scheduleAt) return wait('send time', earliest(scheduleAt, expiresAt), now)
  const channel = expressChannel(planned)
  return channel ? { do: 'express', channel } : { do: 'start' }
}

function sending(wave: WaveFacts | null, now: number): Next {
  if (!wave) return { do: 'finish' }
  if (!wave.written) return { do: 'rows', waveId: wave.id }
  const open = Object.entries(wave.open) as [Channel, OpenBatches][]
  if (open.length === 0) return { do: 'finish' }
  const free = open.filter(([, batches]) => batches.free > 0)
  if (free.length === 0) return wait('provider', firstFree(open, now), now)
  const lanes = free.map(([channel, batches]) => [channel, Math.min(batches.free, lanesPerWave[channel])])
  return { do: 'send', waveId: wave.id, lanes: Object.fromEntries(lanes) }
}

/** Reminders are not sent yet: one whose time has come is missed, so that its message closes. */
function sent(remindAt: number | null, now: number): Next {
  if (remindAt === null) return { do: 'finish' }
  return now < remindAt ? wait('reminder', remindAt, now) : { do: 'missReminder' }
}

/** The channel, where a message goes out on one alone and to few enough; else null. */
function expressChannel(planned: Facts['planned']): Channel | null {
  const used = (Object.entries(planned) as [Channel, number][]).filter(([, deliveries]) => deliveries > 0)
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
