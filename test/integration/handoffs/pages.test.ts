import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { limits } from '../../../src/contract/limits.ts'
import { longestUnanswered } from '../../../src/db/queries/handoff/open.ts'
import { conversation } from '../../fixtures/conversations.ts'
import { insertSpokenIn, openWith } from '../../fixtures/handoffs.ts'
import { formIn, mainOf, textOf } from '../../fixtures/pages.ts'
import { insertRow, selectRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { type SignInFixture, startSignIn } from '../../fixtures/sign-in.ts'
import { Browser, type Step, signedIn } from '../../fixtures/sign-in-browser.ts'
import { forFile } from '../../harness/for-file.ts'

let api: SignInFixture['api']
let base: string
const fixture = forFile(startSignIn)
beforeAll(async () => {
  ;({ api, baseUrl: base } = fixture)
  await sql`update person set language = 'en'`.execute(api.database.db)
})

/** An open handoff of unit A with somebody new who has a chat address and has said this. */
const open = async (...texts: (string | null)[]) => {
  const { db } = api.database
  const handoff = await openWith(db, api.units.a)
  for (const text of texts) await insertSpokenIn(db, handoff, text)
  return handoff
}
const editor = () => signedIn(api.sessions.editor)
const at = (id: string) => `${base}/handoffs/${id}`
const messagesOf = async (id: string) =>
  (await api.call('getHandoff', { session: api.sessions.editor, id })).body.messages as {
    text: string | null
    messages: { text: { 'zh-TW': string } }[] | null
    state: string | null
  }[]
const replies = async (id: string) =>
  (await messagesOf(id)).flatMap(({ messages }) => messages ?? []).map(({ text }) => text['zh-TW'])

const send = (
  browser: Browser,
  page: Step,
  button: string,
  values: Record<string, string> = {},
  headers: Record<string, string> = { origin: base, 'sec-fetch-site': 'same-origin' },
) => {
  const { method, fields } = formIn(page, button)
  const body = new URLSearchParams({ ...fields, ...values })
  return browser.open(page.url.split('#')[0]!, { method, body, headers })
}

describe('who is talked to', () => {
  it('is shown by name, language and class, and what was said before to who may read it', async () => {
    const { db } = api.database
    const scenario = await insertScenario(db, { unitId: api.units.a, content: conversation })
    const runId = await insertScenarioRun(db, { scenario, columns: { node: 'yes' } })
    const { subject_id: subjectId } = await scenarioRunRow(db, runId)
    await db
      .updateTable('subject')
      .set({ display_name: '林小美', class_ids: ['EE-2A'], locale: 'en' })
      .where('id', '=', subjectId!)
      .execute()
    const ask = conversation.nodes[1]!
    const says = ask.kind === 'question' ? [{ node: 'ask', messages: [ask.message] }] : []
    const sentAt = new Date(Date.now() - 60_000)
    await insertRow(db, 'turn', {
      ...{
        run_id: runId,
        number: 1,
        subject_id: subjectId,
        unit_id: api.units.a,
        says: JSON.stringify(says),
      },
      ...{ first_node: 'ask', last_node: 'ask', channel: 'chat', by: 'push', answers_person: false },
      ...{
        locale: 'zh-TW',
        tries: 1,
        retry_key: randomUUID(),
        first_try_at: sentAt,
        state: 'sent',
        closed_at: sentAt,
      },
    })
    await db.insertInto('scenario_answer').values({ run_id: runId, node: 'ask', option_id: 'yes' }).execute()
    const opened = { unit_id: api.units.a, subject_id: subjectId, run_id: runId, node: 'desk' }
    const { id } = await insertRow(db, 'handoff', { ...opened, conversation_id: null, channel_user: null })
    const words = async (session: string) => textOf(await signedIn(session).open(at(id)))
    const editors = await words(api.sessions.editor)
    expect(editors).toMatch(/Person 林小美 \(\S+\) English, EE-2A/)
    expect(editors).not.toContain('What was said before')
    expect(await words(api.sessions.approver)).toMatch(/What was said before .*您要參加嗎？.*· .* 要 /)
  })
})

describe('the list', () => {
  it('has the open handoffs of one’s units, what waits longest for a reply first', async () => {
    const { db } = api.database
    const [answered, older, newer] = [await open('一'), await open('二<b>'), await open()]
    await api.call('replyInHandoff', {
      session: api.sessions.editor,
      id: answered.id,
      body: { messages: [{ kind: 'text', text: { 'zh-TW': '好' } }] },
    })
    const closed = await open('closed already')
    await api.call('closeHandoff', { session: api.sessions.editor, id: closed.id })
    const foreign = await openWith(db, api.units.b)
    const page = await editor().open(`${base}/handoffs`)
    expect(page.response.status).toBe(200)
    const ids = [...page.text.matchAll(/href="\/handoffs\/([^#"]+)#newest"/g)].map(([, id]) => id)
    const ours = ids.filter((id) => [answered, older, newer, closed, foreign].some((one) => one.id === id))
    expect(ours).toEqual([older.id, newer.id, answered.id])
    const spoken = db.updateTable('handoff').set({ spoken_at: new Date(Date.now() - 3_600_000) })
    await spoken.where('id', 'in', [answered.id, closed.id]).execute()
    expect(await longestUnanswered(db)).toBeLessThan(600)
    await spoken.where('id', '=', newer.id).execute()
    expect(Math.round(await longestUnanswered(db))).toBeGreaterThanOrEqual(3_600)
    expect(textOf(page)).toContain(
      `${older.uid} 二<b> Waiting for a reply Conversational assistant · last message`,
    )
    expect(textOf(page)).toContain(`${answered.uid} 一 Answered`)
  })

  it('is read page by page, and nothing twice', async () => {
    const opened: string[] = []
    for (let n = 0; n <= limits.pageSize; n++) opened.push((await open(`${n}`)).id)
    const ids: string[] = []
    let path: string | undefined = '/handoffs'
    while (path !== undefined) {
      const page = await editor().open(`${base}${path}`)
      ids.push(...[...page.text.matchAll(/href="\/handoffs\/([^#"]+)#newest"/g)].map(([, id]) => id!))
      path = /href="(\/handoffs\?unitId=[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(ids.filter((id) => opened.includes(id))).toEqual(opened)
    const { db } = api.database
    await sql`update handoff set closed_at = now(), closed_by = 'key:k', end_reason = 'closed'
      where id = any(${opened}::uuid[])`.execute(db)
  })

  it('is audited, as the operation is', async () => {
    const readings = async () =>
      (await selectRows(api.database.db, 'audit', { object_kind: 'handoff', action: 'read' }, ['id'])).length
    const before = await readings()
    await editor().open(`${base}/handoffs`)
    expect(await readings()).toBe(before + 1)
  })

  it.each([
    { unitId: randomUUID(), cursor: 'MQ' },
    { cursor: 'MQ', unitId: 'x' },
  ])('refuses the place %o', async (place) => {
    const page = await editor().open(`${base}/handoffs?${new URLSearchParams(place)}`)
    expect([400, 403]).toContain(page.response.status)
  })
})

describe('the page of a handoff', () => {
  it('shows who, from where, and what was said, the newest last', async () => {
    const { id, uid } = await open('想找<真人>', null)
    const page = await editor().open(at(id))
    expect(page.response.status).toBe(200)
    expect(page.response.headers.get('cache-control')).toBe('no-store')
    expect(textOf(page)).toContain(`Conversation: ${uid}`)
    expect(textOf(page)).toMatch(/Handed over by Conversational assistant Since /)
    expect(textOf(page)).toMatch(/想找<真人> .* \(A picture, location, voice message/)
  })

  it('is for everybody in the unit, and exists for nobody else', async () => {
    const { id } = await open('在嗎')
    const approver = await signedIn(api.sessions.approver).open(at(id))
    expect(textOf(approver)).toContain('在嗎')
    for (const [session, path] of [
      [api.sessions.otherApprover, id],
      [api.sessions.editor, randomUUID()],
      [api.sessions.editor, 'x'],
    ] as const) {
      const page = await signedIn(session).open(at(path))
      expect(page.response.status).toBe(404)
      expect(textOf(page)).toContain('This conversation does not exist')
      expect(mainOf(page)).toContain('<a href="/handoffs">Handoffs</a>')
    }
  })

  it('shows the characters that would turn the text around, and runs nothing that was written', async () => {
    const { id } = await open('a\u202Eb\u2066c <script>alert(1)</script>')
    const page = await editor().open(at(id))
    expect(page.text).toContain('a⟨U+202E⟩b⟨U+2066⟩c &lt;script&gt;alert(1)&lt;/script&gt;')
    expect((await editor().open(`${base}/handoffs`)).text).toContain('a⟨U+202E⟩b⟨U+2066⟩c &lt;script&gt;')
  })

  it('is in the language of its reader', async () => {
    const { db } = api.database
    const { id } = await open()
    await sql`update person set language = 'zh-TW' where name = 'Editor'`.execute(db)
    const page = await editor().open(at(id))
    await sql`update person set language = 'en' where name = 'Editor'`.execute(db)
    expect(page.text).toContain('<html lang="zh-Hant-TW">')
    expect(textOf(page)).toContain('對方還沒有寫任何內容。')
  })

  it('leads to sign-in without a session, and back', async () => {
    const { id } = await open()
    const step = await new Browser().ask(at(id))
    expect(step.response.status).toBe(303)
    expect(step.response.headers.get('location')).toContain(encodeURIComponent(`/handoffs/${id}`))
  })

  it('says what became of each reply', async () => {
    const { id } = await open('在嗎')
    const states = [
      ['pending', null, 'waiting to be sent'],
      ['sent', null, 'sent'],
      ['skipped', 'blocked', 'not sent · the person has blocked the account'],
      ['skipped', 'expired', 'not sent · it could not be sent for a day'],
      ['skipped', 'noAddress', 'not sent · the person is no longer bound to a chat account'],
      ['failed', '400', 'not sent · code 400'],
      ['failed', 'refused', 'not sent · the chat provider rejected it'],
      ['unknown', 'interrupted', 'it may or may not have arrived · sending was interrupted; [^·]+'],
      ['unknown', 'timeout', 'it may or may not have arrived · code timeout'],
    ] as const
    for (const [n, [state, reason]] of states.entries()) {
      const body = { messages: [{ kind: 'text', text: { 'zh-TW': `第 ${n} 則`, en: `Number ${n}` } }] }
      await api.call('replyInHandoff', { session: api.sessions.editor, id, body })
      const closed = state === 'pending' ? null : sql`now()`
      await sql`update turn set state = ${state}, reason = ${reason}, closed_at = ${closed}
        where handoff_id = ${id} and number = ${n + 1}`.execute(api.database.db)
    }
    const words = textOf(await editor().open(at(id)))
    for (const [n, [, , label]] of states.entries())
      expect(words).toMatch(new RegExp(`Editor · [^·]+ · ${label} Number ${n}`))
  })
})

describe('a reply', () => {
  it('is stored once, however often its form is sent, and stands in the conversation', async () => {
    const { id } = await open('在嗎')
    const browser = editor()
    const page = await browser.open(at(id))
    const done = await send(browser, page, 'Send', { text: ' 在的，\r\n請說。 ' })
    expect(done.url).toBe(`${at(id)}#newest`)
    expect(textOf(done)).toContain('Editor · ')
    expect(textOf(done)).toContain('waiting to be sent 在的， 請說。')
    await send(browser, page, 'Send', { text: ' 在的，\r\n請說。 ' })
    expect(await replies(id)).toEqual(['在的，\n請說。'])
    const audits = await selectRows(api.database.db, 'audit', { object_id: id, action: 'reply' }, ['action'])
    expect(audits).toHaveLength(1)
  })

  it('with other words in a form that was sent is asked about, and sent with the next tap', async () => {
    const { id } = await open('在嗎')
    const browser = editor()
    const page = await browser.open(at(id))
    await send(browser, page, 'Send', { text: '在' })
    const answer = await send(browser, page, 'Send', { text: '不在' })
    expect(answer.response.status).toBe(409)
    expect(textOf(answer)).toContain('You have sent another reply with the same form.')
    expect(answer.text).toContain('>\n不在</textarea>')
    await send(browser, answer, 'Send', { text: '不在' })
    expect(await replies(id)).toEqual(['在', '不在'])
  })

  it('waits where a colleague has replied meanwhile, and is sent all the same if it is meant', async () => {
    const { id } = await open('在嗎')
    const [browser, colleague] = [editor(), signedIn(api.sessions.approver)]
    const page = await browser.open(at(id))
    await send(colleague, await colleague.open(at(id)), 'Send', { text: '同事在' })
    const answer = await send(browser, page, 'Send', { text: '我也在' })
    expect(answer.response.status).toBe(409)
    expect(textOf(answer)).toContain('A colleague has replied while you were writing.')
    expect(await replies(id)).toEqual(['同事在'])
    expect(answer.text).toContain('>\n我也在</textarea>')
    await send(browser, answer, 'Send anyway', { text: '我也在' })
    expect(await replies(id)).toEqual(['同事在', '我也在'])
    // What was stored before a colleague replied is not asked about again.
    const mine = await browser.open(at(id))
    await send(browser, mine, 'Send', { text: '還有' })
    await send(colleague, await colleague.open(at(id)), 'Send', { text: '同事說' })
    expect((await send(browser, mine, 'Send', { text: '還有' })).response.status).toBe(200)
    expect(await replies(id)).toEqual(['同事在', '我也在', '還有', '同事說'])
  })

  it('that says nothing, is too long or cannot be shown is refused, and keeps what was written', async () => {
    const { id } = await open('在嗎')
    const browser = editor()
    const page = await browser.open(at(id))
    const long = '字'.repeat(5_001)
    for (const [text, why] of [
      [' \r\n ', 'Write a reply.'],
      [long, 'The chat cannot show this text.'],
      ['a\u202Eb', 'The chat cannot show this text.'],
      ['\0', 'The chat cannot show this text.'],
    ] as const) {
      const refused = await send(browser, page, 'Send', { text })
      expect([refused.response.status, textOf(refused)]).toEqual([400, expect.stringContaining(why)])
    }
    const kept = await send(browser, page, 'Send', { text: long })
    expect(kept.text).toContain(`>\n${long}</textarea>`)
    expect(await replies(id)).toEqual([])
    const longest = '字'.repeat(5_000)
    expect((await send(browser, page, 'Send', { text: longest })).response.status).toBe(200)
    expect(await replies(id)).toEqual([longest])
  })

  it('in a handoff that ended while it was written is shown, and says how it ended', async () => {
    const { id } = await open('在嗎')
    const browser = editor()
    const page = await browser.open(at(id))
    await sql`update handoff set closed_at = now(), closed_by = 'system:run', end_reason = 'timeout'
      where id = ${id}`.execute(api.database.db)
    const refused = await send(browser, page, 'Send', { text: '在的' })
    expect(refused.response.status).toBe(409)
    expect(textOf(refused)).toContain('Closed because the scenario’s time-out passed')
    expect(textOf(refused)).toContain('Not sent This conversation is closed.')
    expect(textOf(refused)).toContain('You wrote: 在的')
    expect(mainOf(refused)).not.toContain('<form')
    expect(await replies(id)).toEqual([])
  })

  it('to who has blocked the account is announced as one that does not arrive', async () => {
    const { id, subjectId } = await open('在嗎')
    await sql`update address set blocked_at = now() where subject_id = ${subjectId}`.execute(api.database.db)
    expect(textOf(await editor().open(at(id)))).toContain('The person has blocked the account.')
  })

  it('to nobody has no form, and one that was written is not lost', async () => {
    const { id, subjectId } = await open('在嗎')
    const browser = editor()
    const page = await browser.open(at(id))
    await sql`delete from address where subject_id = ${subjectId}`.execute(api.database.db)
    const without = await browser.open(at(id))
    expect(textOf(without)).toContain('This chat account is not linked to a person')
    expect(without.text).not.toContain('<textarea')
    const refused = await send(browser, page, 'Send', { text: '在的' })
    expect([refused.response.status, textOf(refused)]).toEqual([
      409,
      expect.stringContaining('You wrote: 在的'),
    ])
  })

  it.each([{ origin: 'https://evil.example.com' }, { 'sec-fetch-site': 'cross-site' }] as Record<
    string,
    string
  >[])('of another site is refused: %o', async (headers) => {
    const { id } = await open('在嗎')
    const page = await editor().open(at(id))
    for (const button of ['Send', 'Yes, close it']) {
      const refused = await send(editor(), page, button, { text: '在' }, headers)
      expect([refused.response.status, textOf(refused)]).toEqual([
        403,
        expect.stringContaining('Nothing was sent'),
      ])
    }
    expect(await replies(id)).toEqual([])
  })

  it.each([
    {},
    { act: 'reply', text: '在' },
    { act: 'reply', text: '在', key: 'x' },
    { act: 'open' },
  ] as Record<string, string>[])('of a form that is not of this page is refused: %o', async (fields) => {
    const { id } = await open('在嗎')
    const body = new URLSearchParams(fields)
    const headers = { origin: base, 'sec-fetch-site': 'same-origin' }
    const refused = await editor().open(at(id), { method: 'POST', body, headers })
    expect(refused.response.status).toBe(400)
    expect(await replies(id)).toEqual([])
  })
})

describe('closing', () => {
  it('takes a second tap, and then the page says who closed it', async () => {
    const { id } = await open('在嗎')
    const browser = editor()
    const page = await browser.open(at(id))
    const done = await send(browser, page, 'Yes, close it')
    expect(textOf(done)).toMatch(/Closed by Editor: /)
    expect(mainOf(done)).not.toContain('<form')
    expect([textOf(page), textOf(done)].map((words) => words.includes('Refresh'))).toEqual([true, false])
    const again = await send(browser, page, 'Yes, close it')
    expect([again.response.status, textOf(again)]).toEqual([200, expect.stringContaining('Closed by Editor')])
  })
})

it('is linked from the start page of who belongs to a unit', async () => {
  const page = await editor().open(`${base}/`)
  expect(page.text).toContain('<a href="/handoffs">Handoffs</a>')
})

describe.skipIf(browserPath === undefined)('in a browser without JavaScript', () => {
  it('the link of the mail leads through sign-in to the page, where a reply is written and the end confirmed', async () => {
    const { id } = await open('在嗎')
    const browser = await startBrowser()
    const viewport = { width: 390, height: 844 }
    const page = await (await browser.newContext({ viewport, javaScriptEnabled: false })).newPage()
    await page.goto(at(id))
    if (await page.locator('summary').count()) await page.click('summary')
    await page.fill('input[name=login]', 'editor@example.org')
    await page.press('input[name=login]', 'Enter')
    await page.waitForURL(at(id))
    await page.fill('textarea', '在的')
    await page.click('button:has-text("Send")')
    await page.waitForURL(`${at(id)}#newest`)
    expect(await page.locator('.ours').innerText()).toContain('在的')
    await page.click('summary')
    await page.click('button:has-text("Yes, close it")')
    expect(await page.locator('[role=status]').innerText()).toContain('Closed by Editor')
    await browser.close()
    expect(await replies(id)).toEqual(['在的'])
  })
})
