import type { Stopwatch } from './stopwatch.ts'

/** Odd, so that one round is the median. */
export const rounds = 3

/** One measurement of the floor, and right after it one of Carillon. */
export type Round<Floor extends Stopwatch = Stopwatch, Ours extends Stopwatch = Stopwatch> = {
  floor: Floor
  ours: Ours
}

/**
 * Measures floor and Carillon alternately: a machine that slows down slows both, and each ratio is taken within a
 * round. `nth` counts from 1.
 */
export async function alternate<Floor extends Stopwatch, Ours extends Stopwatch>(
  floor: (nth: number) => Promise<Floor>,
  ours: (nth: number) => Promise<Ours>,
): Promise<Round<Floor, Ours>[]> {
  const measured: Round<Floor, Ours>[] = []
  for (let nth = 1; nth <= rounds; nth += 1) {
    const round = { floor: await floor(nth), ours: await ours(nth) }
    measured.push(round)
    const seconds = `floor ${round.floor.seconds.toFixed(2)} s, Carillon ${round.ours.seconds.toFixed(2)} s`
    process.stdout.write(`  round ${nth} of ${rounds}: ${seconds}\n`)
  }
  return measured
}
