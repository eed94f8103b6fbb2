import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { textOf } from '../../fixtures/pages.ts'
import { type SignInFixture, startSignIn } from '../../fixtures/sign-in.ts'
import { signedIn } from '../../fixtures/sign-in-browser.ts'
import { forFile } from '../../harness/for-file.ts'

let api: SignInFixture['api']
let base: string
const fixture = forFile(startSignIn)
beforeAll(async () => {
  ;({ api, baseUrl: base } = fixture)
  await sql`update person set language = 'en'`.execute(api.database.db)
})
const open = (path: string, session = api.sessions.approver) => signedIn(session).open(`${base}${path}`)

it('an error that has no words of its own has its code, time and request; what is forbidden leads home', async () => {
  const { db } = api.database
  await sql`alter table quota_ledger rename to quota_ledger_away`.execute(db)
  const failed = await open('/quota')
  await sql`alter table quota_ledger_away rename to quota_ledger`.execute(db)
  expect(failed.response.status).toBe(500)
  const requestId = failed.response.headers.get('x-request-id')
  expect(textOf(failed)).toMatch(
    new RegExp(`System message: internal, \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC, request ${requestId}`),
  )
  const forbidden = await open('/results', api.sessions.editor)
  expect(forbidden.text).toMatch(/<p><a href="\/">/)
})

describe('the quota of a unit', () => {
  async function reserved(): Promise<string> {
    const headers = { 'idempotency-key': randomUUID() }
    const text = { 'zh-TW': '保留用量', en: 'Reserves quota' }
    const messages = [{ kind: 'text', text }]
    const audience = { kind: 'query', roles: ['student'] }
    const body = { categoryId: 'manual', messages, audience, scheduleAt: `${month}-28T01:00:00Z` }
    const { id } = (await api.call('createMessage', { key: api.keys.a, headers, body })).body
    await api.call('submitMessage', { key: api.keys.a, id })
    await api.call('approveMessage', { session: api.sessions.approver, id, body: {} })
    return id
  }
  const month = '2098-11'

  it('names the messages that reserve it, and what is left, as the page does', async () => {
    const id = await reserved()
    const { body } = await api.call('getUnitQuota', { key: api.keys.a, id: api.units.a, query: { month } })
    expect(body.month).toBe(month)
    const [chat] = body.channels
    expect(chat).toMatchObject({ channel: 'chat', unit: { reserved: 3, committed: 0 } })
    expect(chat.holds).toEqual([
      {
        messageId: id,
        title: { 'zh-TW': '保留用量', en: 'Reserves quota' },
        wave: 'first',
        sendAt: `${month}-28T01:00:00.000Z`,
        pushes: 3,
      },
    ])
    const page = await open(`/quota?month=${month}`)
    const words = textOf(page)
    expect(words).toContain(`Left ${(chat.unit.limit - 3).toLocaleString('en')} Used 0 Reserved 3`)
    expect(words).toMatch(/Reserves quota .* 3/)
    expect(page.text).toContain(`href="/messages/${id}"`)
  })

  it('is of another month where one is chosen, and says which months there are', async () => {
    const { body } = await api.call('getUnitQuota', {
      key: api.keys.a,
      id: api.units.a,
      query: { month: '2098-12' },
    })
    expect(body.channels.map(({ holds }: { holds: unknown[] }) => holds)).toEqual([[], []])
    expect(textOf(await open('/quota?month=2098-12'))).toContain('No message reserves any.')
    expect(textOf(await open('/quota?month=2098-12'))).not.toContain('it comes to about')
    expect((await open('/quota?month=1999-13')).response.status).toBe(400)
  })

  it('is nobody else’s', async () => {
    const { code } = await api.call('getUnitQuota', { key: api.keys.a, id: api.units.b })
    expect(code).toBe('not_found')
    expect((await open(`/quota?unit=${api.units.b}`)).response.status).toBe(404)
  })
})

describe('the results of a unit', () => {
  beforeAll(async () => {
    await sql`insert into day_metric (unit_id, date, sent, people, reached, read, handoffs, closed_at)
      select ${api.units.a}, current_date - back, 40 + back, nullif(back, 3), 39, 20, null, now()
      from generate_series(1, 6) as back`.execute(api.database.db)
  })

  it('are the numbers of the API, with a drawing and its table', async () => {
    const page = await open('/results?days=7')
    const { body: trend } = await api.call('getTrend', {
      session: api.sessions.approver,
      query: { days: '7' },
    })
    expect(page.response.status).toBe(200)
    expect(textOf(page)).toContain('People reached')
    expect(page.text.match(/<svg viewBox/g)).toHaveLength(6)
    const days = [...page.text.matchAll(/<tr><th scope="row" class="whole">/g)]
    expect(trend.points).toHaveLength(6)
    expect(days).toHaveLength(6)
  })

  it('can be had as a table for a spreadsheet', async () => {
    const { response, text } = await open('/results.csv?days=7')
    expect(response.headers.get('content-type')).toContain('text/csv')
    expect(text.split('\r\n')[0]).toBe(
      'date,sent,people,reached,read,blocked,unsubscribes,handoffs,answers,completed',
    )
    expect(text.trim().split('\r\n')).toHaveLength(7)
  })

  it('are for approvers; a period that is none is an error', async () => {
    const refused = await open('/results', api.sessions.editor)
    expect(refused.response.status).toBe(403)
    expect(textOf(refused)).toContain('Only approvers of the unit may read its results.')
    expect((await open('/results?days=0')).response.status).toBe(400)
    const menu = (await open('/messages', api.sessions.editor)).text
    expect(menu).not.toContain('href="/results"')
  })
})

describe('home', () => {
  it('says what waits for this person', async () => {
    const words = textOf(await open('/'))
    expect(words).toContain('Your units and settings')
    expect(words).toContain('Sign out')
  })

  it('names messages that failed or wait, and the reader’s own that were rejected', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const messages = [{ kind: 'text', text: { 'zh-TW': '壞了', en: 'Broken' } }]
    const body = { categoryId: 'manual', messages, audience: { kind: 'query', roles: ['student'] } }
    const { id } = (await api.call('createMessage', { key: api.keys.a, headers, body })).body
    expect(textOf(await open('/'))).not.toContain('Broken')
    await sql`update message set state = 'failed', closed_at = now() where id = ${id}`.execute(
      api.database.db,
    )
    expect(textOf(await open('/'))).toMatch(/Messages that need attention .*Broken ⚠ Failed/)
  })
})
