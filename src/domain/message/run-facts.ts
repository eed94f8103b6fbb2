import { byChannel } from '../../channels/facts/by-channel.ts'
import type { Channel, MessageState, Problem, WaveState } from '../../contract/enums.ts'
import { channelEntries } from '../lib/channel-entries.ts'
import { isExpired } from './expiry.ts'
import { type QuietPeriod, quietHoursEnd } from './quiet-hours.ts'
import { firstWaveDue } from './times.ts'

/** A message as it is stored. Times are ms since the epoch. */
export type StoredMessage = {
  state: MessageState
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
  wave: StoredWave | null
}

export type StoredWave = {
  id: string
  state: WaveState
  /** Whether its deliveries and batches are written. */
  written: boolean
  /**
   * When quota is to be reserved for what is left: its deliveries were just written, another month has begun, or the wave is
   * parked for quota. Null: it is reserved.
   */
  quotaDueAt: number | null
  parked: Problem | null
  /** Parked as a whole: what is tried next is its probe. */
  probes: boolean
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

/** What its run decides by. Times are ms since the epoch, by Postgres' clock, as is `now`. */
export type MessageFacts = {
  now: number
  expiresAt: number | null
  /** When its wave may begin; null: at once, or it has begun. */
  sendAt: number | null
  /** The end of the quiet hours in which its wave may neither begin nor, at a pace, go on; null: it is not in any. */
  quietUntil: number | null
  /** A step kept failing, and is not repeated before; null: none. */
  retryAt: number | null
  /** The channel of a wave that is due and small enough to be sent in one step; null: none is. */
  small: Channel | null
  wave: WaveFacts | null
}

export type WaveFacts = Pick<
  StoredWave,
  'id' | 'state' | 'written' | 'quotaDueAt' | 'skipRemaining' | 'probes'
> & {
  /** Whether anything is left to be sent. */
  open: boolean
  /** Activities that can send now, by channel. */
  lanes: Partial<Record<Channel, number>>
  /** When the next batch can be sent where none can now; null: none is left. */
  freeAt: number | null
  /** It waits for its pace, and for nothing else. */
  paced: boolean
  /** The channel of a small wave whose worker has died while it sent it. */
  interrupted: Channel | null
}

/** A wave of up to this many recipients on one channel is sent by one activity (docs/design/rows-and-runs.md). */
const smallWaveMost = 500

/** Activities that send a wave at the same time, by channel. */
export const lanesPerWave = byChannel(({ lanes }) => lanes)

/** What the run of a message decides by, at this moment (ms since the epoch). */
export function messageFacts(stored: StoredMessage, now: number): MessageFacts {
  const { state, expiresAt, quiet, paced, wave } = stored
  const begins = state === 'approved' || (state === 'sent' && wave?.state === 'waiting')
  const due = state === 'sent' ? stored.remindAt : firstWaveDue(stored)
  const sendAt = begins ? due : null
  const rests = begins || (paced && wave?.state === 'sending')
  const quietUntil = rests && quiet ? quietHoursEnd(quiet, now) : null
  const isDue = begins && quietUntil === null && (sendAt === null || sendAt <= now)
  const small = isDue && !paced && !isExpired(expiresAt, now) ? smallWaveOf(stored) : null
  return {
    now,
    expiresAt,
    sendAt,
    quietUntil,
    retryAt: retryAt(stored, now),
    small,
    wave: waveFacts(stored, now),
  }
}

/**
 * Until when the run waits because its step kept failing; null: it does not. It is not repeated before its time, except that
 * the message expires once in between.
 */
function retryAt({ stepParked, expiresAt }: StoredMessage, now: number): number | null {
  if (!stepParked || now >= stepParked.until) return null
  if (!isExpired(expiresAt, now)) return Math.min(stepParked.until, expiresAt ?? stepParked.until)
  return isExpired(expiresAt, stepParked.at) ? stepParked.until : null
}

/** The channel of a wave that is small enough and uses only one; otherwise null. */
function smallWaveOf({ planned }: StoredMessage): Channel | null {
  const used = channelEntries(planned).filter(([, deliveries]) => deliveries > 0)
  const only = used.length === 1 ? used[0]! : null
  return only && only[1] <= smallWaveMost ? only[0] : null
}

function waveFacts({ wave, paced }: StoredMessage, now: number): WaveFacts | null {
  if (!wave) return null
  const { open: channels, parked, ...stored } = wave
  const open = channelEntries(channels)
  const free = open.filter(([, batches]) => batches.free > 0)
  const lanes = free.map(([channel, batches]) => [channel, Math.min(batches.free, lanesPerWave[channel])])
  return {
    ...stored,
    open: open.length > 0,
    lanes: Object.fromEntries(lanes),
    freeAt: open.length > 0 ? Math.min(...open.map(([, { freeAt }]) => freeAt ?? now)) : null,
    paced: paced && parked === null,
    interrupted: open.find(([, { interrupted }]) => interrupted)?.[0] ?? null,
  }
}

/** When its run looks at a message again by itself: `soon` while it works; null: a person has to act. */
export function nextLook(state: MessageState, facts: MessageFacts): number | 'soon' | null {
  const { now, expiresAt, retryAt, wave } = facts
  if (retryAt !== null) return retryAt
  if (isExpired(expiresAt, now)) return 'soon'
  const awaitsPerson =
    state === 'draft' ||
    state === 'submitted' ||
    state === 'paused' ||
    (state === 'sent' && wave?.state === 'paused')
  if (awaitsPerson) return expiresAt
  if (state !== 'approved' && state !== 'sending' && state !== 'sent') return 'soon'
  const heldUntil = holds(facts).find((at) => at !== null && at > now)
  return heldUntil ? Math.min(heldUntil, expiresAt ?? heldUntil) : 'soon'
}

/** What may keep the run from its next step, the first of which does. */
function holds({ sendAt, quietUntil, wave }: MessageFacts): (number | null)[] {
  if (wave?.state !== 'sending') return [sendAt, quietUntil]
  if (!wave.written || !wave.open || wave.skipRemaining) return []
  if (wave.quotaDueAt !== null) return [wave.quotaDueAt]
  const isFree = wave.interrupted !== null || Object.keys(wave.lanes).length > 0
  return [quietUntil, isFree ? null : wave.freeAt]
}
