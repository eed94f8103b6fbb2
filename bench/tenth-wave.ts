import type { Sent } from './message.ts'
import type { Baseline } from './result.ts'

const wavesOfMonth = 10
/** The CPU time that a delivery of the costliest wave takes, to that of the first: Postgres may vacuum meanwhile. */
const mostOfFirst = 1.5

/**
 * The tenth wave of a month beside its first, and the costliest of the ten: what a delivery costs Postgres must not depend on
 * what the month has already, nor on what of it Postgres has analysed when.
 * `before`: the waves that were sent; the others are sent one after another, and nothing is vacuumed or analysed between
 * but by Postgres itself.
 */
export async function measureTenthWave(
  before: readonly Sent[],
  work: string,
  sendWave: () => Promise<Sent>,
): Promise<Baseline[]> {
  const waves = [...before]
  while (waves.length < wavesOfMonth) {
    waves.push(await sendWave())
    process.stdout.write(
      `  wave ${waves.length} of ${wavesOfMonth}: ${postgresOf(waves.at(-1)!).toFixed(0)} µs\n`,
    )
  }
  const costs = waves.map(postgresOf)
  const [first, tenth, costliest] = [costs[0]!, costs.at(-1)!, Math.max(...costs)]
  const unit = `µs per ${work}`
  return [
    { what: 'Postgres, first wave of a month', figure: first, unit },
    { what: 'Postgres, tenth wave of a month', figure: tenth, unit },
    { what: 'Postgres, costliest of the ten', figure: costliest, unit },
    { what: 'costliest of the ten, to the first', figure: costliest / first, unit: '×', atMost: mostOfFirst },
  ]
}

/** The CPU time (µs) of Postgres for a delivery. */
function postgresOf({ work, cpu }: Sent): number {
  return ((cpu.postgres ?? Number.NaN) / work) * 1e6
}
