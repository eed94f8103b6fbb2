import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { adapters } from '../../../src/channels/index.ts'
import { insertAudit } from '../../../src/db/queries/audit/audit.ts'
import { traceNamed } from '../../../src/services/trace/named.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { insertHandoff } from '../../fixtures/handoffs.ts'
import { renderingOn } from '../../fixtures/rendering.ts'
import { insertRow, insertRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)

const services = () => ({ db: database.db, channels: adapters, rendering: renderingOn(database.db) })
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 8, 0, seconds))

/** A run that asked, looked something up, heard, and has another turn to say. */
async function askedRun() {
  const { db } = database
  const scenario = await insertScenario(db)
  const columns = { node: 'thanks', created_at: at(0), problem: 'quota' as const }
  const runId = await insertScenarioRun(db, { scenario, columns })
  const { subject_id: subjectId } = await scenarioRunRow(db, runId)
  const leaving = { entered_at: at(0), left_at: at(5), edge: '{"kind":"text"}' }
  await insertRows(db, 'scenario_step', [
    { run_id: runId, node: 'ask', ...leaving, to_node: 'thanks' },
    { run_id: runId, node: 'thanks', entered_at: at(5) },
  ])
  const ofRun = { run_id: runId, subject_id: subjectId, unit_id: scenario.unitId }
  const says = JSON.stringify([{ node: 'ask', messages: [{ kind: 'text', text: { 'zh-TW': '祕密的話' } }] }])
  const turn = { ...ofRun, answers_person: false, locale: 'zh-TW', says }
  const retryKey = randomUUID()
  const { id: turnId } = await insertRow(db, 'turn', {
    ...{
      ...turn,
      number: 1,
      first_node: 'ask',
      last_node: 'ask',
      state: 'sent',
      channel: 'chat',
      by: 'push',
    },
    ...{ tries: 2, retry_key: retryKey, request_id: 'request-1' },
    ...{ created_at: at(1), first_try_at: at(2), closed_at: at(3) },
  })
  await insertRow(db, 'turn', {
    ...turn,
    number: 2,
    first_node: 'thanks',
    last_node: 'end',
    created_at: at(6),
  })
  await insertRow(db, 'scenario_answer', { run_id: runId, node: 'ask', text: '祕密的話', at: at(4) })
  await insertRow(db, 'lookup', {
    run_id: runId,
    node: 'seats',
    started_at: at(7),
    ended_at: at(8),
    outcome: 'timeout',
  })
  await insertAudit(db, {
    ...{ unitId: scenario.unitId, actor: 'operator:cli', action: 'retry' },
    ...{ objectKind: 'scenario_run', objectId: runId },
  })
  return { runId, turnId, subjectId: subjectId!, unitId: scenario.unitId, retryKey }
}

it('a trace of a run explains its path, turns, Lookups and answers, and shows no text', async () => {
  const { runId, turnId, retryKey } = await askedRun()
  const entries = await traceNamed(services(), 'operator:cli', runId)
  expect(entries.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^A run of version 1 of “選課諮詢” was started by key:test\.$/),
    'Entered ask.',
    'Turn 1 says ask.',
    `Turn 1 to the provider by chat, as a push, 2 tries (retry key ${retryKey}, the provider's request id request-1).`,
    'Turn 1 was sent.',
    'The person answered ask: a text.',
    'Left ask by text for thanks.',
    'Turn 2 says thanks to end.',
    'The Lookup of seats was sent.',
    'The Lookup of seats ended: timeout.',
    expect.stringMatching(/^retry by /),
    'Turn 2 is pending.',
    'The run is running at thanks. Problem: quota.',
  ])
  expect(JSON.stringify(entries)).not.toContain('祕密的話')
  expect(await traceNamed(services(), 'operator:cli', turnId)).toEqual(entries)
})

it('a trace of a run is printed by its id alone, and audited with the person', async () => {
  const { runId, subjectId, unitId } = await askedRun()
  const { code, out } = await runCarillon({ DATABASE_URL: database.url }, 'trace', runId)
  expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(/Z {2}A run of version 1/)])
  const audited = database.db.selectFrom('audit').select(['unit_id', 'action', 'details'])
  expect(await audited.where('object_id', '=', subjectId).execute()).toEqual([
    { unit_id: unitId, action: 'read', details: { what: 'trace' } },
  ])
})

it('a run that does not exist is not found', async () => {
  for (const named of [randomUUID(), 'no-id'])
    await expect(traceNamed(services(), 'operator:cli', named)).rejects.toMatchObject({ code: 'not_found' })
})

it('knows the handoffs of a run with their replies, and finds one by its id or that of a reply', async () => {
  const { db } = database
  const scenario = await insertScenario(db)
  const runId = await insertScenarioRun(db, { scenario, columns: { created_at: at(0) } })
  const { subject_id } = await scenarioRunRow(db, runId)
  const id = await insertHandoff(db, {
    ...{ unit_id: scenario.unitId, subject_id, run_id: runId, node: 'desk', opened_at: at(1) },
    ...{ closed_at: at(9), closed_by: 'system:run', end_reason: 'timeout' },
  })
  const says = JSON.stringify([{ node: '', messages: [{ kind: 'text', text: { 'zh-TW': '祕密的話' } }] }])
  const { id: replyId } = await insertRow(db, 'turn', {
    ...{ handoff_id: id, subject_id, unit_id: scenario.unitId, number: 1, first_node: '', last_node: '' },
    ...{ answers_person: true, locale: 'zh-TW', says, created_at: at(2), closed_at: at(3) },
    ...{ state: 'skipped' as const, reason: 'expired' },
  })
  const expected = [
    `Handoff ${id} was opened by desk.`,
    'Reply 1 was stored by a member of the unit.',
    'Reply 1 was not sent: the provider or the quota held it back for longer than it may be late.',
    `Handoff ${id} was closed because the time of its node was over.`,
  ]
  for (const named of [id, replyId])
    expect((await traceNamed(services(), 'operator:cli', named)).map(({ text }) => text)).toEqual(expected)
  const ofRun = (await traceNamed(services(), 'operator:cli', runId)).map(({ text }) => text)
  expect(ofRun).toEqual(expect.arrayContaining(expected))
})
