import type { Channel } from '../contract/enums.ts'

/** Deliveries of a wave by what became of them; `skipped` by reason. */
export type Tally = {
  sent: number
  skipped: Record<string, number>
  failed: number
  unknown: number
  pending: number
}
export type Stats = Tally & { byChannel: Partial<Record<Channel, Tally>> }

/** A wave's counters as they are stored; `expected` is null until its rows are written. */
export type Counters = Omit<Tally, 'pending'> & { expected: number | null }

/** What a wave's counters say. What was expected and is not counted yet is pending. */
export function statsOf(counters: Counters, byChannel: Partial<Record<Channel, Counters>>): Stats {
  const channels = Object.entries(byChannel).map(([channel, counted]) => [channel, tallyOf(counted)])
  return { ...tallyOf(counters), byChannel: Object.fromEntries(channels) }
}

function tallyOf({ expected, sent, skipped, failed, unknown }: Counters): Tally {
  const counted = Object.values(skipped).reduce((sum, n) => sum + n, sent + failed + unknown)
  return { sent, skipped, failed, unknown, pending: Math.max(0, (expected ?? 0) - counted) }
}
