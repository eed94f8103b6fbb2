import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Round } from './rounds.ts'

/**
 * What is measured. `work`: one unit of work. `unit`: of the figures; for `s` less is better, for `/s` more. `bar`: the
 * limit for figure / floor.
 */
export type Subject = { name: string; work: string; unit: 's' | '/s'; bar: number }

export type Measured = { rounds: Round[]; beside?: Baseline[]; notes?: string[] }

/** What this machine cannot measure, and why. */
export type Skipped = { skipped: string }

/** An additional figure. `atMost`: its bar, if it has one. */
export type Baseline = { what: string; figure: number; unit: string; atMost?: number }

/** The figures of one round. */
type Figures = { figure: number; floor: number; ratio: number }
type Spread = { median: number; min: number; max: number }

/** `figure`, `floor` and `ratio` are those of the round whose ratio is the median. */
export type Result = Omit<Subject, 'work'> &
  Figures & {
    /** Whether the ratio and all additional figures are within their bars. */
    held: boolean
    rounds: Figures[]
    spread: Record<keyof Figures, Spread>
    /** CPU time by process for one unit of work; the median of the rounds. */
    cpu: { unit: string; ours: Record<string, number>; floor: Record<string, number> }
    beside: Baseline[]
    /** What a reader needs to interpret the figure. */
    notes: string[]
  }

const resultsDir = join(import.meta.dirname, 'results')

/** Judges what was measured. */
export function judge(
  { name, work, unit, bar }: Subject,
  { rounds: measured, beside = [], notes = [] }: Measured,
): Result {
  const figureOf = ({ work: done, seconds }: Round['ours']) => (unit === 's' ? seconds : done / seconds)
  const rounds = measured.map(({ floor, ours }) => {
    const [ourFigure, floorFigure] = [figureOf(ours), figureOf(floor)]
    return { figure: ourFigure, floor: floorFigure, ratio: ourFigure / floorFigure }
  })
  const spread = {
    figure: spreadOf(rounds.map(({ figure }) => figure)),
    floor: spreadOf(rounds.map(({ floor }) => floor)),
    ratio: spreadOf(rounds.map(({ ratio }) => ratio)),
  }
  const counts = rounds.find(({ ratio }) => ratio === spread.ratio.median)!
  const kept = unit === 's' ? counts.ratio <= bar : counts.ratio >= bar
  const held =
    kept && beside.every(({ figure: number, atMost = Number.POSITIVE_INFINITY }) => number <= atMost)
  const cpu = {
    unit: `µs per ${work}`,
    ours: cpuOf(measured.map(({ ours }) => ours)),
    floor: cpuOf(measured.map(({ floor }) => floor)),
  }
  return { name, ...counts, unit, bar, held, rounds, spread, cpu, beside, notes }
}

function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: sorted[(sorted.length - 1) / 2]!, min: sorted[0]!, max: sorted.at(-1)! }
}

/** CPU time (µs) for one unit of work, the costliest process first; empty if it cannot be read. */
function cpuOf(laps: Round['ours'][]): Record<string, number> {
  const names = Object.keys(laps[0]!.cpu)
  const each = names.map((name): [string, number] => {
    const costs = laps.map(({ work, cpu }) => ((cpu[name] ?? Number.NaN) / work) * 1e6)
    return [name, spreadOf(costs).median]
  })
  return Object.fromEntries(each.filter(([, cost]) => Number.isFinite(cost)).sort(([, a], [, b]) => b - a))
}

/** Prints the ratio, both figures with their spread, CPU time and the additional figures. */
export function printResult(result: Result): void {
  const { name, unit, bar, held, rounds, spread, cpu, beside, notes } = result
  const lines = [
    `${name}: ratio ${spreadText(spread.ratio)} in ${rounds.length} rounds, ` +
      `bar ${unit === 's' ? '≤' : '≥'} ${bar}: ${held ? 'held' : 'NOT HELD'}`,
    `  Carillon: ${spreadText(spread.figure)} ${unit}`,
    `  floor: ${spreadText(spread.floor)} ${unit}`,
    `  CPU, ${cpu.unit}, Carillon: ${cpuText(cpu.ours)}`,
    `  CPU, ${cpu.unit}, floor: ${cpuText(cpu.floor)}`,
    ...beside.map(
      ({ what, figure, unit: of, atMost }) =>
        `  ${what}: ${number(figure)} ${of}${atMost === undefined ? '' : ` (bar ≤ ${atMost})`}`,
    ),
    ...notes.map((note) => `  ${note}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** The median with minimum and maximum. */
function spreadText({ median, min, max }: Spread): string {
  const digits = median < 100 ? 2 : 0
  const text = (value: number) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${text(median)} (${text(min)} to ${text(max)})`
}

function cpuText(cpu: Record<string, number>): string {
  return Object.entries(cpu)
    .map(([process, cost]) => `${process} ${number(cost)}`)
    .join(', ')
}

/** Writes a run's results to bench/results/<date>.json; returns the path. */
export function writeResults(small: boolean, temporalStore: string, results: Result[]): string {
  mkdirSync(resultsDir, { recursive: true })
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const path = join(resultsDir, `${moment}.json`)
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  writeFileSync(path, `${JSON.stringify({ small, machine, temporalStore, results }, null, 2)}\n`)
  return path
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 2 : 0 })
}
