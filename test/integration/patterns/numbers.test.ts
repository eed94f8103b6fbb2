import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PatternQuestion } from '../../../src/contract/patterns/pattern.ts'
import { eraseSubject } from '../../../src/db/queries/erasure/record.ts'
import { keepDeliveries } from '../../../src/db/queries/pattern/preserve-counts.ts'
import { purgeSlice, type Retention } from '../../../src/services/retention.ts'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { type InsertedPattern, insertPattern, walkOn } from '../../fixtures/patterns.ts'
import { insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'

const join: PatternQuestion = {
  ...{ id: 'join', text: { 'zh-TW': '要嗎？' } },
  options: ['yes', 'no'].map((id) => ({ id, label: { 'zh-TW': id } })),
}
/** What people did who were told by the message, and one who was not. */
const told = ['registered', 'waits', 'declined', 'left', 'opened', 'begunToo', 'silent'] as const
const untold = ['begunTwice', 'byKeyword'] as const
type Name = (typeof told)[number] | (typeof untold)[number]

let pattern: InsertedPattern
let people: Record<Name, string>
let wave: string
const api = forFile(startApi)

beforeEach(async () => {
  const { db } = api.database
  pattern = await insertPattern(db, { questions: JSON.stringify([join]), attendance: 'join' }, api.units.a)
  const invitees = await insertPeople(told)
  wave = await invite()
  people = { ...invitees, ...(await insertPeople(untold)) } as typeof people
  await comes('registered', 'yes')
  await comes('waits', 'yes')
  await comes('declined', 'no')
  await asks(await comes('left', 'yes'))
  await answers('left', 'no')
  for (const name of ['opened', 'registered'] as const)
    await db.insertInto('inbox_read').values({ wave_id: wave, subject_id: people[name] }).execute()
  await sayTo(await begin('begunToo', 'key:test'))
  await sayTo(await begin('begunTwice', 'key:test', 'one'))
  await sayTo(await begin('begunTwice', 'key:test', 'two'))
  await comes('byKeyword', 'no')
})

async function insertPeople(names: readonly string[]): Promise<Record<string, string>> {
  const uids = names.map((name) => ({ uid: `${name} ${pattern.id}` }))
  const rows = await api.database.db.insertInto('subject').values(uids).returning('id').execute()
  return Object.fromEntries(rows.map(({ id }, index) => [names[index], id]))
}

/** Sends the invitation. Returns its wave. */
async function invite(): Promise<string> {
  const label = { 'zh-TW': '開始' }
  const actions = [{ kind: 'jumpScenario', label, scenarioId: pattern.scenario.id }]
  const body = { ...newMessage, messages: [{ kind: 'buttons', text: label, actions }] }
  return (await insertSentMessage(api, body)).waveId
}

async function begin(name: Name, startedBy: string, occasion = ''): Promise<string> {
  const columns = { node: 'take', started_by: startedBy, occasion }
  const of = { scenario: pattern.scenario, subjectId: people[name], columns }
  return insertScenarioRun(api.database.db, of)
}

/** Somebody begins a run and answers so; who says yes asks for a place. */
async function comes(name: Name, optionId: 'yes' | 'no'): Promise<string> {
  const id = await begin(name, `recipient:${people[name]}`)
  await answers(name, optionId)
  if (optionId === 'yes') await asks(id)
  return id
}

const asks = (id: string) => walkOn(api.services, id)

async function answers(name: Name, optionId: string): Promise<void> {
  await sql`
    insert into pattern_answer (pattern_id, subject_id, question, option_id)
    values (${pattern.id}, ${people[name]}, 'join', ${optionId})
    on conflict (pattern_id, subject_id, question) do update set option_id = excluded.option_id`.execute(
    api.database.db,
  )
}

async function sayTo(runId: string): Promise<void> {
  const { subject_id, unit_id } = await scenarioRunRow(api.database.db, runId)
  await sql`
    insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, state, closed_at)
    values (${runId}, 1, 'take', 'take', ${subject_id}, ${unit_id}, false, 'zh-TW', 'sent', now())`.execute(
    api.database.db,
  )
  await sql`insert into scenario_answer (run_id, node, option_id) values (${runId}, 'take', 'withdraw')`.execute(
    api.database.db,
  )
}

const report = async () => (await api.call('getPatternReport', { key: api.keys.a, id: pattern.id })).body

/** What happened, beside where people stand now. */
async function happened(): Promise<object> {
  const { registered, waitlisted, withdrawn, ...others } = await report()
  return { ...others, asked: registered! + waitlisted! + withdrawn! }
}

async function erase(name: Name): Promise<void> {
  const { db } = api.database
  const subject = { id: people[name], uid: `${name} ${pattern.id}` }
  expect(await db.transaction().execute((trx) => eraseSubject(trx, subject))).toBe(true)
}

describe('the numbers of a pattern', () => {
  it.each([...told, ...untold])('stay when the person is erased who: %s', async (name) => {
    const before = await happened()
    await erase(name)
    expect(await happened()).toEqual(before)
  })

  it('stay when everybody is erased, and their deliveries are deleted', async () => {
    const before = await happened()
    for (const name of [...told, ...untold].reverse()) {
      await erase(name)
      expect(await happened(), name).toEqual(before)
    }
    await deleteDeliveries()
    expect(await happened()).toEqual(before)
  })

  it('say where people stand: an erased person gives up their place, and who waits has it', async () => {
    expect(await report()).toMatchObject({ registered: 1, waitlisted: 2, withdrawn: 0 })
    await erase('registered')
    expect(await report()).toMatchObject({ registered: 1, waitlisted: 1, withdrawn: 1 })
  })

  const forgetting = { runs: forgetRuns, deliveries: deleteDeliveries, names: forgetNames }
  const orders = [
    ['runs', 'deliveries', 'names'],
    ['deliveries', 'runs', 'names'],
    ['names', 'deliveries', 'runs'],
  ] as const
  it.each(orders)('outlive retention: first %s, then %s, then %s', async (...order) => {
    const before = await report()
    for (const what of order) {
      await forgetting[what]()
      expect(await report(), what).toEqual(before)
    }
  })

  it('outlive an erasure between two purges', async () => {
    const before = await happened()
    await forgetRuns()
    await erase('begunToo')
    await erase('opened')
    await deleteDeliveries()
    await forgetNames()
    expect(await happened()).toEqual(before)
  })
})

const retention = { RETENTION_RUNS_DAYS: 365 } as Retention

async function purge(): Promise<void> {
  for (;;) {
    const counts = await purgeSlice(api.database.db, retention, new Map())
    if (Object.values(counts).every((n) => n === 0)) return
  }
}

async function forgetRuns(): Promise<void> {
  await sql`
    update scenario_run set state = 'done', closed_at = now() - interval '400 days'
    where scenario_id = ${pattern.scenario.id}`.execute(api.database.db)
  await purge()
}

async function forgetNames(): Promise<void> {
  await sql`update pattern set deadline = now() - interval '400 days' where id = ${pattern.id}`.execute(
    api.database.db,
  )
  await purge()
  const named = sql<{ n: number }>`
    select count(*) as n from registration where pattern_id = ${pattern.id} and subject_id is not null`
  expect((await named.execute(api.database.db)).rows[0]!.n).toBe(0)
}

async function deleteDeliveries(): Promise<void> {
  await api.database.db.transaction().execute(async (trx) => {
    await keepDeliveries(trx, { from: wave, to: 'ffffffff-ffff-ffff-ffff-ffffffffffff' })
    await sql`delete from delivery where wave_id = ${wave}`.execute(trx)
    await sql`delete from inbox_read where wave_id = ${wave}`.execute(trx)
  })
}
