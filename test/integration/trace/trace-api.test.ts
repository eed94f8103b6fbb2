import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { trace } from '../../../src/services/trace/trace.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const traced = (id: string, as: CallOptions, uid = 's1') =>
  api.call('traceMessage', { ...as, id, query: { uid } })

it('the trace of a message is what the command says, in both languages, and is audited', async () => {
  const { id } = await insertSentMessage(api, newMessage)
  const { status, body } = await traced(id, { key: api.keys.individual })
  expect(status).toBe(200)
  const lines = await trace(api.database.db, 'operator:cli', id, 's1')
  expect(body.items.map(({ text }: { text: { en: string } }) => text.en)).toEqual(
    lines.map(({ text }) => text.en),
  )
  for (const { text } of body.items) expect(text['zh-TW']).toMatch(/\p{Script=Han}/u)
  const { actor, object_kind, details } = await api.database.db
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'read')
    .where('actor', 'like', 'key:%')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect([actor.startsWith('key:'), object_kind, details]).toEqual([true, 'subject', { what: 'trace' }])
})

it('who may ask about one person, and who may not', async () => {
  const { id } = await insertSentMessage(api, newMessage)
  const codes = async (as: CallOptions) => (await traced(id, as)).code
  expect(await codes({ key: api.keys.individual })).toBeNull()
  expect(await codes({ session: api.sessions.approver })).toBeNull()
  expect(await codes({ key: api.keys.a })).toBe('forbidden')
  expect(await codes({ session: api.sessions.editor })).toBe('forbidden')
  expect(await codes({ key: api.keys.b })).toBe('not_found')
  expect((await traced(id, { key: api.keys.individual }, 'nobody')).code).toBe('not_found')
  expect((await api.call('traceMessage', { key: api.keys.individual, id })).code).toBe('validation_error')
})

it('the trace of a run has its path, for who sees its person', async () => {
  const { db } = api.database
  const scenario = await insertScenario(db, { unitId: api.units.a })
  const id = await insertScenarioRun(db, { scenario })
  const traceFor = (as: CallOptions) => api.call('traceRun', { ...as, id })
  const { body } = await traceFor({ key: api.keys.individual })
  expect(body.items.map(({ code }: { code: string }) => code)).toEqual(
    expect.arrayContaining(['run_started', 'run_stands']),
  )
  expect((await traceFor({ session: api.sessions.approver })).status).toBe(200)
  expect((await traceFor({ key: api.keys.a })).code).toBe('forbidden')
  expect((await traceFor({ session: api.sessions.editor })).code).toBe('forbidden')
  expect((await api.call('traceRun', { key: api.keys.individual, id: randomUUID() })).code).toBe('not_found')
})
