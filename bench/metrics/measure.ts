import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { freePort } from '../../dev/ports.ts'
import {
  createDatabaseOnce,
  type PostgresOptions,
  postgresReady,
  postgresUrl,
  startPostgres,
} from '../../dev/postgres.ts'
import { connect, type Db } from '../../src/db/connect.ts'
import { migrateToLatest } from '../../src/db/migrate.ts'
import type { ProducerPrincipal } from '../../src/domain/rights/principal.ts'
import { getExecutiveMetrics, getTrend } from '../../src/services/metrics/read.ts'
import { closeNextNights, countAllPeople, rollUpNextWaves } from '../../src/services/metrics/roll-up.ts'
import { deliveriesPerWave, fill } from './fill.ts'

/**
 * `node bench/metrics/measure.ts [--waves=N]`: fills a database of its own with a year of waves, ten deliveries each, and
 * measures the roll-up of all of them and the numbers of a unit. Prints what it measured; see ../README.md.
 */
const waves = Number(
  process.argv.find((arg) => arg.startsWith('--waves='))?.slice('--waves='.length) ?? 1_000_000,
)
const size = { units: 10, people: 100_000, waves }
const readings = 200

const folder = await mkdtemp(join(tmpdir(), 'carillon-numbers-'))
const options: PostgresOptions = {
  ...{ dataDir: join(folder, 'postgres'), logFile: join(folder, 'postgres.log'), port: await freePort() },
  ...{ password: 'bench', sharedBuffers: '512MB', durable: false },
}
const child = await startPostgres(options)
await postgresReady(child, postgresUrl(options, 'postgres'))
await createDatabaseOnce(options, 'numbers')
const db = connect(postgresUrl(options, 'numbers'))
try {
  await migrateToLatest(db)
  await timed(`filled with ${(waves * deliveriesPerWave).toLocaleString('en')} deliveries`, () =>
    db.connection().execute(async (patient) => {
      await sql`set statement_timeout = 0`.execute(patient)
      await fill(patient, size)
      await sql`reset statement_timeout`.execute(patient)
    }),
  )
  await timed('rolled up', () => untilDone(() => rollUpNextWaves({ db })))
  await timed('nights closed', () => untilDone(() => closeNextNights({ db })))
  await timed('people counted', () => countAllPeople({ db }))
  await sql`analyze`.execute(db)
  await readAll(db)
} finally {
  await db.destroy()
  child.signal('SIGINT')
  await child.exited
  rmSync(folder, { recursive: true, force: true })
}

async function readAll(db: Db): Promise<void> {
  const { id: unitId } = await db
    .selectFrom('unit')
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const key = { kind: 'producer', unitId } as ProducerPrincipal
  for (const days of [30, 366]) {
    await repeated(`executive, ${days} days`, () => getExecutiveMetrics({ db }, key, { days }))
    await repeated(`trend, ${days} days`, () => getTrend({ db }, key, { days }))
  }
  const { reach } = await getExecutiveMetrics({ db }, key, { days: 366 })
  say(`reach of 366 days: ${JSON.stringify(reach)}`)
}

async function repeated(what: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let n = 0; n < readings; n += 1) {
    const begun = performance.now()
    await read()
    times.push(performance.now() - begun)
  }
  times.sort((one, other) => one - other)
  const at = (part: number) => times[Math.floor(times.length * part)]!.toFixed(1)
  say(`${what}: median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms`)
}

async function untilDone(round: () => Promise<boolean>): Promise<void> {
  while (await round()) {}
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await work()
  say(`${what}: ${((performance.now() - begun) / 1_000).toFixed(1)} s`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
