import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { linkSigner } from '../../../src/channels/email/links.ts'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { answersOf, option, text } from '../../fixtures/conversations.ts'
import { insertChatPerson, insertHandoff } from '../../fixtures/handoffs.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertRow, updateRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { event, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

/** What people write to whom nobody in particular: they are told what may be written, and where their settings are. */

let chat: string
let subjectId: string
const replies: string[] = []
const links = linkSigner(Buffer.alloc(32, 7))
const api = forFile(() =>
  startWebhookApi({
    ...{ links, publicUrl: 'https://hub.example', wake: () => {} },
    replyChat: async ({ content }) => {
      replies.push(JSON.stringify(contentFor(content)))
      return { kind: 'accepted' }
    },
  }),
)
beforeEach(async () => {
  replies.length = 0
  const { db } = api.database
  for (const table of ['scenario_trigger', 'message_answer', 'delivery'] as const)
    await db.deleteFrom(table).execute()
  ;({ address: chat, subjectId } = await insertChatPerson(db))
})

/** The outcome of what the person sends, and what they are told. */
async function send(message: object): Promise<[outcome: string | undefined, told: string]> {
  replies.length = 0
  const one = event('message', chat, { message: { id: '1', ...message }, replyToken: randomUUID() })
  await api.happens(one)
  const rows = api.database.db.selectFrom('webhook_event').select('outcome')
  const { outcome } = await rows.where('event_id', '=', one.webhookEventId).executeTakeFirstOrThrow()
  return [outcome ?? undefined, replies.join()]
}
const type = (words: string) => send({ type: 'text', text: words })

/** Lets time pass for everything that the person has sent. */
async function later(minutes: number): Promise<void> {
  const ago = (column: string) => sql<Date>`${sql.ref(column)} - make_interval(mins => ${minutes})`
  await api.database.db
    .updateTable('webhook_event')
    .set({ occurred_at: ago('occurred_at'), done_at: ago('done_at') })
    .where('address', '=', chat)
    .execute()
}

const question = {
  ...{ kind: 'quickReply' as const, text: { 'zh-TW': '要參加嗎？' } },
  options: [
    { id: 'yes', label: { 'zh-TW': '要，我參加', en: 'Yes' } },
    { id: 'no', label: { 'zh-TW': '不需要' } },
  ],
}
const sendMessage = (messages: object[]) => insertSentMessage(api, { ...newMessage, messages })
const answers = async () => {
  const rows = api.database.db.selectFrom('message_answer').select('option_id')
  return (await rows.where('subject_id', '=', subjectId).execute()).map(({ option_id: id }) => id)
}

/** A question that takes any text, and one option. */
const anyWords: Partial<ScenarioContent> = {
  nodes: [
    {
      ...{ id: 'ask', kind: 'question', timeoutSeconds: 3_600 },
      message: { kind: 'buttons', text: { 'zh-TW': '想說什麼？' }, actions: [option('set', '設定')] },
    },
    { id: 'end', kind: 'end' },
  ],
  edges: (['otherwise', 'text', 'timeout'] as const).map((kind) => ({
    ...{ from: 'ask', to: 'end', when: { kind } },
  })),
}

async function runAtQuestion(content: Partial<ScenarioContent>): Promise<string> {
  const { db } = api.database
  const scenario = await insertScenario(db, { unitId: api.units.a, content })
  const at = new Date()
  const deadline = new Date(Date.now() + 3_600_000)
  const runId = await insertScenarioRun(db, {
    scenario,
    subjectId,
    columns: { state: 'waiting', node: 'ask', deadline },
  })
  const node = content.nodes![0]!
  await insertRow(db, 'turn', {
    ...{ run_id: runId, number: 1, first_node: 'ask', last_node: 'ask', subject_id: subjectId },
    ...{ unit_id: api.units.a, state: 'sent', answers_person: false, locale: 'zh-TW', channel: 'chat' },
    ...{ first_try_at: at, closed_at: at },
    says: JSON.stringify([{ node: 'ask', messages: ['message' in node ? node.message : text('')] }]),
  })
  return runId
}

describe('what nothing else takes', () => {
  it('is answered with what may be written, once an hour', async () => {
    const [outcome, told] = await type('你好')
    expect([outcome, told]).toEqual(['guided', expect.stringContaining('請傳「設定」')])
    await later(59)
    expect(await type('有人嗎')).toEqual(['recorded', ''])
    await later(2)
    expect(await send({ type: 'sticker' })).toEqual(['guided', told])
  })

  it('is told in the language of the person', async () => {
    await updateRows(api.database.db, 'subject', { id: subjectId }, { locale: 'en' })
    expect(await type('hello')).toEqual(['guided', expect.stringContaining('send “settings”')])
  })

  it('needs no words within a minute of an answer', async () => {
    await sendMessage([question])
    expect((await type('不需要'))[0]).toBe('answered')
    expect(await type('謝謝')).toEqual(['recorded', ''])
    await later(1)
    expect((await type('謝謝'))[0]).toBe('guided')
  })

  it('is left to a scenario for it, to an open handoff, and to a conversation that is about to go on', async () => {
    const { db } = api.database
    const other = await insertScenario(db, { unitId: api.units.a, content: anyWords })
    await insertRow(db, 'scenario_trigger', { trigger: 'otherwise', scenario_id: other.id })
    expect((await type('嗨'))[0]).toBe('started')
    expect(await type('嗨嗨')).toEqual(['recorded', ''])
    await db.deleteFrom('scenario_trigger').execute()
    ;({ address: chat, subjectId } = await insertChatPerson(db))
    await insertHandoff(db, { unit_id: api.units.a, subject_id: subjectId })
    expect(await type('嗨')).toEqual(['handed_over', ''])
  })
})

describe('words for the settings', () => {
  it.each(['設定', '「取消訂閱」', 'Help', 'settings', 'unsubscribe'])(
    '%s open them by a link',
    async (words) => {
      const { waveId } = await sendMessage([question])
      const [outcome, told] = await type(words)
      expect(outcome).toBe('settings')
      const [, token] = /https:\/\/hub\.example\/l\/([\w-]+)/.exec(told)!
      expect(links.verify(token!)).toEqual({ waveId, subjectId, target: { purpose: 'preferences' } })
    },
  )

  it('say so where there are none yet', async () => {
    expect(await type('設定')).toEqual(['settings', expect.stringContaining('還沒有收到過')])
  })

  it('come before the open question, but not before its option of that word', async () => {
    const run = await runAtQuestion(anyWords)
    expect((await type('help'))[0]).toBe('settings')
    expect((await type('設定'))[0]).toBe('answered')
    expect(await answersOf(api.database.db, run)).toEqual(['set'])
  })
})

describe('the words of a button', () => {
  it.each([['不需要。'], ['要，我參加'], ['YES']])('%s press it in the message sent last', async (words) => {
    await sendMessage([{ ...question, options: [{ id: 'old', label: { 'zh-TW': words } }] }])
    await sendMessage([question])
    expect((await type(words))[0]).toBe('answered')
    expect(await answers()).toEqual([words === '不需要。' ? 'no' : 'yes'])
  })

  it('come before a keyword, and after an open question', async () => {
    const tour = await insertScenario(api.database.db, { unitId: api.units.a })
    await insertRow(api.database.db, 'scenario_trigger', { trigger: 'keyword:不需要', scenario_id: tour.id })
    await sendMessage([question])
    expect((await type('不需要'))[0]).toBe('answered')
    expect(await answers()).toEqual(['no'])
    const run = await runAtQuestion(anyWords)
    await type('不需要')
    expect(await answersOf(api.database.db, run)).toEqual(['不需要'])
  })

  it('mean nothing once a conversation has said something since, or on two cards', async () => {
    await sendMessage([question])
    await runAtQuestion({ ...anyWords, edges: anyWords.edges!.filter(({ when }) => when?.kind !== 'text') })
    expect((await type('不需要'))[0]).toBe('unknown_option')
    ;({ address: chat, subjectId } = await insertChatPerson(api.database.db))
    const card = { kind: 'card', title: { 'zh-TW': '場次' }, actions: [option('a', '報名')] }
    await sendMessage([{ kind: 'carousel', cards: [card, { ...card, actions: [option('b', '報名')] }] }])
    expect((await type('報名'))[0]).toBe('guided')
    expect(await answers()).toEqual([])
  })
})
