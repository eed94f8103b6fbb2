import type { Channel, PlanMode } from '../../contract/enums.ts'

/** Deliveries of a wave by outcome; `skipped` by reason. */
export type Tally = {
  sent: number
  skipped: Record<string, number>
  failed: number
  unknown: number
  pending: number
}
/** People by their best outcome, each once. */
export type CountedPeople = { reached: number; unknown: number; failed: number; skipped: number }
type People = CountedPeople & { pending: number }
export type Stats = Tally & { byChannel: Partial<Record<Channel, Tally>>; people: People | null }

/** A wave's stored counters; `expected` is null until its deliveries are written. */
type Counters = Omit<Tally, 'pending'> & { expected: number | null }

/** Everything that is stored of a wave's counts. `people`: counted at its end, where the counters cannot tell. */
export type WaveCounts = Counters & {
  byChannel: Partial<Record<Channel, Counters>>
  people: CountedPeople | null
}

/** The stats of a wave of this plan. Expected deliveries that are not counted yet are pending. */
export function statsOf(counts: WaveCounts, mode: PlanMode): Stats {
  const channels = Object.entries(counts.byChannel).map(([channel, counted]) => [channel, tallyOf(counted)])
  const tally = tallyOf(counts)
  return { ...tally, byChannel: Object.fromEntries(channels), people: peopleOf(counts, mode, tally) }
}

function tallyOf({ expected, sent, skipped, failed, unknown }: Counters): Tally {
  const counted = sumOfCounts(skipped) + sent + failed + unknown
  return { sent, skipped, failed, unknown, pending: Math.max(0, (expected ?? 0) - counted) }
}

/** Whether a person may have several deliveries, so that the counters do not tell how many people there are. */
export function sendsSeveral(byChannel: WaveCounts['byChannel'], mode: PlanMode): boolean {
  return mode === 'all' && Object.values(byChannel).filter(({ expected }) => expected !== 0).length > 1
}

/** With one delivery for each person, those that fell back to the next channel are skipped as `fallback`. */
function peopleOf({ byChannel, people }: WaveCounts, mode: PlanMode, tally: Tally): People | null {
  if (people) return { ...people, pending: 0 }
  if (sendsSeveral(byChannel, mode)) return null
  const { sent: reached, unknown, failed, pending, skipped } = tally
  return { reached, unknown, failed, skipped: sumOfCounts(skipped) - (skipped.fallback ?? 0), pending }
}

/** The total of counts by reason. */
export function sumOfCounts(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0)
}
