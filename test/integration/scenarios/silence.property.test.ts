import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { tap } from '../../../src/channels/chat/taps.ts'
import type { Action } from '../../../src/contract/messages/content.ts'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { defaultAcknowledgement } from '../../../src/domain/content/acknowledgement.ts'
import { option } from '../../fixtures/conversations.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { walkOn } from '../../fixtures/patterns.ts'
import { insertScenario } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { event, postback, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

/** The outcomes that stay without a reply, as the page names them. */
const page = readFileSync(new URL('../../../docs/design/conversations.md', import.meta.url), 'utf8')
const [, table = ''] = page.split('\n## Silences\n')
const silences = table
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, outcome]) => outcome!))

const woken = new Set<string>()
const replied = new Set<string>()
const api = forFile(() =>
  startWebhookApi({
    wake: (_kind, id) => void woken.add(id),
    replyChat: async ({ replyToken }) => {
      replied.add(replyToken)
      return { kind: 'accepted' }
    },
  }),
)
let messageId: string
let scenarioId: string
beforeAll(async () => {
  const { db } = api.database
  await db
    .updateTable('category')
    .set({ acknowledgement: JSON.stringify(defaultAcknowledgement) })
    .execute()
  const mute: Action = { kind: 'mute', label: { 'zh-TW': '關閉' }, categoryId: 'manual' }
  const insert = (content: Partial<ScenarioContent>) => insertScenario(db, { unitId: api.units.a, content })
  const inner = await insert(asking([option('a', '甲'), option('b', '乙')], 'text'))
  const jump: Action = { kind: 'jumpScenario', label: { 'zh-TW': '另一個' }, scenarioId: inner.id }
  const outer = await insert(asking([option('yes', '好的，謝謝'), mute, jump], 'option'))
  scenarioId = outer.id
  const triggers = [`keyword:tour`, `keyword:導覽`].map((trigger) => ({ trigger, scenario_id: outer.id }))
  await db.insertInto('scenario_trigger').values(triggers).execute()
  const messages = [
    {
      kind: 'buttons',
      text: { 'zh-TW': '？' },
      actions: [option('in', '參加'), mute, { ...jump, scenarioId }],
    },
  ]
  messageId = (await insertSentMessage(api, { ...newMessage, messages })).id
})

/** A greeting, a question, and a word of thanks. */
function asking(actions: Action[], takes: 'text' | 'option'): Partial<ScenarioContent> {
  const says = (id: string, zh: string) => ({
    ...{ id, kind: 'message' as const, messages: [{ kind: 'text' as const, text: { 'zh-TW': zh } }] },
  })
  return {
    nodes: [
      {
        ...{ id: 'ask', kind: 'question', timeoutSeconds: 3_600 },
        message: { kind: 'buttons', text: { 'zh-TW': '請選' }, actions },
      },
      says('thanks', '謝謝'),
      says('late', '時間到了'),
      { id: 'end', kind: 'end' },
    ],
    edges: [
      { from: 'ask', to: 'thanks', when: { kind: 'otherwise' } },
      ...(takes === 'text' ? [{ from: 'ask', to: 'thanks', when: { kind: 'text' as const } }] : []),
      { from: 'ask', to: 'late', when: { kind: 'timeout' } },
      ...['thanks', 'late'].map((from) => ({ from, to: 'end' })),
    ],
  }
}

type Act =
  | { do: 'type'; text: string }
  | { do: 'sticker' | 'late' | 'expire' | 'block' | 'follow' | 'strange' }
  | { do: 'tap'; back: number; o: number; times: number }
  | { do: 'press'; o: number }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('type' as const), text: fc.constantFrom(...texts()) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ do: fc.constant('tap' as const), back: fc.nat(3), o: fc.nat(3) },
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('press' as const), o: fc.nat(3) }) },
  fc.record({
    do: fc.constantFrom(...(['sticker', 'late', 'expire', 'block', 'follow', 'strange'] as const)),
  }),
)

function texts(): string[] {
  return [
    'tour',
    '導覽',
    ' ＴＯＵＲ',
    '取消',
    'cancel',
    'stop',
    '好的',
    '好的，謝謝',
    '甲',
    '2',
    '?',
    '嗨',
    '不知道',
    'yes',
  ]
}

it('leaves nobody who writes or taps without an answer, but for the silences that the page names', async () => {
  const silent = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('zh-TW' as const, 'en' as const),
      fc.array(act, { minLength: 3, maxLength: 12 }),
      async (locale, acts) => {
        await api.database.db.updateTable('subject').set({ locale }).where('uid', '=', 's1').execute()
        for (const one of acts) {
          const events = await eventsOf(one)
          if (events.length > 0) await happen(events, silent)
        }
      },
    ),
    { numRuns: 60 },
  )
  expect([...silent].filter((outcome) => !silences.includes(outcome))).toEqual([])
  expect(silent.size).toBeGreaterThan(2)
}, 60_000)

/** Posts events with reply tokens, and notes the outcomes of those that nobody answers and that move nothing. */
async function happen(events: ReturnType<typeof event>[], silent: Set<string>): Promise<void> {
  woken.clear()
  // The reply token of each is its id.
  await api.happens(...events.map((one) => ({ ...one, replyToken: one.webhookEventId })))
  const rows = await api.database.db
    .selectFrom('webhook_event')
    .select(['event_id', 'outcome'])
    .where(
      'event_id',
      'in',
      events.map(({ webhookEventId }) => webhookEventId),
    )
    .execute()
  expect(rows).toHaveLength(events.length)
  const moved = woken.size > 0
  for (const runId of woken) await walkOn(api.services, runId)
  for (const { event_id: id, outcome } of rows) if (!replied.has(id!) && !moved) silent.add(outcome ?? 'null')
}

/** What the phone sends; what happens elsewhere is done. */
async function eventsOf(one: Act): Promise<ReturnType<typeof event>[]> {
  const { db } = api.database
  switch (one.do) {
    case 'type':
      return [event('message', 'Us1', { message: { type: 'text', id: '1', text: one.text } })]
    case 'sticker':
      return [event('message', 'Us1', { message: { type: 'sticker', id: '1' } })]
    case 'block':
      return [event('unfollow', 'Us1')]
    case 'follow':
      return [event('follow', 'Us1')]
    case 'strange':
      return [postback('Us1', 'menu=1')]
    case 'press':
      return [postback('Us1', tap({ m: messageId }, 0, String(one.o)))]
    case 'tap': {
      const runs = await db
        .selectFrom('scenario_run')
        .select(['id', 'closed_at'])
        .orderBy('id', 'desc')
        .limit(4)
        .execute()
      const run = runs[one.back]
      if (!run) return []
      const data = tap({ s: run.id, m: 'ask' }, 0, String(one.o))
      return Array.from({ length: one.times }, () => postback('Us1', data))
    }
    case 'late': {
      const open = db
        .updateTable('scenario_run')
        .where('closed_at', 'is', null)
        .where('deadline', 'is not', null)
      const ids = await open
        .set({ deadline: new Date(Date.now() - 1_000) })
        .returning('id')
        .execute()
      for (const { id } of ids) await walkOn(api.services, id)
      return []
    }
    case 'expire':
      await db.updateTable('message').set({ expires_at: new Date() }).where('id', '=', messageId).execute()
      return []
  }
}
