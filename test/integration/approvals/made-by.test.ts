import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { adapters } from '../../../src/channels/index.ts'
import { makeOccurrence } from '../../../src/services/schedules/make-occurrence.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newPattern } from '../../fixtures/new-pattern.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { textOf } from '../../fixtures/pages.ts'
import { makeDueAt } from '../../fixtures/schedule-rows.ts'
import { type SignInFixture, startSignIn } from '../../fixtures/sign-in.ts'
import { signedIn } from '../../fixtures/sign-in-browser.ts'
import { forFile } from '../../harness/for-file.ts'

let api: SignInFixture['api']
const fixture = forFile(() => startSignIn({ channels: { chat: adapters.chat } }))
beforeAll(async () => {
  ;({ api } = fixture)
  await sql`update unit set time_zone = 'Asia/Taipei'`.execute(api.database.db)
})

/** What the approver reads on a page, in this language. */
async function read(path: string, language: 'zh-TW' | 'en' = 'en'): Promise<string> {
  await sql`update person set language = ${language}`.execute(api.database.db)
  return textOf(await signedIn(api.sessions.approver).open(`${fixture.baseUrl}${path}`))
}

async function schedule(parts: object): Promise<string> {
  const body = { name: '每週提醒', type: 'recurring', cron: '0 9 * * MON,THU', ...parts }
  const answer = await api.call('createSchedule', { key: api.keys.a, body })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.id
}

describe('a message that a schedule made', () => {
  const makeBySchedule = async (parts: object = {}) => {
    const id = await schedule({ message: { ...newMessage, categoryId: 'manual' }, ...parts })
    await makeDueAt(api.database.db, id, new Date())
    await makeOccurrence(api.services, id)
    const { body } = await api.call('listOccurrences', { key: api.keys.a, id })
    return { id, path: `/approvals/message/${body.items[0].messageId}` }
  }

  it('names it on its page, with when it recurs and what it makes next', async () => {
    const { id, path } = await makeBySchedule()
    const words = await read(path)
    for (const part of [
      'Schedule “每週提醒”: every Monday and Thursday at 09:00 (Taiwan Standard Time)',
      'Your decision applies to this message only',
      'Uses the rights of test',
      'Author the schedule “每週提醒”',
    ])
      expect(words).toContain(part)
    expect(words).toMatch(/Next: \w+ \d+, 09:00, \w+ \d+, 09:00, and \w+ \d+, 09:00 /)
    expect(await read(path, 'zh-TW')).toContain('排程「每週提醒」：每週一、四 09:00（台北標準時間）')

    await api.call('editSchedule', { key: api.keys.a, id, body: { enabled: false } })
    expect(await read(path)).toContain('The schedule is disabled and creates no more messages.')
    await api.call('deleteSchedule', { key: api.keys.a, id })
    expect(await read(path)).toContain('created by a schedule that has since been deleted.')
  })

  it('names it in the list', async () => {
    await makeBySchedule({ name: '每月提醒', cron: '0 9 L * *' })
    expect(await read('/approvals')).toContain('Message · from the schedule “每月提醒” · submitted')
    expect(await read('/approvals', 'zh-TW')).toContain('訊息 · 排程「每月提醒」')
  })

  it('is not one that a key made', async () => {
    const headers = { 'idempotency-key': 'by-hand' }
    const body = { ...newMessage, categoryId: 'manual' }
    const { id } = (await api.call('createMessage', { key: api.keys.a, headers, body })).body
    await api.call('submitMessage', { key: api.keys.a, id })
    expect(await read(`/approvals/message/${id}`)).not.toContain('chedule')
  })
})

describe('a scenario', () => {
  const approved = async (): Promise<string> => {
    const body = newScenario({ categoryId: 'manual' })
    const { id } = (await api.call('createScenario', { key: api.keys.a, body })).body
    await api.call('putScenario', { key: api.keys.a, id, body: { state: 'active' } })
    const { session, body: decision } = { session: api.sessions.approver, body: { version: 1 } }
    expect((await api.call('approveScenario', { session, id, body: decision })).status).toBe(200)
    return id
  }
  const audience = { kind: 'query', roles: ['student'] }

  it('that schedules start names them, also those that are disabled', async () => {
    const id = await approved()
    const path = `/approvals/scenario/${id}`
    expect(await read(path)).toContain('Starts Not automatically')
    const start = { scenario: { scenarioId: id, audience } }
    await schedule({ ...start, name: 'Weekly' })
    await schedule({ ...start, name: 'Sometimes', cron: '*/30 9 1-7 * 1', enabled: false })
    await schedule({ ...start, name: 'Soon', type: 'delay', cron: undefined, delaySeconds: 7_200 })
    const words = await read(path)
    for (const part of [
      'Schedule “Weekly”: every Monday and Thursday at 09:00 (Taiwan Standard Time)',
      'Schedule “Sometimes”: by the cron expression */30 9 1-7 * 1 (Taiwan Standard Time) (disabled)',
      'Schedule “Soon”: once, 2 hours after it was created or enabled',
    ])
      expect(words).toContain(part)
    expect(words).not.toContain('Not by itself')
    expect(await read(path, 'zh-TW')).toContain('排程「Soon」：一次，建立或啟用後 2 小時')
    const other = await approved()
    expect(await read(`/approvals/scenario/${other}`)).not.toContain('Weekly')
  })

  const pattern = async (parts: object) => {
    const body = { ...newPattern({ categoryId: 'manual', deadline: '2099-12-01T10:00:00Z' }), ...parts }
    const { id, scenarioId } = (await api.call('createPattern', { key: api.keys.a, body })).body
    await api.call('putScenario', { key: api.keys.a, id: scenarioId, body: { state: 'active' } })
    return { id, path: `/approvals/scenario/${scenarioId}` }
  }

  it('of a registration says how many places it has, until when, and who waits', async () => {
    const { id, path } = await pattern({})
    const words = await read(path)
    for (const part of [
      'Registration: Library tour',
      '30 places; then a waiting list; when a person withdraws, the next one gets the place',
      'Open until Tue, Dec 1, 2099, 18:00 (Taiwan Standard Time)',
      'The unit can move the deadline and add places later without another approval.',
      'If all places are taken, sends the above and adds the person to the waiting list',
      'Closed → step',
      'What it asks Would you like to register?: Register, Not this time',
      'The conversation, played',
      'The conversation, played',
      'You are registered for “Library tour”.',
      'The whole graph, with every message',
    ])
      expect(words).toContain(part)
    // The deadline ends its questions, which could wait for longer.
    expect(words).not.toMatch(/366|No answer in/)
    const chinese = await read(path, 'zh-TW')
    expect(chinese).toContain(
      '報名：圖書館導覽 名額 30 人，額滿後可以候補，有人取消時依序遞補 截止時間：2099年12月1日',
    )
    const past = { deadline: '2020-01-01T00:00:00Z' }
    expect((await api.call('patchPattern', { key: api.keys.a, id, body: past })).status).toBe(200)
    expect(await read(path)).toContain('Closed since Wed, Jan 1, 2020, 08:00')
  })

  it('of a survey says until when, and nothing about places', async () => {
    const { path } = await pattern({ type: 'survey', capacity: undefined, waitingList: undefined })
    const words = await read(path)
    expect(words).toContain('Survey: Library tour Open until Tue, Dec 1, 2099')
    expect(words).not.toMatch(/places|waiting list/)
  })
})
