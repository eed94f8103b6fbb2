import type { Channel } from '../contract/enums.ts'

/** Deliveries of a wave by outcome; `skipped` by reason. */
export type Tally = {
  sent: number
  skipped: Record<string, number>
  failed: number
  unknown: number
  pending: number
}
export type Stats = Tally & { byChannel: Partial<Record<Channel, Tally>> }

/** A wave's stored counters; `expected` is null until its deliveries are written. */
export type Counters = Omit<Tally, 'pending'> & { expected: number | null }

/** The stats of a wave. Expected deliveries that are not counted yet are pending. */
export function statsOf(counters: Counters, byChannel: Partial<Record<Channel, Counters>>): Stats {
  const channels = Object.entries(byChannel).map(([channel, counted]) => [channel, tallyOf(counted)])
  return { ...tallyOf(counters), byChannel: Object.fromEntries(channels) }
}

function tallyOf({ expected, sent, skipped, failed, unknown }: Counters): Tally {
  const counted = Object.values(skipped).reduce((sum, n) => sum + n, sent + failed + unknown)
  return { sent, skipped, failed, unknown, pending: Math.max(0, (expected ?? 0) - counted) }
}
