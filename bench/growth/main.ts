import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import {
  type Beside,
  measureBeside,
  measureSize,
  measureWorkers,
  type Size,
  type Workers,
} from './measure.ts'

/** What `npm run bench:growth` has measured last: docs/scaling.md draws it. */
export type Growth = { day: string; cores: number; sizes: Size[]; workers: Workers[]; beside: Beside }

/**
 * `npm run bench:growth [-- --most=N]`: how the speed of a wave changes with its size and with the number of workers, and
 * how long ten people wait beside a very large one. Writes growth.json beside this file; a smaller most writes nothing.
 */
const most = Number(/^--most=(\d+)$/.exec(process.argv[2] ?? '')?.[1] ?? 1_000_000)
const sizes = [10_000, 30_000, 100_000, 300_000, 1_000_000].filter((size) => size <= most)
const say = (line: string) => process.stdout.write(`${line}\n`)

const growth: Growth = {
  day: new Date().toISOString().slice(0, 10),
  cores: cpus().length,
  sizes: [],
  workers: [],
  beside: { people: 0, wave: 0, aloneSeconds: 0, besideSeconds: [] },
}
for (const size of sizes) {
  say(`${size.toLocaleString('en')} people:`)
  growth.sizes.push(await measureSize(size))
}
say('1, 2 and 4 workers:')
growth.workers = await measureWorkers(Math.min(most, 300_000), [1, 2, 4])
say('ten beside a wave:')
growth.beside = await measureBeside(most)
say(JSON.stringify(growth, null, 2))
if (most >= 1_000_000)
  writeFileSync(join(import.meta.dirname, 'growth.json'), `${JSON.stringify(growth, null, 2)}\n`)
