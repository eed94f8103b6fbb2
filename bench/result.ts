import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

/** Two things measured in one run. `s`: less is better; `/s`: more is better. `bar`: what figure / floor must reach. */
export type Result = {
  name: string
  figure: number
  floor: number
  ratio: number
  unit: 's' | '/s'
  bar: number
  /** The ratio keeps to the bar, and each number beside it to its own. */
  held: boolean
  beside: Beside[]
  /** What a reader must know to read the figure right. */
  notes: string[]
}

/** A number measured by the way. `atMost`: its bar, where it has one. */
export type Beside = { what: string; figure: number; unit: string; atMost?: number }

export type Measured = Pick<Result, 'figure' | 'floor'> & Partial<Pick<Result, 'beside' | 'notes'>>

const resultsDir = join(import.meta.dirname, 'results')

/** Judges what was measured. */
export function judge(
  { name, unit, bar }: Pick<Result, 'name' | 'unit' | 'bar'>,
  { figure, floor, beside = [], notes = [] }: Measured,
): Result {
  const ratio = figure / floor
  const kept = unit === 's' ? ratio <= bar : ratio >= bar
  const held =
    kept && beside.every(({ figure: number, atMost = Number.POSITIVE_INFINITY }) => number <= atMost)
  return { name, figure, floor, ratio, unit, bar, held, beside, notes }
}

/** Both numbers of the ratio, then what was measured beside them. */
export function printResult({ name, figure, floor, ratio, unit, bar, held, beside, notes }: Result): void {
  const sign = unit === 's' ? '≤' : '≥'
  const lines = [
    `${name}: ${number(figure)} ${unit} against a floor of ${number(floor)} ${unit}: ratio ${ratio.toFixed(2)}, ` +
      `bar ${sign} ${bar}: ${held ? 'held' : 'NOT HELD'}`,
    ...beside.map(
      ({ what, figure: one, unit: of, atMost }) =>
        `  ${what}: ${number(one)} ${of}${atMost === undefined ? '' : ` (bar ≤ ${atMost})`}`,
    ),
    ...notes.map((note) => `  ${note}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** Writes a run's results to bench/results/<date>.json; answers the path. */
export function writeResults(small: boolean, results: Result[]): string {
  mkdirSync(resultsDir, { recursive: true })
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const path = join(resultsDir, `${moment}.json`)
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  writeFileSync(path, `${JSON.stringify({ small, machine, results }, null, 2)}\n`)
  return path
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 2 : 0 })
}
