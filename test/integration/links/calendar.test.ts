import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { beforeEach, describe, expect, it } from 'vitest'
import { chatLinkSigner } from '../../../src/channels/chat/tracked-links.ts'
import { linkSigner } from '../../../src/channels/email/links.ts'
import { mailForm, writeMail } from '../../../src/channels/email/message.ts'
import { adapters } from '../../../src/channels/index.ts'
import { purgeSlice } from '../../../src/services/retention.ts'
import { startApi } from '../../fixtures/api.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { newPattern } from '../../fixtures/new-pattern.ts'
import { walkOn } from '../../fixtures/patterns.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

const links = linkSigner(Buffer.alloc(32, 7))
const publicUrl = 'https://hub.example.edu'
const chatLinks = chatLinkSigner(Buffer.alloc(32, 7))
const api = forFile(() => startApi({ services: { links, chatLinks, publicUrl, channels: adapters } }))
const calendar = {
  start: '2030-12-01T09:00:00+08:00',
  end: '2030-12-01T11:00:00+08:00',
  location: { 'zh-TW': '大禮堂', en: 'Main hall' },
}

/** A message with an entry, submitted; by chat and mail. */
async function submitted(more: object = {}): Promise<string> {
  const plan = JSON.stringify({ mode: 'all', channels: ['chat', 'email'] })
  await sql`update category set channel_plan = ${plan} where id = 'news'`.execute(api.database.db)
  const { body } = await createMessage(api, { calendar, ...more })
  const { status, body: answer } = await api.call('submitMessage', { key: api.keys.a, id: body.id })
  expect(status, JSON.stringify(answer)).toBe(200)
  return body.id
}

const previewOf = async (id: string, channel: string, locale = 'zh-TW') =>
  (await api.call('previewMessage', { key: api.keys.a, id, body: { channel, locale } })).body

/** The address of the entry in a preview of the chat. */
async function addressOf(id: string, locale = 'zh-TW'): Promise<string> {
  const { calls } = await previewOf(id, 'chat', locale)
  return /https:\/\/hub\.example\.edu(\/calendar\/[^"?]+)/.exec(JSON.stringify(calls))![1]!
}

async function open(address: string) {
  const { statusCode, headers, payload } = await api.app.inject({ url: address })
  return { status: statusCode, headers, text: payload.replaceAll('\r\n ', '') }
}

async function started(id: string): Promise<void> {
  await sql`insert into wave (message_id, month, state, started_at) values (${id}, '2030-12-01', 'sent', now())`.execute(
    api.database.db,
  )
}

describe('the entry of a message', () => {
  it('is one more message of the call, before the options below the last one', async () => {
    const options = [{ id: 'yes', label: { 'zh-TW': '參加' } }]
    const id = await submitted({ messages: [{ kind: 'quickReply', text: { 'zh-TW': '來嗎？' }, options }] })
    const { calls } = await previewOf(id, 'chat')
    expect(calls).toHaveLength(1)
    const [entry, question] = calls[0]
    expect(entry.altText).toBe('來嗎？\n12 月 1 日（日）09:00–11:00\n大禮堂')
    expect(entry.contents.footer.contents[0].action).toMatchObject({ type: 'uri', label: '加入行事曆' })
    expect(question.quickReply.items).toHaveLength(1)
    const english = await previewOf(id, 'chat', 'en')
    expect(english.calls[0][0].altText).toBe('來嗎？\nSun, Dec 1, at 09:00–11:00\nMain hall')
  })

  it('is counted among the messages of a call', async () => {
    const blocks = Array.from({ length: 5 }, () => ({ kind: 'text', text: { 'zh-TW': '文字' } }))
    const costOf = async (more: object) => {
      const { body } = await createMessage(api, { messages: blocks, ...more })
      return (await api.call('dryRunMessage', { key: api.keys.a, id: body.id })).body.quota.chat
        .pushesPerPerson
    }
    expect(await costOf({})).toBe(1)
    expect(await costOf({ calendar })).toBe(2)
  })

  it('is a file once the message is being sent, and cancelled once it was stopped', async () => {
    const id = await submitted({ subject: { 'zh-TW': '開放日', en: 'Open day' } })
    const address = await addressOf(id)
    expect((await open(address)).headers['content-type']).toContain('text/html')
    await started(id)
    const { headers, text } = await open(address)
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(text).toContain(`UID:${id}@hub.example.edu`)
    expect(text).toContain('SUMMARY:開放日')
    expect(text).toContain('DTSTART;TZID=Asia/Taipei:20301201T090000')
    expect((await open(await addressOf(id, 'en'))).text).toContain('SUMMARY:Open day')
    await sql`update message set state = 'stopped' where id = ${id}`.execute(api.database.db)
    const gone = (await open(address)).text
    expect(gone).toContain('METHOD:CANCEL')
    expect(gone).toContain(`UID:${id}@hub.example.edu`)
  })

  it('is attached to its mails, beside the same button', async () => {
    const id = await submitted()
    const { compiled } = await selectRow(api.database.db, 'message_content', { message_id: id }, ['compiled'])
    const form = mailForm(compiled!.email!.locales['zh-TW']!.parts[0]![0]!, {
      ...{ from: { name: 'Hub', address: 'hub@example.edu' }, publicUrl, messageId: id },
    })
    const recipient = { address: 's1@example.edu', waveId: id, subjectId: id }
    const mail = await writeMail(form, recipient, { links, dkim: undefined, date: new Date() })
    const { html, attachments, text } = await PostalMime.parse(mail!.bytes)
    expect(html).toContain('加入行事曆')
    expect(html).toContain(await addressOf(id))
    expect(text).toContain(await addressOf(id))
    expect(attachments).toMatchObject([{ filename: 'event.ics', mimeType: 'text/calendar' }])
    await started(id)
    // The parser gives texts the line ends of this machine.
    const attached = Buffer.from(attachments[0]!.content as ArrayBuffer).toString()
    const served = (await api.app.inject({ url: await addressOf(id) })).payload
    expect(attached.replaceAll('\r\n', '\n')).toBe(served.replaceAll('\r\n', '\n'))
    const token = /\/l\/([\w-]+)/.exec(html!)![1]!
    expect(links.verify(token)).not.toBeNull()
  })

  it('is gone with the text of its message', async () => {
    const id = await submitted()
    const address = await addressOf(id)
    await started(id)
    await sql`update message set closed_at = now() - interval '2 days', state = 'sent' where id = ${id}`.execute(
      api.database.db,
    )
    await purgeSlice(api.database.db, { ...keepAll, RETENTION_MESSAGES_DAYS: 1 }, new Map())
    expect((await open(address)).status).toBe(410)
  })

  it('has an address that nobody can make up', async () => {
    const id = await submitted()
    const address = await addressOf(id)
    await started(id)
    for (const other of [
      address.replace(/.(?=\.ics$)/, (last) => (last === 'A' ? 'B' : 'A')),
      '/calendar/x.ics',
      '/calendar/',
    ])
      expect((await open(other)).status).toBe(404)
    expect(
      (await api.app.inject({ url: address.replace('/calendar/', '/l/').replace('.ics', '') })).statusCode,
    ).toBe(404)
  })

  it('is edited, copied and left out as other fields are', async () => {
    const { body } = await createMessage(api, { calendar })
    const detail = async (id: string) => (await api.call('getMessage', { key: api.keys.a, id })).body
    expect((await detail(body.id)).content.calendar).toEqual(calendar)
    const headers = { 'idempotency-key': 'copy of a calendar' }
    const copy = (await api.call('copyMessage', { key: api.keys.a, id: body.id, headers })).body
    expect((await detail(copy.id)).content.calendar).toEqual(calendar)
    await api.call('editMessage', { key: api.keys.a, id: body.id, body: { calendar: null } })
    expect((await detail(body.id)).content).not.toHaveProperty('calendar')
  })

  it.each([
    [{ ...calendar, end: calendar.start }, 'calendar.end'],
    [{ ...calendar, start: '2030-12-01T09:00:00' }, 'calendar.start'],
    [{ ...calendar, title: { en: 'x' } }, 'calendar.title.zh-TW'],
    [{ ...calendar, location: { 'zh-TW': 'x'.repeat(201) } }, 'calendar.location.zh-TW'],
  ])('%j is refused at %s', async (wrong, path) => {
    const { status, body } = await createMessage(api, { calendar: wrong })
    expect(status).toBe(400)
    expect(body.error.details.issues).toMatchObject([{ path }])
  })

  it('with characters that deceive cannot be submitted', async () => {
    const { body } = await createMessage(api, {
      calendar: { ...calendar, location: { 'zh-TW': 'a\u202Eb' } },
    })
    const { body: refused } = await api.call('submitMessage', { key: api.keys.a, id: body.id })
    expect(refused.error.details.violations).toMatchObject([
      { path: 'calendar.location.zh-TW', code: 'invisible_character' },
    ])
  })
})

describe('the entry of a pattern', () => {
  let pattern: { id: string; scenarioId: string }
  beforeEach(async () => {
    const body = newPattern({ calendar })
    pattern = (await api.call('createPattern', { key: api.keys.individual, body })).body
    expect(pattern.id).toBeDefined()
    const put = { key: api.keys.individual, id: pattern.scenarioId, body: { state: 'active' } }
    expect((await api.call('putScenario', put)).body).toMatchObject({ state: 'active' })
  })

  async function ask(node: string) {
    const { db } = api.database
    const { id: subjectId } = await db.selectFrom('subject').select('id').limit(1).executeTakeFirstOrThrow()
    const scenario = { id: pattern.scenarioId, unitId: api.units.a, version: 1 }
    const columns = { node, started_by: 'key:test' }
    const run = await insertScenarioRun(db, { scenario, subjectId, columns } as never)
    await walkOn(api.services, run)
    const { rows } = await sql<{
      says: string
    }>`select says::text from turn where run_id = ${run} order by number`.execute(db)
    return { run, said: rows.map(({ says }) => says).join('\n') }
  }

  it('is offered with the place, and taken back when it is given up', async () => {
    const { run, said: text } = await ask('take')
    const address = /hub\.example\.edu(\/calendar\/[^"]+\.ics)/.exec(text)?.[1]
    expect(text).toContain('加入行事曆')
    expect(address).toBeDefined()
    const file = await open(address!)
    expect(file.text).toContain('METHOD:PUBLISH')
    const uid = /UID:(\S+)/.exec(file.text)![1]!
    expect(uid.startsWith(pattern.id)).toBe(true)
    await sql`update scenario_run set node = 'leave', state = 'running', version = version + 1 where id = ${run}`.execute(
      api.database.db,
    )
    await walkOn(api.services, run)
    const { rows } = await sql<{
      says: string
    }>`select says::text from turn where run_id = ${run} order by number desc`.execute(api.database.db)
    const removal = rows.find(({ says }) => says.includes('從行事曆移除'))
    expect(removal?.says).toContain(address)
    const gone = (await open(address!)).text
    expect(gone).toContain('METHOD:CANCEL')
    expect(gone).toContain(`UID:${uid}`)

    await sql`update scenario_run set node = 'take', state = 'running', version = version + 1 where id = ${run}`.execute(
      api.database.db,
    )
    await walkOn(api.services, run)
    const again = (await open(address!)).text
    expect(again).toContain('METHOD:PUBLISH')
    const sequences = [file.text, gone, again].map((text) => Number(/SEQUENCE:(\d+)/.exec(text)![1]))
    expect(sequences).toEqual([0, 1, 2])
    const { at } = await selectRow(api.database.db, 'registration', { pattern_id: pattern.id }, ['at'])
    const stamp = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
    expect(again).toContain(`DTSTAMP:${stamp}Z`)
    expect((await open(address!)).text).toBe(again)
  })

  it.each([
    [
      {
        type: 'survey',
        questions: [{ id: 'q', text: { 'zh-TW': '好嗎？' } }],
        capacity: undefined,
        waitingList: undefined,
      },
      'calendar',
    ],
    [{ calendar: { ...calendar, title: { 'zh-TW': '{{ pattern.left }}' } } }, 'calendar.title'],
    [{ title: { 'zh-TW': '剩 {{ pattern.left }}' } }, 'calendar.title'],
  ])('%j is refused', async (parts, path) => {
    const body = JSON.parse(JSON.stringify({ ...newPattern(), calendar, ...parts }))
    const { status, body: refused } = await api.call('createPattern', { key: api.keys.individual, body })
    expect(status).toBe(400)
    expect(refused.error.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })
})
