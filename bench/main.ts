import { measureB1 } from './b1/b1.ts'
import { measureB1L } from './b1l/b1l.ts'
import { measureB2 } from './b2/b2.ts'
import { measureB3 } from './b3/b3.ts'
import { measureB4 } from './b4/b4.ts'
import { measureB5 } from './b5/b5.ts'
import { measureB6 } from './b6/b6.ts'
import { measureB7 } from './b7/b7.ts'
import { measureB8 } from './b8/b8.ts'
import { measureB9 } from './b9/b9.ts'
import { measureB11 } from './b11/b11.ts'
import { temporalStore } from './installation.ts'
import { loads } from './neighbours/loads.ts'
import { measureBeside, slowerAtMost } from './neighbours/measure.ts'
import {
  judge,
  type Measured,
  printResult,
  type Result,
  type Skipped,
  type Subject,
  writeResults,
} from './result.ts'
import { measureS1 } from './s1/s1.ts'
import { measureS2 } from './s2/s2.ts'

/**
 * `npm run bench [B1 B1L B2 … B9 B11 S1 S2 N1 N2 N3 N3M N4 N5] [--small] [--size=N]`: measures the named benches, or all. See
 * README.md.
 */
type Bench = Subject & {
  /** Units of work in each round. */
  sizes: { small: number; full: number }
  measure(size: number): Promise<Measured | Skipped>
}

const benches: Bench[] = [
  {
    ...{ name: 'B1', work: 'mail', unit: '/s', bar: 0.65 },
    sizes: { small: 5_000, full: 50_000 },
    measure: measureB1,
  },
  {
    ...{ name: 'B1L', work: 'mail', unit: '/s', bar: 1.1 },
    sizes: { small: 5_000, full: 50_000 },
    measure: measureB1L,
  },
  {
    ...{ name: 'B2', work: 'person', unit: 's', bar: 1.35 },
    sizes: { small: 50_000, full: 1_000_000 },
    measure: measureB2,
  },
  {
    ...{ name: 'B3', work: 'message', unit: '/s', bar: 0.5 },
    sizes: { small: 2_000, full: 20_000 },
    measure: measureB3,
  },
  {
    ...{ name: 'B4', work: 'event', unit: '/s', bar: 0.6 },
    sizes: { small: 500, full: 5_000 },
    measure: measureB4,
  },
  {
    ...{ name: 'B5', work: 'event', unit: '/s', bar: 0.62 },
    sizes: { small: 200, full: 1_000 },
    measure: measureB5,
  },
  {
    ...{ name: 'B6', work: 'message', unit: 's', bar: 0.8 },
    sizes: { small: 20, full: 100 },
    measure: measureB6,
  },
  {
    ...{ name: 'B7', work: 'dry run', unit: 's', bar: 1.3 },
    sizes: { small: 50_000, full: 1_000_000 },
    measure: measureB7,
  },
  {
    ...{ name: 'B8', work: 'message', unit: '/s', bar: 0.68 },
    sizes: { small: 200, full: 10_000 },
    measure: measureB8,
  },
  {
    ...{ name: 'B9', work: 'read', unit: 's', bar: 3 },
    sizes: { small: 5_000, full: 200_000 },
    measure: measureB9,
  },
  {
    ...{ name: 'B11', work: 'page', unit: 's', bar: 10 },
    sizes: { small: 5_000, full: 200_000 },
    measure: measureB11,
  },
  {
    ...{ name: 'S1', work: 'answer', unit: '/s', bar: 0.6 },
    sizes: { small: 100, full: 1_000 },
    measure: measureS1,
  },
  {
    ...{ name: 'S2', work: 'run', unit: 's', bar: 1.1 },
    sizes: { small: 200, full: 10_000 },
    measure: measureS2,
  },
  ...(Object.keys(loads) as (keyof typeof loads)[]).map((name) => ({
    ...{ name, work: 'round of probes', unit: 's' as const, bar: slowerAtMost },
    sizes: { small: 10, full: 100 },
    measure: measureBeside(name),
  })),
]

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const { chosen, small, size } = readArguments(process.argv.slice(2))
const results: Result[] = []
for (const { sizes, measure, ...bench } of chosen) {
  process.stdout.write(`${bench.name}:\n`)
  const measured = await measure(size ?? (small ? sizes.small : sizes.full))
  if ('skipped' in measured) {
    process.stdout.write(`${bench.name}: skipped, ${measured.skipped}\n\n`)
    continue
  }
  const result = judge(bench, measured)
  printResult(result)
  results.push(result)
}
if (results.length > 0)
  process.stdout.write(`Written to ${writeResults(small || size !== undefined, temporalStore, results)}\n`)

function readArguments(args: string[]): { chosen: Bench[]; small: boolean; size: number | undefined } {
  const named = args.filter((arg) => !arg.startsWith('--')).map((arg) => arg.toUpperCase())
  const size = args.find((arg) => arg.startsWith('--size='))?.slice('--size='.length)
  const unknown = named.filter((name) => !benches.some((bench) => bench.name === name))
  const odd = args.filter((arg) => /^--/.test(arg) && arg !== '--small' && !/^--size=[1-9]\d*$/.test(arg))
  if (unknown.length + odd.length > 0) {
    const names = benches.map(({ name }) => name).join(' ')
    process.stderr.write(
      `Unknown argument: ${[...unknown, ...odd].join(' ')}. Usage: npm run bench [${names}] [--small] [--size=N]\n`,
    )
    process.exit(2)
  }
  const chosen = named.length === 0 ? benches : benches.filter(({ name }) => named.includes(name))
  return { chosen, small: args.includes('--small'), size: size === undefined ? undefined : Number(size) }
}
