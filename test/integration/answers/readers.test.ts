import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import { insertAnswer } from '../../../src/db/queries/answer/answer.ts'
import { changeRoles } from '../../../src/services/admin/members.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newPattern } from '../../fixtures/new-pattern.ts'
import { insertRow, selectRow } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

/** What is answered: how it is submitted by the editor, with organisers; how a person answers, and who reads it. */
type Answered = {
  submit(organisers?: string[]): Promise<string>
  answer(id: string, uid: string): Promise<void>
  list: OperationId
  name: OperationId
}

const quickReply = {
  ...{ kind: 'quickReply', text: { 'zh-TW': '您會來嗎？' } },
  options: [{ id: 'yes', label: { 'zh-TW': '會' } }],
}
const survey = newPattern({
  type: 'survey',
  categoryId: 'manual',
  ...{ capacity: undefined, waitingList: undefined },
  questions: [{ id: 'wish', text: { 'zh-TW': '想吃什麼？' } }],
})

const api = forFile(startApi)
let people: Record<'editor' | 'approver' | 'twoUnits' | 'stranger', string>
beforeAll(async () => {
  const rows = await api.database.db.selectFrom('person').select(['id', 'name']).execute()
  const named = (name: string) => rows.find((row) => row.name === name)!.id
  people = {
    ...{ editor: named('Editor'), approver: named('Approver') },
    ...{ twoUnits: named('Two units'), stranger: named('Stranger') },
  }
})

const editor = () => ({ session: api.sessions.editor })
const approver = () => ({ session: api.sessions.approver })
const otherEditor = () => ({ session: api.sessions.twoUnits })

const subjectId = async (uid: string) => (await selectRow(api.database.db, 'subject', { uid }, ['id'])).id

const kinds: Record<string, Answered> = {
  message: {
    async submit(organisers) {
      const body = { ...newMessage, categoryId: 'manual', messages: [quickReply] }
      const headers = { 'idempotency-key': randomUUID() }
      const { id } = (await api.call('createMessage', { ...editor(), headers, body })).body
      const submitted = await api.call('submitMessage', {
        ...editor(),
        id,
        ...(organisers && { body: { organisers } }),
      })
      expect(submitted.code).toBeNull()
      await api.call('approveMessage', { ...approver(), id })
      return id
    },
    answer: async (messageId, uid) =>
      void (await insertAnswer(api.database.db, {
        ...{ messageId, subjectId: await subjectId(uid), question: '0', n: 0, o: '0', optionId: 'yes' },
        ...{ data: null, channel: 'chat', at: null },
      })),
    ...{ list: 'listMessageAnswers', name: 'nameMessageOrganisers' },
  },
  pattern: {
    async submit(organisers) {
      const { id, scenarioId } = (await api.call('createPattern', { ...editor(), body: survey })).body
      await activate(scenarioId, editor(), organisers)
      await api.call('approveScenario', { ...approver(), id: scenarioId, body: { version: 1 } })
      return id
    },
    answer: async (pattern_id, uid) => {
      await insertRow(api.database.db, 'pattern_answer', {
        ...{ pattern_id, subject_id: await subjectId(uid), question: 'wish', option_id: null, text: '素食' },
      })
    },
    ...{ list: 'listPatternAnswers', name: 'namePatternOrganisers' },
  },
}

async function activate(id: string, by: CallOptions, organisers?: string[], content: object = {}) {
  const body = { ...content, state: 'active', ...(organisers && { organisers }) }
  const answer = await api.call('putScenario', { ...by, id, body })
  expect(answer.code).toBeNull()
}

describe.each(Object.entries(kinds))('who answered a %s', (_, { submit, answer, list, name }) => {
  let id: string
  beforeEach(async () => {
    id = await submit([people.twoUnits])
    await answer(id, 's1')
  })

  /** The uids that a caller reads; or the code of the error. */
  async function read(by: CallOptions, of = id): Promise<string[] | string> {
    const { code, body } = await api.call(list, { ...by, id: of })
    return code ?? body.items.map(({ uid }: { uid: string }) => uid)
  }

  it('is read by who submitted it, organisers, approvers and keys that may target individuals', async () => {
    for (const by of [editor(), otherEditor(), approver(), { key: api.keys.individual }])
      expect(await read(by)).toEqual(['s1'])
  })

  it('is read by nobody else', async () => {
    const other = await submit()
    await answer(other, 's1')
    expect(await read(otherEditor(), other)).toBe('forbidden')
    expect(await read({ key: api.keys.a })).toBe('forbidden')
    expect(await read({ key: api.keys.restricted })).toBe('forbidden')
    for (const by of [
      { key: api.keys.b },
      { session: api.sessions.otherApprover },
      { session: api.sessions.stranger },
    ])
      expect(await read(by)).toBe('not_found')
    expect(await read({ key: await api.newKey(api.units.b, { individualTargeting: true }) })).toBe(
      'not_found',
    )
    expect(await read({ headers: { 'x-mock-channel-user': 'Us1' } })).toBe('unauthenticated')
  })

  it('is read by an organiser who was named later from then on', async () => {
    const other = await submit()
    await answer(other, 's1')
    expect(
      (await api.call(name, { ...approver(), id: other, body: { organisers: [people.twoUnits] } })).code,
    ).toBeNull()
    expect(await read(otherEditor(), other)).toEqual([])
    await answer(other, 's2')
    expect(await read(otherEditor(), other)).toEqual(['s2'])
    // Naming them again, with another, takes nothing from them and gives them nothing.
    const both = { organisers: [people.twoUnits, people.editor] }
    const { body } = await api.call(name, { ...approver(), id: other, body: both })
    expect(body.organisers.map((one: { name: string }) => one.name)).toEqual(['Editor', 'Two units'])
    expect(await read(otherEditor(), other)).toEqual(['s2'])
  })

  it('is read no more by an organiser who was removed, or has left the unit and come back', async () => {
    await api.call(name, { ...approver(), id, body: { organisers: [] } })
    expect(await read(otherEditor())).toBe('forbidden')
    const other = await submit([people.twoUnits])
    const { db } = api.database
    const roles = { personId: people.twoUnits }
    await changeRoles(db, 'operator:cli', api.units.a, { ...roles, remove: ['editor'] })
    expect(await read(otherEditor(), other)).toBe('not_found')
    await changeRoles(db, 'operator:cli', api.units.a, { ...roles, add: ['editor'] })
    expect(await read(otherEditor(), other)).toBe('forbidden')
  })

  it('has organisers whom only an approver changes, of members of the unit', async () => {
    const body = { organisers: [people.editor] }
    expect((await api.call(name, { ...editor(), id, body })).code).toBe('forbidden')
    expect((await api.call(name, { key: api.keys.individual, id, body })).code).toBe('forbidden')
    expect((await api.call(name, { session: api.sessions.otherApprover, id, body })).code).toBe('not_found')
    const stranger = await api.call(name, { ...approver(), id, body: { organisers: [people.stranger] } })
    expect([stranger.code, stranger.body.error.details.issues[0].path]).toEqual(['not_found', 'organisers'])
    expect(await read(otherEditor())).toEqual(['s1'])
  })

  it('leaves a trace of each look, without what was read or looked for', async () => {
    await api.call(list, { ...otherEditor(), id, query: { q: 's1' } })
    const { rows } =
      await sql`select actor, details from audit where object_id = ${id} and action = 'read'`.execute(
        api.database.db,
      )
    expect(rows).toEqual([{ actor: `person:${people.twoUnits}`, details: { what: 'answers' } }])
  })
})

describe('the submitter of a pattern', () => {
  it('is who submitted the version in force, and reads what was answered since', async () => {
    const { submit, answer } = kinds.pattern!
    const id = await submit()
    await answer(id, 's1')
    const read = async (by: CallOptions) => {
      const { code, body } = await api.call('listPatternAnswers', { ...by, id })
      return code ?? body.items.map(({ uid }: { uid: string }) => uid)
    }
    const { scenarioId } = (await api.call('getPattern', { ...approver(), id })).body
    const scenario = (await api.call('getScenario', { ...approver(), id: scenarioId })).body
    const { name, categoryId, nodes, edges } = scenario
    const changed = { name: `${name} 2`, categoryId, nodes, edges }
    const named = await api.call('putScenario', {
      ...{ ...otherEditor(), id: scenarioId },
      body: { ...changed, state: 'active', organisers: [people.twoUnits] },
    })
    expect(named.code).toBe('forbidden')
    await activate(scenarioId, otherEditor(), undefined, changed)
    expect([await read(editor()), await read(otherEditor())]).toEqual([['s1'], 'forbidden'])
    await api.call('approveScenario', { ...approver(), id: scenarioId, body: { version: 2 } })
    expect([await read(editor()), await read(otherEditor())]).toEqual(['forbidden', []])
    await answer(id, 's2')
    expect(await read(otherEditor())).toEqual(['s2'])
  })
})

it('only the scenario of a pattern has organisers, and only its activation names them', async () => {
  const { id, scenarioId } = (await api.call('createPattern', { ...editor(), body: survey })).body
  const organisers = [people.twoUnits]
  const put = (body: object) => api.call('putScenario', { ...editor(), id: scenarioId, body })
  expect((await put({ state: 'retired', organisers })).code).toBe('validation_error')
  expect((await put({ state: 'active', organisers })).body.state).toBe('submitted')
  expect((await put({ state: 'active', organisers: [] })).code).toBe('forbidden')
  const pattern = (await api.call('getPattern', { ...editor(), id })).body
  expect(pattern.organisers).toMatchObject([{ id: people.twoUnits, name: 'Two units' }])
})
