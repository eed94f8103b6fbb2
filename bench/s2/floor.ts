import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { returnTable, startBareReturn } from '../bare/run.ts'
import { bareWorkerService } from '../bare/service.ts'
import type { BenchInstallation } from '../installation.ts'
import { inParallel } from '../parallel.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

const lookEveryMs = 200

/**
 * The minimum cost of bringing runs back into an empty store: bare runs are started with a signal, 16 at a time; each
 * notes that it is back by one statement, in one activity, and waits with a timer. Ends with the last note.
 */
export async function measureFloor(installation: BenchInstallation, runs: number): Promise<Stopwatch> {
  const { client, db, emptyTemporal, start, stop } = installation
  await sql`drop table if exists bench_run`.execute(db)
  await sql`${sql.raw(returnTable)}`.execute(db)
  await sql`insert into bench_run select n::text, false from generate_series(0, ${runs - 1}::int) as n`.execute(
    db,
  )
  await emptyTemporal()
  const worker = await start(bareWorkerService(installation))
  const lap = startStopwatch(installation)
  await inParallel('floor: starting', runs, (n) => startBareReturn(client, String(n)))
  while (await anyIsAway(installation)) await sleep(lookEveryMs)
  const ended = lap(runs)
  await stop(worker)
  return ended
}

async function anyIsAway({ db }: BenchInstallation): Promise<boolean> {
  const { rows } = await sql`select from bench_run where not back limit 1`.execute(db)
  return rows.length > 0
}
