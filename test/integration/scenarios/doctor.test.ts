import { type RawBuilder, sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { insertRow, insertRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

let runId: string
const database = forFile(freshDatabase)
const scenario = forFile(() => insertScenario(database.db))
beforeAll(async () => {
  // What the doctor checks holds by constraints too; here they are away.
  await sql`
    do $$ declare name text; begin
      for name in select conname from pg_constraint
        where conrelid in ('scenario_run'::regclass) and contype in ('c', 'f') loop
        execute format('alter table scenario_run drop constraint %I', name);
      end loop;
    end $$`.execute(database.db)
  await sql`drop index scenario_run_open`.execute(database.db)
})

/** A run that was asked, answered, and is done; its turn is paid from the unit's half and the pool's. */
beforeEach(async () => {
  const { db } = database
  await sql`truncate scenario_run, scenario_step, scenario_answer, turn, quota_ledger, webhook_event cascade`.execute(
    db,
  )
  const at = '2026-11-02T01:00:00Z'
  runId = await insertScenarioRun(db, { scenario, columns: { state: 'done', closed_at: at, node: 'end' } })
  await insertRows(db, 'scenario_step', [
    { run_id: runId, node: 'ask', left_at: at, edge: '{"kind":"otherwise"}', to_node: 'end' },
    { run_id: runId, node: 'end' },
  ])
  await insertRow(db, 'scenario_answer', { run_id: runId, node: 'ask', option_id: 'yes', at })
  await insertRow(db, 'turn', {
    ...{ run_id: runId, number: 1, first_node: 'ask', last_node: 'ask', unit_id: scenario.unitId },
    ...{
      state: 'sent',
      closed_at: at,
      answers_person: false,
      locale: 'zh-TW',
      channel: 'chat',
      by: 'push',
    },
    ...{ month: '2026-11-01', unit_pushes: 1, pool_pushes: 2 },
  })
  const account = { channel: 'chat', month: '2026-11-01', monthly_limit: 10, reserved: 0 } as const
  await insertRows(db, 'quota_ledger', [
    { ...account, scope: scenario.unitId, committed: 1 },
    { ...account, scope: 'pool', committed: 2 },
  ])
})

async function broken(): Promise<string[]> {
  return (await brokenInvariants(database.db)).map(({ name }) => name)
}

describe('the doctor', () => {
  it('finds nothing in runs that went their way', async () => {
    await insertScenarioRun(database.db, { scenario })
    expect(await broken()).toEqual([])
  })

  const timeout = '{"kind":"timeout"}'
  /** A minute before the end of the hour that the question had. */
  const tappedAt = '2026-11-02T01:59:00Z'
  it.each<[string, string, () => RawBuilder<unknown>]>([
    [
      'two open runs with one person',
      'one-open-run',
      () => sql`insert into scenario_run (scenario_id, version_number, unit_id, subject_id, started_by, node)
        select ${scenario.id}, 1, ${scenario.unitId}, subject_id, 'key:k', 'ask'
        from scenario_run cross join generate_series(1, 2)`,
    ],
    ['an open run that was closed', 'one-open-run', () => sql`update scenario_run set state = 'waiting'`],
    ['a closed run without a time', 'one-open-run', () => sql`update scenario_run set closed_at = null`],
    [
      'an open run of no version',
      'one-open-run',
      () => sql`update scenario_run set state = 'waiting', closed_at = null, version_number = 7`,
    ],
    [
      'a step that leads nowhere',
      'paths-join-up',
      () => sql`update scenario_step set to_node = 'x' where node = 'ask'`,
    ],
    ['a step without an edge', 'paths-join-up', () => sql`update scenario_step set edge = null`],
    ['a lost step', 'paths-join-up', () => sql`delete from scenario_step where node = 'end'`],
    [
      'two steps that lead to the same one',
      'paths-join-up',
      () =>
        sql`insert into scenario_step (run_id, node, edge, to_node) values (${runId}, 'b', 'plain', 'end')`,
    ],
    ['a run that ended elsewhere', 'paths-join-up', () => sql`update scenario_run set node = 'ask'`],
    [
      'a turn that the ledger has not counted',
      'ledger-matches-reservations',
      () => sql`update turn set unit_pushes = 2`,
    ],
    ['a lost turn', 'ledger-matches-reservations', () => sql`delete from turn`],
    [
      'a handoff that its run has left',
      'handoffs-have-ends',
      () => sql`insert into handoff (unit_id, run_id, node) select unit_id, id, 'ask' from scenario_run`,
    ],
    [
      'a time-out after an answer',
      'answers-beat-time-outs',
      () => sql`update scenario_step set edge = ${timeout} where node = 'ask'`,
    ],
    [
      'a time-out though a tap was stored in time',
      'answers-beat-time-outs',
      () => sql`with timed_out as (update scenario_step set edge = ${timeout} where node = 'ask' returning run_id),
          unheard as (delete from scenario_answer)
        insert into webhook_event (channel, event_id, type, address, received_at, occurred_at, payload, outcome, done_at)
        select 'chat', 'e', 'postback', 'U1', ${tappedAt}, ${tappedAt}, jsonb_build_object('postback', jsonb_build_object('data',
          json_build_object('v', 1, 's', run_id, 'm', 'ask', 'n', '0', 'o', '0')::text)), 'late', now() from timed_out`,
    ],
  ])('sees %s', async (_, name, harm) => {
    await harm().execute(database.db)
    expect(await broken()).toEqual([name])
  })

  it('allows a time-out before the answer, and runs that are past retention', async () => {
    await sql`update scenario_step set edge = ${timeout} where node = 'ask'`.execute(database.db)
    await sql`update scenario_answer set at = at + interval '1 ms'`.execute(database.db)
    expect(await broken()).toEqual([])
    await sql`
      insert into webhook_event (channel, event_id, type, address, received_at, occurred_at, payload, outcome, done_at)
      select 'chat', data, 'postback', 'U1', '2026-11-02T02:00:01Z', now(), jsonb_build_object('postback',
        jsonb_build_object('data', data)), 'late', now()
      from (values ('no JSON'), (json_build_object('v', 1, 's', ${runId}::text, 'm', 'ask')::text)) as tap (data)`.execute(
      database.db,
    )
    expect(await broken()).toEqual([])
    await sql`delete from scenario_step`.execute(database.db)
    await sql`update scenario_run set purged_at = now()`.execute(database.db)
    expect(await broken()).toEqual([])
  })
})
