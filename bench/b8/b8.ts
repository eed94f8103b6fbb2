import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import { measureFloor } from '../b5/floor.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { approve, shortMessage, submit } from '../message.ts'
import { chatCategory } from '../names.ts'
import { inParallel } from '../parallel.ts'
import { insertPeople, uidOf } from '../people.ts'
import { progress } from '../progress.ts'
import type { Measured } from '../result.ts'
import { alternate } from '../rounds.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

/** Time for the approvals before the second in which the messages are due (ms). */
const prepareMs = { least: 10_000, each: 25 }
const lookEveryMs = 100
const timeoutMs = 15 * 60_000

/** Measures messages to one person each that are due in the same second, from then until all are sent. */
export async function measureB8(messages: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    await insertPeople(installation, messages, false)
    const { environment } = installation
    const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
    await installation.start(simulatorService(environment))
    await installation.start(apiService({ ...environment, variables }))
    const rounds = await alternate(
      () => measureFloor(installation, messages),
      () => measureOurs(installation, messages),
    )
    return {
      rounds,
      notes: [
        `${messages} messages a round, due in the same second; none was begun before it`,
        'the floor is that of B5: as many bare runs, drained',
      ],
    }
  } finally {
    await installation.close()
  }
}

async function measureOurs(installation: BenchInstallation, messages: number): Promise<Stopwatch> {
  const worker = await installation.start(workerService(installation.environment))
  const second = Math.ceil((Date.now() + prepareMs.least + messages * prepareMs.each) / 1_000) * 1_000
  const due = new Date(second)
  await inParallel('approving', messages, async (n) => {
    const body = shortMessage(chatCategory, { kind: 'individual', uids: [uidOf(n + 1)] })
    await approve(installation, await submit(installation, { ...body, scheduleAt: due.toISOString() }))
  })
  if (Date.now() > second) throw new Error('The messages were due before all of them were approved.')
  await sleep(second - Date.now())
  const lap = startStopwatch(installation)
  await untilSent(installation, due, messages)
  const ended = lap(messages)
  await installation.stop(worker)
  return { ...ended, seconds: await secondsUntilLast(installation, due) }
}

async function untilSent({ db }: BenchInstallation, due: Date, messages: number): Promise<void> {
  const bar = progress('sending', messages)
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const { rows } = await sql<{ sent: number }>`
      select count(*)::int as sent from message where schedule_at = ${due} and closed_at is not null`.execute(
      db,
    )
    bar.to(rows[0]!.sent)
    if (rows[0]!.sent === messages) break
    if (Date.now() > deadline)
      throw new Error(`Only ${rows[0]!.sent} of ${messages} were sent within 15 min.`)
    await sleep(lookEveryMs)
  }
  bar.end()
}

/** From the second in which they were due until the last one was sent, by Postgres' clock. */
async function secondsUntilLast({ db }: BenchInstallation, due: Date): Promise<number> {
  const { rows } = await sql<{ early: number; seconds: number }>`
    select (count(*) filter (where call.first_try_at < ${due}))::int as early,
      extract(epoch from max(wave.finished_at) - ${due}::timestamptz)::float8 as seconds
    from message join wave on wave.message_id = message.id join call on call.wave_id = wave.id
    where schedule_at = ${due}`.execute(db)
  const { early, seconds } = rows[0]!
  if (early > 0) throw new Error(`${early} messages were sent before they were due.`)
  return seconds
}
