import { beforeAll, describe, expect, it } from 'vitest'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { countPattern } from '../../../src/db/queries/pattern/report.ts'
import { endRuns } from '../../../src/db/queries/scenario-run/end.ts'
import { reportOf } from '../../../src/domain/pattern/report.ts'
import { serveApi } from '../../fixtures/api.ts'
import { option, text } from '../../fixtures/conversations.ts'
import {
  dinner,
  type Invited,
  insertMailPattern,
  insertMailScenario,
  invite,
  lookAway,
} from '../../fixtures/invited-by-mail.ts'
import { links, openRunsWithMail } from '../../fixtures/open-runs.ts'
import { selectRows, updateRows } from '../../fixtures/rows.ts'
import type { RunningWorker } from '../../fixtures/runs.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(openRunsWithMail)
const api = forFile(async () => {
  const { app } = await serveApi(runs.db, { services: { links, wake: runs.wake } })
  return { app, close: () => app.close() }
})
let worker: RunningWorker
beforeAll(async () => {
  worker = await runs.startWorker()
})

const open = (url: string) => api.app.inject({ method: 'GET', url })
function send(url: string, payload: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return api.app.inject({ method: 'POST', url, payload, headers })
}
/** The button of a page that has this label. */
const button = (body: string, label: string) =>
  new RegExp(`name="press" value="([\\d.]+)"[^>]*>${label}<`).exec(body)?.[1] ?? 'no button'
/** Presses a button of the page at this address; returns the address of the next page. */
async function press(url: string, label: string): Promise<string> {
  const { statusCode, headers } = await send(url, `press=${button((await open(url)).body, label)}`)
  expect(statusCode).toBe(303)
  return `${headers.location}`
}
const settled = async (url: string) => {
  let body = ''
  await eventually(async () => {
    const page = await open(url)
    body = page.body
    expect(page.headers.refresh).toBeUndefined()
  })
  return body
}
const runsOf = ({ subjectId }: Invited) =>
  runs.db.selectFrom('scenario_run').selectAll().where('subject_id', '=', subjectId).orderBy('id').execute()
const turnsOf = ({ subjectId }: Invited) =>
  runs.db
    .selectFrom('turn')
    .select(['first_node', 'last_node', 'channel', 'by', 'state', 'unit_pushes', 'pool_pushes', 'address'])
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute()
const mailsTo = async ({ address }: Invited) =>
  (await runs.inbox.journal()).filter(({ to }) => to === address)
const stored = async () => ({
  runs: await selectRows(runs.db, 'scenario_run', {}, ['id', 'version']),
  taps: await selectRows(runs.db, 'message_answer', {}, ['message_id']),
})

/** Asks which day, says what depends on it, and asks once more. */
const asking: Partial<ScenarioContent> = {
  nodes: [
    {
      ...{ id: 'day', kind: 'question', timeoutSeconds: 3_600, saveAs: 'day' },
      message: {
        ...{ kind: 'buttons', text: { 'zh-TW': '哪一天？' } },
        actions: [option('mon', '星期一'), option('tue', '星期二')],
      },
    },
    { id: 'told', kind: 'message', messages: [text('您選了 {{ day }}')] },
    {
      ...{ id: 'sure', kind: 'question', timeoutSeconds: 3_600 },
      message: { kind: 'buttons', text: { 'zh-TW': '確定嗎？' }, actions: [option('yes', '確定')] },
    },
    { id: 'thanks', kind: 'message', messages: [text('謝謝，再見')] },
    { id: 'end', kind: 'end' },
  ],
  edges: [
    { from: 'day', to: 'told', when: { kind: 'otherwise' } },
    { from: 'day', to: 'end', when: { kind: 'timeout' } },
    { from: 'told', to: 'sure' },
    { from: 'sure', to: 'thanks', when: { kind: 'otherwise' } },
    { from: 'sure', to: 'end', when: { kind: 'timeout' } },
    { from: 'thanks', to: 'end' },
  ],
}

describe('a conversation that begins by a link in a mail', () => {
  it('goes on page by page to its end, also by a typed answer, and mails what repeats the answers', async () => {
    const { id, scenario } = await insertMailPattern(runs.db, dinner)
    const guest = await invite(runs.db, scenario)
    const before = await stored()
    const first = await open(guest.path)
    expect(first.body).toContain('您會出席嗎？')
    expect(await stored()).toEqual(before)

    const meal = await press(guest.path, '我會出席')
    expect(await settled(meal)).toContain('餐點')
    const note = await press(meal, '素食')
    const question = await settled(note)
    expect(question).toContain('<textarea')
    const turn = /name="turn" value="(\d+)"/.exec(question)![1]
    const { headers } = await send(note, `turn=${turn}&text=${encodeURIComponent('花生過敏')}`)
    const last = await settled(`${headers.location}`)
    expect(last).toContain('期待見面')
    expect(last).toContain('已透過電子郵件傳給您')
    expect(last).not.toContain('花生過敏')

    const places = await selectRows(runs.db, 'registration', { pattern_id: id }, ['state'])
    expect(places).toEqual([{ state: 'registered' }])
    const answers = await selectRows(runs.db, 'pattern_answer', { pattern_id: id }, [
      'question',
      'option_id',
      'text',
    ])
    expect(answers).toEqual(
      expect.arrayContaining([
        { question: 'attend', option_id: 'yes', text: null },
        { question: 'meal', option_id: 'vegetarian', text: null },
        { question: 'note', option_id: null, text: '花生過敏' },
      ]),
    )
    const onPage = {
      channel: 'page',
      by: 'page',
      state: 'sent',
      unit_pushes: 0,
      pool_pushes: 0,
      address: null,
    }
    expect(await turnsOf(guest)).toMatchObject([
      { ...onPage, last_node: 'attend' },
      { ...onPage, last_node: 'meal' },
      { ...onPage, last_node: 'note' },
      { first_node: 'recap', channel: 'email', by: 'mail', state: 'sent' },
      { ...onPage, last_node: 'manage' },
    ])
    expect(await mailsTo(guest)).toHaveLength(1)
  })

  it('is counted as stopped half-way once it is over before its end', async () => {
    const { id, scenario } = await insertMailPattern(runs.db, dinner)
    const design = { questions: dinner.questions!, attendance: 'attend' }
    const numbers = async () => reportOf(design, await countPattern(runs.db, id))
    const [guest, other] = [await invite(runs.db, scenario), await invite(runs.db, scenario)]
    await settled(await press(guest.path, '我會出席'))
    await settled(await press(other.path, '無法出席'))
    expect(await numbers()).toMatchObject({ answered: 2, registered: 0, declined: 1, stopped: 0 })
    const ids = (await runsOf(guest)).map((run) => run.id)
    await runs.db
      .transaction()
      .execute((trx) => endRuns(trx, { ids }, { state: 'cancelled', reason: 'left' }))
    expect(await numbers()).toMatchObject({ answered: 2, registered: 0, declined: 1, stopped: 1 })
  })

  it('begins again from its last page by a jump, and gives up the place', async () => {
    const { id, scenario } = await insertMailPattern(runs.db, {
      ...dinner,
      questions: dinner.questions!.slice(0, 2),
    })
    const guest = await invite(runs.db, scenario)
    const manage = await press(await press(guest.path, '我會出席'), '葷食')
    await settled(manage)
    const again = await press(manage, '更改回覆')
    expect(await settled(again)).toContain('您會出席嗎？')
    const no = await press(again, '無法出席')
    expect(await settled(no)).toContain('目前沒有您')
    const places = await selectRows(runs.db, 'registration', { pattern_id: id }, ['state'])
    expect(places).toEqual([{ state: 'withdrawn' }])
    expect((await runsOf(guest)).map(({ state, on_page }) => [state, on_page])).toEqual([
      ['done', true],
      ['waiting', true],
    ])
  })

  it('mails a turn that names the person, and says on the page by what it is sent', async () => {
    const scenario = await insertMailScenario(runs.db, asking)
    const guest = await invite(runs.db, scenario)
    const next = await press(guest.path, '星期二')
    const body = await settled(next)
    expect(body).toContain('確定嗎？')
    expect(body).toContain('已透過電子郵件傳給您')
    expect(body).not.toContain('tue')
    const [mail] = await mailsTo(guest)
    expect(await runs.inbox.page(`/mails/${mail!.seq}/html`)).toContain('您選了 tue')
    const end = await settled(await press(next, '確定'))
    expect(end).toContain('謝謝，再見')
    expect(end).not.toContain('<form')
    expect(await runsOf(guest)).toMatchObject([{ state: 'done', answers: { day: 'tue', sure: 'yes' } }])
  })

  it('offers a start alone where the first question names the person', async () => {
    const [day, ...others] = asking.nodes!
    const named = {
      kind: 'buttons',
      text: { 'zh-TW': '{{ person.displayName }}，哪一天？' },
      actions: [option('mon', '星期一')],
    }
    const nodes = [{ ...day, message: named } as typeof day & object, ...others]
    const guest = await invite(runs.db, await insertMailScenario(runs.db, { ...asking, nodes }))
    await updateRows(runs.db, 'subject', { id: guest.subjectId }, { display_name: '王小明' })
    const page = await open(guest.path)
    expect(page.body).toContain('>開始</button>')
    expect(page.body).not.toMatch(/王小明|哪一天/)
    const { headers } = await send(guest.path, '')
    const body = await settled(`${headers.location}`)
    expect(body).toContain('透過電子郵件')
    expect(body).not.toMatch(/王小明|哪一天/)
    await eventually(async () => expect(await mailsTo(guest)).toHaveLength(1))
  })
})

describe('the page of an answer', () => {
  const begin = async () => {
    const guest = await invite(runs.db, await insertMailScenario(runs.db, asking))
    const next = await press(guest.path, '星期一')
    await settled(next)
    return { guest, next }
  }

  it('is the same for an answer that is sent twice', async () => {
    const { guest, next } = await begin()
    expect(await press(guest.path, '星期一')).toBe(next)
    expect(await press(guest.path, '星期二')).toBe(next)
    const pressed = `press=${button((await open(next)).body, '確定')}`
    const [one, other] = [await send(next, pressed), await send(next, pressed)]
    expect([one.statusCode, other.statusCode]).toEqual([303, 303])
    expect(other.headers.location).toBe(one.headers.location)
    expect(await settled(`${one.headers.location}`)).toContain('謝謝，再見')
    expect(await runsOf(guest)).toHaveLength(1)
  })

  it('shows nothing once the conversation has gone on, and after a day', async () => {
    const { guest, next } = await begin()
    const end = await press(next, '確定')
    await settled(end)
    const passed = await open(next)
    expect(passed.body).toContain('這一頁已經回答過了')
    expect(passed.body).not.toMatch(/確定嗎|<form|謝謝，再見/)
    await lookAway(runs.db, guest.subjectId, 1_441)
    const late = await open(end)
    expect([late.statusCode, late.body.includes('已逾時'), late.body.includes('謝謝，再見')]).toEqual([
      410,
      true,
      false,
    ])
  })

  it('is reached by nothing that opens links: they show the first question, and nothing is stored', async () => {
    const { guest, next } = await begin()
    const before = await stored()
    const opened = await open(guest.path)
    expect(opened.body).toContain('哪一天？')
    expect(opened.body).not.toMatch(/確定嗎|\/l\//)
    // A scanner follows every address of every page that it gets.
    for (const page of [opened, await open(next)])
      expect([...page.body.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
        expect.stringMatching(/^data:/),
        expect.stringMatching(/^\/assets\//),
      ])
    expect(await stored()).toEqual(before)
    for (const page of [opened, await open(next)])
      expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })

  it('is signed for its run, its person and its turn', async () => {
    const [{ guest, next }, other] = [await begin(), await begin()]
    const [run] = await runsOf(guest)
    const token = next.split('/').at(-1)!
    const link = links.verify(token)!
    expect(link).toEqual({ waveId: run!.id, subjectId: guest.subjectId, target: { purpose: 'page', n: 0 } })
    const forged = links.sign({ waveId: run!.id, subjectId: other.guest.subjectId }, [
      { purpose: 'page', n: 0 },
    ])
    expect((await open(`/l/${forged[0]}`)).statusCode).toBe(404)
    expect((await open(`/l/${token.replace(/.$/, token.endsWith('A') ? 'B' : 'A')}`)).statusCode).toBe(404)
    // What another page offers, and what none does, answers nothing here.
    for (const payload of ['press=9.0.0', 'press=2.7.0', 'turn=2&text=hello', 'press=2.0.0.0.0', ''])
      expect((await send(next, payload)).statusCode).toBe(400)
    expect((await runsOf(guest))[0]!.answers).toEqual({ day: 'mon' })
  })

  it('waits while no worker runs, and goes on by mail if nobody reads it any more', async () => {
    const guest = await invite(runs.db, await insertMailScenario(runs.db, asking))
    await worker.stop()
    const next = await press(guest.path, '星期二')
    const waiting = await open(next)
    expect(waiting.body).toContain('請稍候')
    expect(waiting.headers.refresh).toBe('2')
    await lookAway(runs.db, guest.subjectId, 2)
    const kept = await open(next)
    expect(kept.body).toContain('您的回覆已經存好')
    expect(kept.body).toContain('透過電子郵件')
    worker = await runs.startWorker()
    await eventually(async () =>
      expect(await turnsOf(guest)).toMatchObject([
        { last_node: 'day', channel: 'page', state: 'sent' },
        { first_node: 'told', last_node: 'sure', channel: 'email', state: 'sent' },
      ]),
    )
    expect((await runsOf(guest))[0]!.answers).toEqual({ day: 'tue' })
  })
})
