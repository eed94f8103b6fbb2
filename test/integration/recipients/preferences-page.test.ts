import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { linkSigner } from '../../../src/channels/email/links.ts'
import type { LinkTarget } from '../../../src/channels/email/wire.ts'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertRow, selectRows } from '../../fixtures/rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'

const links = linkSigner(Buffer.alloc(32, 7))

let recipient: { waveId: string; subjectId: string }
const api = forFile(() => startApi({ services: { links } }))
beforeAll(async () => {
  const { waveId } = await insertSentMessage(api, newMessage)
  const { id } = await api.database.db.selectFrom('subject').select('id').executeTakeFirstOrThrow()
  recipient = { waveId, subjectId: id }
})

const pathTo = (target: LinkTarget) => `/l/${links.sign(recipient, [target])[0]}`
const get = (url: string) => api.app.inject({ method: 'GET', url })
const post = (url: string, payload = 'List-Unsubscribe=One-Click') =>
  api.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const preferences = () =>
  api.database.db.selectFrom('preference').select(['category_id', 'channel', 'enabled']).execute()

describe('the preferences page', () => {
  const page = () => pathTo({ purpose: 'preferences' })
  const fields = (body: string, name: string) =>
    [...body.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value]) => value!)
  const ticked = (body: string) =>
    [...body.matchAll(/name="on" value="(\d+)" aria-label="[^"]*" checked/g)].map(([, place]) =>
      Number(place),
    )
  const save = (choices: string, on: number[], language = 'zh-TW') =>
    post(
      page(),
      new URLSearchParams([
        ['language', language],
        ['shown', choices],
        ...on.map((place): [string, string] => ['on', String(place)]),
      ]).toString(),
    )
  const shownNow = async () => {
    const { body } = await get(page())
    return { shown: fields(body, 'shown')[0]!, on: ticked(body), body }
  }
  const topicsOff = () => api.database.db.selectFrom('topic_unsubscribe').select('topic_id').execute()

  it('shows every category by its channels, the topics, and both languages', async () => {
    const { shown: choices, on, body } = await shownNow()
    const topic = Buffer.from(api.topics.active.replaceAll('-', ''), 'hex').toString('base64url')
    expect(choices.split(' ')).toEqual(['1email', '1cmanual', '1cnews', `1t${topic}`])
    expect(on).toEqual([0, 1, 2, 3])
    expect(body).toContain('>safety<')
    expect(fields(body, 'language')).toEqual(['zh-TW', 'en'])
  })

  it('takes no form with a text that Postgres cannot store', async () => {
    for (const form of ['withdraw=a%00b', 'language=en&shown=1ca%00b'])
      expect((await post(page(), form)).statusCode, form).toBe(400)
    expect(await preferences()).toEqual([])
  })

  it('saves the choices, at once and repeatedly', async () => {
    const { shown: choices } = await shownNow()
    for (let times = 0; times < 2; times++) {
      const answer = await save(choices, [0, 1], 'en')
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toContain('Your settings have been saved.')
    }
    expect(await preferences()).toContainEqual({
      category_id: 'news',
      channel: 'chat',
      enabled: false,
    })
    expect(await topicsOff()).toEqual([{ topic_id: api.topics.active }])
    const after = await shownNow()
    expect(after.on).toEqual([0, 1])
    await save(after.shown, [0, 1, 2, 3])
    expect(await preferences()).toContainEqual({ category_id: 'news', channel: 'chat', enabled: true })
    expect(await topicsOff()).toEqual([])
  })

  it('leaves out a category that needs a consent until that is given, and offers to withdraw one of a category that is off', async () => {
    const { db } = api.database
    const { subjectId } = recipient
    await db.updateTable('category').set({ consent_scope: 'alumni' }).where('id', '=', 'news').execute()
    const without = await shownNow()
    expect(without.shown).not.toContain('news')
    expect(without.body).toContain('須經您同意才會發送')
    const consent = { subject_id: subjectId, scope: 'alumni', version: '1', source: 'test' }
    await db.insertInto('consent').values(consent).execute()
    const { shown: choices, on, body } = await shownNow()
    expect(choices).toContain('1cnews')
    expect(body).not.toContain('withdraw')
    const saved = await save(
      choices,
      on.filter((place) => place !== 2),
    )
    expect(saved.body).toContain('撤回後，您不會再收到「news」')
    expect(fields(saved.body, 'withdraw')).toEqual(['alumni'])
    const after = await post(page(), 'withdraw=alumni')
    expect(after.body).toMatch(/已撤回您的同意。[\s\S]*須經您同意才會發送/)
    const { withdrawn_at } = await db
      .selectFrom('consent')
      .selectAll()
      .where('subject_id', '=', subjectId)
      .where('scope', '=', 'alumni')
      .executeTakeFirstOrThrow()
    expect(withdrawn_at).not.toBeNull()
    const audit = await selectRows(db, 'audit', { action: 'withdraw_consent' }, ['actor', 'details'])
    expect(audit).toEqual([{ actor: `recipient:${subjectId}`, details: { scope: 'alumni' } }])
    await db.updateTable('category').set({ consent_scope: null }).where('id', '=', 'news').execute()
    await db.deleteFrom('preference').execute()
  })

  it('changes only what its reader changed, and not what was changed elsewhere meanwhile', async () => {
    const { shown: choices, on } = await shownNow()
    await save(choices, on.slice(0, 3))
    expect(await topicsOff()).toHaveLength(1)
    await save(choices, on.slice(1))
    expect(await topicsOff()).toHaveLength(1)
    await save((await shownNow()).shown, [0, 1, 2, 3])
    expect(await topicsOff()).toEqual([])
  })

  it('switches nothing off that it did not show', async () => {
    await save('', [])
    expect((await preferences()).filter(({ channel }) => channel === 'chat')).not.toContainEqual(
      expect.objectContaining({ enabled: false }),
    )
  })

  it('shows topics of units that have written to its reader, and those that are switched off', async () => {
    const { db } = api.database
    const name = JSON.stringify({ 'zh-TW': '別的單位' })
    const values = { unit_id: api.units.b, name }
    const { id } = await db.insertInto('topic').values(values).returning('id').executeTakeFirstOrThrow()
    expect((await shownNow()).shown.split(' ')).toHaveLength(4)
    await insertRow(db, 'topic_unsubscribe', { topic_id: id, subject_id: recipient.subjectId })
    const { shown: choices, on } = await shownNow()
    expect(choices.split(' ')).toHaveLength(5)
    await save(choices, [0, 1, 2, 3, 4])
    expect(on).toHaveLength(4)
    expect((await shownNow()).shown.split(' ')).toHaveLength(4)
  })

  it('saves a thousand topics in a form that is accepted', async () => {
    const { db } = api.database
    const names = Array.from({ length: 1_400 }, (_, n) => ({
      unit_id: api.units.a,
      name: JSON.stringify({ 'zh-TW': `主題 ${n}` }),
    }))
    const topics = await db.insertInto('topic').values(names).returning('id').execute()
    const { shown: choices, on } = await shownNow()
    expect(on).toHaveLength(1_404)
    const answer = await save(choices, on.slice(0, -1))
    expect(answer.body).toContain('role="status"')
    expect(await topicsOff()).toHaveLength(1)
    const ids = topics.map((topic) => topic.id)
    await db.deleteFrom('topic_unsubscribe').execute()
    await db.deleteFrom('topic').where('id', 'in', ids).execute()
  })

  it('answers with a page when something is wrong, and changes nothing', async () => {
    const headers = { 'accept-language': 'en', 'content-type': 'application/x-www-form-urlencoded' }
    const send = (url: string, payload: string) => api.app.inject({ method: 'POST', url, payload, headers })
    const long = await send(page(), 'x'.repeat(200_000))
    const gone = await send(page(), new URLSearchParams({ shown: '1cnowhere' }).toString())
    const unsigned = await send('/l/made-up', 'x'.repeat(200_000))
    expect([long.statusCode, gone.statusCode, unsigned.statusCode]).toEqual([413, 404, 404])
    for (const answer of [long, gone, unsigned]) {
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.body).toContain('</html>')
    }
    expect(long.body).toContain('Nothing was changed')
    expect((await shownNow()).on).toHaveLength(4)
  })

  it('does nothing without its own form', async () => {
    const before = await preferences()
    const answer = await post(page())
    expect(answer.body).not.toContain('role="status"')
    expect(await preferences()).toEqual(before)
  })

  it('works for a year, and says so after that', async () => {
    const { shown: choices } = await shownNow()
    const startedAt = (days: number) =>
      sql`update wave set started_at = clock_timestamp() - make_interval(days => ${days}, secs => 60)
        where id = ${recipient.waveId}`.execute(api.database.db)
    await startedAt(364)
    expect((await get(page())).statusCode).toBe(200)
    await startedAt(365)
    for (const answer of [await get(page()), await save(choices, [], 'en')]) {
      expect(answer.statusCode).toBe(410)
      expect(answer.body).toMatch(/連結已過期|This link has expired/)
      expect(answer.body).not.toContain('<form')
    }
    await startedAt(0)
    expect((await shownNow()).on).toHaveLength(4)
  })
})
