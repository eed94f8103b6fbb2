import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { LinkTarget } from '../../../src/channels/email/wire.ts'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { serveApi } from '../../fixtures/api.ts'
import { addedSince, valuesOf } from '../../fixtures/metrics.ts'
import { links, openRunsWithMail, publicUrl } from '../../fixtures/open-runs.ts'
import { insertRow, selectRows, updateRows } from '../../fixtures/rows.ts'
import {
  type InsertedScenario,
  insertScenario,
  insertScenarioRun,
  scenarioRunRow,
} from '../../fixtures/scenario-rows.ts'
import { seedCategory } from '../../fixtures/seed.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const text = (zh: string) => ({ kind: 'text' as const, text: { 'zh-TW': zh } })

/** Greets and asks in one mail, and says another word for each answer. */
function contentWith(timeoutSeconds: number, jumpsTo: string = randomUUID()): Partial<ScenarioContent> {
  return {
    nodes: [
      { id: 'hello', kind: 'message', messages: [text('您好'), text('這裡是學務處')] },
      {
        ...{ id: 'ask', kind: 'question', timeoutSeconds },
        message: {
          kind: 'buttons',
          text: { 'zh-TW': '您要參加嗎？' },
          actions: [
            { kind: 'nextNode', label: { 'zh-TW': '要' }, nodeId: 'yes' },
            { kind: 'postback', label: { 'zh-TW': '不要' }, data: { v: 1, o: 'no' } },
            { kind: 'jumpScenario', label: { 'zh-TW': '其他服務' }, scenarioId: jumpsTo },
            { kind: 'mute', label: { 'zh-TW': '不再通知' }, categoryId: 'letters' },
          ],
        },
      },
      { id: 'yes', kind: 'message', messages: [text('已為您登記')] },
      { id: 'no', kind: 'message', messages: [text('期待下次')] },
      { id: 'end', kind: 'end' },
    ],
    edges: [
      { from: 'hello', to: 'ask' },
      { from: 'ask', to: 'no', when: { kind: 'otherwise' } },
      { from: 'ask', to: 'end', when: { kind: 'timeout' } },
      ...['yes', 'no'].map((from) => ({ from, to: 'end' })),
    ],
  }
}

describe('a scenario that talks by mail', () => {
  const runs = forFile(openRunsWithMail)
  const api = forFile(async () => {
    const { app } = await serveApi(runs.db, { services: { links, wake: runs.wake } })
    return { app, close: () => app.close() }
  })
  beforeAll(async () => {
    await seedCategory(runs.db, 'letters', { channels: ['email'] })
    await runs.startWorker()
  })

  async function begin(content = contentWith(3_600)) {
    const scenario = await insertScenario(runs.db, { categoryId: 'letters', content })
    return beginOf(scenario)
  }

  async function beginOf(scenario: InsertedScenario) {
    const id = await insertScenarioRun(runs.db, { scenario, columns: { node: 'hello' } })
    const { subject_id: subjectId } = await scenarioRunRow(runs.db, id)
    const address = `${randomUUID()}@example.edu`
    await insertRow(runs.db, 'address', { subject_id: subjectId!, channel: 'email', address })
    runs.wake('scenario', id, [{ name: 'started' }])
    await reaches(id, { state: 'waiting', node: 'ask' })
    return { id, subjectId: subjectId!, ...(await lastMail(address)) }
  }

  const reaches = (id: string, state: object) =>
    eventually(async () => expect(await scenarioRunRow(runs.db, id)).toMatchObject(state))

  /** The newest mail to an address, and the paths of its links by their words. */
  async function lastMail(address: string) {
    const item = (await runs.inbox.journal()).filter(({ to }) => to === address).at(-1)!
    const html = await runs.inbox.page(`/mails/${item.seq}/html`)
    const matches = [...html.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]+)</g)]
    const paths = new Map(matches.map(([, url, words]) => [words!.trim(), url!.replace(publicUrl, '')]))
    return { address, headers: item.headers, html, link: (words: string) => paths.get(words) ?? 'no link' }
  }

  const open = (url: string) => api.app.inject({ method: 'GET', url })
  function press(url: string, payload = '') {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return api.app.inject({ method: 'POST', url, payload, headers })
  }
  const answersOf = (runId: string) =>
    selectRows(runs.db, 'scenario_answer', { run_id: runId }, ['node', 'option_id', 'webhook_event_id'])

  it('hears the option that is pressed in the mail, and goes on', async () => {
    const turns = await valuesOf('carillon_turns_total')
    const answers = await valuesOf('carillon_scenario_answers_total')
    const { id, address, link } = await begin()
    const page = await open(link('要'))
    expect(page.body).toContain('您要參加嗎？')
    expect(page.body).toContain('<form method="post">')
    expect(await answersOf(id)).toEqual([])
    const answered = await press(link('要'))
    expect(answered.statusCode).toBe(303)
    const next = await open(`${answered.headers.location}`)
    expect([next.statusCode, next.body.includes('已為您登記')]).toEqual([200, true])
    expect(await answersOf(id)).toEqual([{ node: 'ask', option_id: 'yes', webhook_event_id: null }])
    await reaches(id, { state: 'done', answers: { ask: 'yes' } })
    expect((await lastMail(address)).html).toContain('您要參加嗎？')
    expect(await addedSince(turns, 'carillon_turns_total')).toEqual({ 'mail sent': 1, 'page sent': 1 })
    expect(await addedSince(answers, 'carillon_scenario_answers_total')).toEqual({ answered: 1 })
  })

  it('says what comes before a question that a mail cannot take an answer to', async () => {
    const content: Partial<ScenarioContent> = {
      nodes: [
        { id: 'hello', kind: 'message', messages: [text('您好')] },
        { id: 'name', kind: 'question', timeoutSeconds: 60, message: text('您的姓名？') },
        { id: 'ask', kind: 'wait', seconds: 3_600 },
        { id: 'end', kind: 'end' },
      ],
      edges: [
        { from: 'hello', to: 'name' },
        ...['text', 'timeout'].map((kind) => ({
          ...{ from: 'name', to: 'end', when: { kind: kind as 'text' | 'timeout' } },
        })),
        { from: 'name', to: 'ask', when: { kind: 'error' } },
        { from: 'ask', to: 'end' },
      ],
    }
    const { id, html } = await begin(content)
    expect(html).toContain('您好')
    expect(html).not.toContain('您的姓名')
    const turns = runs.db.selectFrom('turn').select(['first_node', 'state']).where('run_id', '=', id)
    expect(await turns.execute()).toEqual([{ first_node: 'hello', state: 'sent' }])
  })

  it('takes the first answer, and tells who presses another one what stands', async () => {
    const { id, link } = await begin()
    const first = await press(link('不要'))
    await reaches(id, { state: 'done', answers: { ask: 'no' } })
    const again = await press(link('不要'))
    expect([again.statusCode, again.headers.location]).toEqual([303, first.headers.location])
    await sql`update scenario_run set spoke_at = spoke_at - interval '2 minutes' where id = ${id}`.execute(
      runs.db,
    )
    const later = await press(link('不要'))
    expect([later.statusCode, later.body.includes('我們已收到您的回覆')]).toEqual([200, true])
    for (const other of [await open(link('要')), await press(link('要'))]) {
      expect(other.body).toContain('您先前已經回覆過了')
      expect(other.body).toMatch(/您先前的回覆：.*不要/s)
      expect(other.body).not.toContain('<form')
    }
    expect((await press(link('要'))).statusCode).toBe(400)
    expect(await answersOf(id)).toMatchObject([{ option_id: 'no' }])
  })

  it('takes no answer after the time-out', async () => {
    const { id, link } = await begin(contentWith(2))
    await reaches(id, { state: 'done', node: 'end' })
    const late = await press(link('要'))
    expect([late.statusCode, late.body.includes('回覆已截止')]).toEqual([400, true])
    expect((await open(link('要'))).body).not.toContain('<form')
    expect(await answersOf(id)).toEqual([])
  })

  it('stops its mails by the List-Unsubscribe of one of them', async () => {
    const { subjectId, headers, link } = await begin()
    const oneClick = /<https:\/\/hub\.example\.edu([^>]+)>/.exec(`${headers['list-unsubscribe']}`)![1]!
    expect((await press(oneClick, 'List-Unsubscribe=One-Click')).statusCode).toBe(200)
    const choices = runs.db.selectFrom('preference').select(['category_id', 'channel', 'enabled'])
    expect(await choices.where('subject_id', '=', subjectId).execute()).toEqual([
      { category_id: 'letters', channel: 'email', enabled: false },
    ])
    expect((await open(link('取消訂閱這類通知'))).body).toContain('重新訂閱')
  })

  it('turns its category off by a button, and leads to the settings and to the mail itself', async () => {
    const { id, subjectId, link } = await begin()
    const muted = await press(link('不再通知'))
    expect(muted.body).toContain('已關閉通知')
    const choices = runs.db.selectFrom('preference').select(['category_id', 'channel', 'enabled'])
    expect(await choices.where('subject_id', '=', subjectId).orderBy('channel').execute()).toEqual([
      { category_id: 'letters', channel: 'chat', enabled: false },
      { category_id: 'letters', channel: 'email', enabled: false },
    ])
    expect((await open(link('通知設定'))).body).toContain('name="shown"')
    const { id: turnId } = await turnOf(id)
    const copy = await open(pathTo(turnId, subjectId, { purpose: 'view' }))
    expect(copy.body).toContain('您要參加嗎？')
    expect(copy.body).toContain('/l/copy')
  })

  it('starts another scenario by a button, and says so where that takes nobody', async () => {
    const { link } = await begin()
    const nobody = await press(link('其他服務'))
    expect([nobody.statusCode, nobody.body.includes('這項服務目前沒有開放')]).toEqual([400, true])

    const other = await insertScenario(runs.db, { categoryId: 'letters', content: contentWith(3_600) })
    const scenario = await insertScenario(runs.db, {
      ...{ categoryId: 'letters', content: contentWith(3_600, other.id) },
    })
    await updateRows(runs.db, 'scenario', { id: other.id }, { unit_id: scenario.unitId })
    const { id, subjectId, address, html, link: linkOf } = await beginOf(scenario)
    const page = await open(linkOf('其他服務'))
    expect(page.body).toContain('您要參加嗎？')
    expect(page.body).not.toContain('不再通知')
    const begun = runs.db.selectFrom('scenario_run').select('state').where('subject_id', '=', subjectId)
    const ofOther = begun.where('scenario_id', '=', other.id)
    expect(await ofOther.execute()).toEqual([])
    const started = await press(linkOf('其他服務'))
    expect(started.statusCode).toBe(303)
    await reaches(id, { state: 'done', answers: {} })
    await eventually(async () => expect(await ofOther.execute()).toEqual([{ state: 'waiting' }]))

    await sql`update scenario_run set created_at = created_at - interval '61 seconds'
      where scenario_id = ${other.id}`.execute(runs.db)
    await sql`update turn set closed_at = closed_at - interval '2 minutes' where run_id = ${id}`.execute(
      runs.db,
    )
    expect((await open(linkOf('其他服務'))).body).not.toContain('<form method="post">')
    expect((await press(linkOf('其他服務'))).statusCode).toBe(200)
    expect(await ofOther.execute()).toEqual([{ state: 'waiting' }])

    expect((await lastMail(address)).html).toBe(html)
    const goesOn = `${started.headers.location}`
    const answered = await press(goesOn, `press=${/value="(\d+\.2\.0)"/.exec((await open(goesOn)).body)![1]}`)
    expect((await open(`${answered.headers.location}`)).body).toContain('已為您登記')
    await eventually(async () => expect(await ofOther.execute()).toEqual([{ state: 'done' }]))
  })

  it('keeps only the unsubscribe link of a turn whose texts are gone, and the settings for a year', async () => {
    const { id, subjectId, link } = await begin()
    const { id: turnId } = await turnOf(id)
    await sql`update turn set says = null, content = null, first_try_at = now() - interval '365 days'
      where id = ${turnId}`.execute(runs.db)
    expect((await press(link('要'))).statusCode).toBe(404)
    expect((await open(link('通知設定'))).statusCode).toBe(410)
    expect((await open(pathTo(turnId, subjectId, { purpose: 'view' }))).statusCode).toBe(410)
    expect((await open(pathTo(turnId, subjectId, { purpose: 'do_not_remind' }))).statusCode).toBe(404)
    expect((await press(link('取消訂閱這類通知'), 'wanted=off')).statusCode).toBe(200)
  })

  const turnOf = (runId: string) =>
    runs.db.selectFrom('turn').select('id').where('run_id', '=', runId).executeTakeFirstOrThrow()
  function pathTo(waveId: string, subjectId: string, target: LinkTarget) {
    return `/l/${links.sign({ waveId, subjectId }, [target])[0]}`
  }
})
