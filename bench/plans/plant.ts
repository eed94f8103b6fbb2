import { sql } from 'kysely'
import { call } from '../../dev/demo/send.ts'
import { apiService } from '../../dev/services.ts'
import type { StartedRuns } from '../../src/contract/scenarios/starts.ts'
import { activate } from '../conversation.ts'
import type { BenchInstallation } from '../installation.ts'
import { fillLargeUnit } from '../large-unit.ts'
import { chatAddressOf, insertPeople, uidOf } from '../people.ts'

const perBatch = 500

/** Plants this many people, messages, deliveries of one wave in progress, waiting runs, and their turns. */
export async function plant(installation: BenchInstallation, many: number): Promise<void> {
  const { environment, start, stop } = installation
  await insertPeople(installation, many, true)
  const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
  const api = await start(apiService({ ...environment, variables }))
  const { approved } = await fillLargeUnit(installation, many)
  const runId = await oneRun(installation, many)
  await stop(api)
  await plantWave(installation, approved)
  await plantRuns(installation, runId)
}

/** A wave in progress to everybody, of whose batches every second one is sent. */
async function plantWave({ db }: BenchInstallation, messageId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    const { rows } = await sql<{ id: string }>`
      update wave set state = 'sending', claimed = true where message_id = ${messageId} returning id`.execute(
      trx,
    )
    const wave = rows[0]!.id
    await sql`update message set state = 'sending' where id = ${messageId}`.execute(trx)
    await sql`select make_delivery_partition(date_trunc('month', now())::date)`.execute(trx)
    await sql`
      insert into batch (wave_id, channel, number, locale, size, state)
      select ${wave}, 'chat', n, 'zh-TW', ${perBatch}, case n % 2 when 0 then 'done' else 'open' end
      from generate_series(0, (select count(*) from subject) / ${perBatch}::int) as n`.execute(trx)
    await sql`
      insert into delivery (wave_id, subject_id, channel, batch, state)
      select ${wave}, id, 'chat', nth, case nth % 2 when 0 then 'sent' else 'pending' end
      from (select id, (row_number() over (order by id) / ${perBatch}::int)::int as nth from subject) as person`.execute(
      trx,
    )
  })
}

/** A run of a scenario that has begun with one person. */
async function oneRun(installation: BenchInstallation, many: number): Promise<string> {
  const scenarioId = await activate(installation, many)
  const { environment, credentials } = installation
  const producer = { api: environment.addresses.api, key: credentials.key }
  const body = { subjectUids: [uidOf(5)] }
  const { items } = await call<StartedRuns>(producer, 'POST', `/v1/scenarios/${scenarioId}/runs`, body)
  return items![0]!.id
}

/** Copies a run for everybody else; each has said something, and waits. */
async function plantRuns({ db }: BenchInstallation, runId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`update scenario_run set next_wakeup_at = now() + interval '1 day' where id = ${runId}`.execute(
      trx,
    )
    await sql`
      insert into scenario_run
      select (jsonb_populate_record(run, jsonb_build_object('id', uuidv7(), 'subject_id', subject.id))).*
      from scenario_run as run join subject on subject.id <> run.subject_id where run.id = ${runId}`.execute(
      trx,
    )
    await sql`
      insert into turn (run_id, number, subject_id, unit_id, says, first_node, last_node, channel, by, answers_person, locale,
        state, address, closed_at)
      select id, 1, subject_id, unit_id, '[]', 'ask', 'ask', 'chat', 'push', false, 'zh-TW', 'sent', ${chatAddressOf(1)}, now()
      from scenario_run`.execute(trx)
  })
}
