import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatClient, connectChat } from '../../../src/channels/chat/client.ts'
import { type ChatReply, replyChat } from '../../../src/channels/chat/send.ts'
import { doNotRemindTap, tap } from '../../../src/channels/chat/taps.ts'
import { linkSigner } from '../../../src/channels/email/links.ts'
import { defaultAcknowledgement } from '../../../src/domain/content/acknowledgement.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { viewLink } from '../../../src/services/links/links.ts'
import { addedSince, valuesOf } from '../../fixtures/metrics.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { renderingOn } from '../../fixtures/rendering.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { alice, simulator } from '../../fixtures/simulator.ts'
import { token } from '../../fixtures/simulator-calls.ts'
import { postback, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

const label = { 'zh-TW': '參加 $&', en: 'Coming $&' }
const messages = [{ kind: 'quickReply', text: { 'zh-TW': '來嗎？' }, options: [{ id: 'yes', label }] }]

const links = linkSigner(Buffer.alloc(32, 7))

let provider: Awaited<ReturnType<typeof simulator>>
let client: ChatClient
let replies: Promise<Outcome>[]
const api = forFile(() =>
  startWebhookApi({
    ...{ links, publicUrl: 'https://notices.example.edu' },
    replyChat(reply: ChatReply) {
      const sent = replyChat(client, reply)
      replies.push(sent)
      return sent
    },
  }),
)
beforeAll(async () => {
  await write('category', { acknowledgement: JSON.stringify(defaultAcknowledgement) })
})
const acknowledgements = 'carillon_chat_acknowledgements_total'
let before: Record<string, number>
beforeEach(async () => {
  provider = await simulator()
  client = connectChat({ baseUrl: provider.url, token })
  replies = []
  before = await valuesOf(acknowledgements)
})
afterEach(() => client.close())

const write = (table: 'category' | 'unit' | 'subject' | 'message', values: object) =>
  api.database.db.updateTable(table).set(values).execute()

/** Taps as this person, and returns the texts that come back once all replies have ended. */
async function press(data: unknown, more: object = {}) {
  const replyToken = provider.issueReplyToken(alice)
  const event = { ...postback('Us1', data), replyToken, ...more }
  await api.happens(event, event)
  await Promise.all(replies)
  return (await provider.journal()).filter(({ status }) => status === 200).flatMap((item) => item.messages)
}

const category = (id: string) =>
  api.database.db.selectFrom('category').select('name').where('id', '=', id).executeTakeFirstOrThrow()

/** The actions of the buttons of a bubble. */
function buttonsOf(message: unknown): { label: string; data?: string; uri?: string }[] {
  const { contents } = (message as { contents: { footer: { contents: { action: object }[] } } }).contents
    .footer
  return contents.map(({ action }) => action as { label: string })
}

const counted = () => addedSince(before, acknowledgements)

describe('a tap in the chat', () => {
  const send = async () => (await insertSentMessage(api, { ...newMessage, messages })).id

  it('gets one word back, in the language of the reader and as the unit appears', async () => {
    const id = await send()
    expect(await press(tap({ m: id }, 0, '0'))).toEqual([{ type: 'text', text: '已收到：參加 $&' }])
    await write('subject', { locale: 'en' })
    await write('unit', {
      sender: JSON.stringify({ name: { 'zh-TW': '教務處', en: 'Registry' }, iconUrl: null }),
    })
    const [, second] = await press(tap({ m: id }, 0, '0'))
    expect(second).toEqual({ type: 'text', text: 'Got it: Coming $&', sender: { name: 'Registry' } })
    expect(await counted()).toEqual({ sent: 2 })
    const calls = await provider.journal()
    expect(calls.map(({ endpoint, retryKey }) => [endpoint, retryKey])).toEqual([
      ['reply', null],
      ['reply', null],
    ])
    await write('subject', { locale: 'zh-TW' })
    await write('unit', { sender: null })
  })

  it('gets the words of its category, or none', async () => {
    const id = await send()
    const acknowledgement = JSON.stringify({ 'zh-TW': '謝謝您選擇「{label}」' })
    await write('category', { acknowledgement, acknowledgement_by: 'person:admin' })
    expect(await press(tap({ m: id }, 0, '0'))).toMatchObject([{ text: '謝謝您選擇「參加 $&」' }])
    await write('category', { acknowledgement: null })
    expect(await press(tap({ m: id }, 0, '0'))).toHaveLength(1)
    await write('category', { acknowledgement: JSON.stringify(defaultAcknowledgement) })
  })

  it('that opts out of the reminder, or comes too late to count, is told so', async () => {
    const id = await send()
    expect(await press(doNotRemindTap({ m: id }))).toMatchObject([{ text: '好的，不會再提醒您這則訊息。' }])
    await write('message', { expires_at: new Date(0) })
    const texts = await press(tap({ m: id }, 0, '0'))
    expect(texts.at(-1)).toMatchObject({ text: '這則訊息已不再接受回覆。' })
    await write('message', { expires_at: null })
  })

  it('that turns a category off is told so by name, and undoes exactly that', async () => {
    const actions = [{ kind: 'mute', label: { 'zh-TW': '不要這類' }, categoryId: 'manual' }]
    const { id } = await insertSentMessage(api, {
      ...{ ...newMessage, messages: [{ kind: 'buttons', text: { 'zh-TW': '？' }, actions }] },
    })
    const { id: subject_id } = await api.person('s1')
    const { db } = api.database
    const off = { subject_id, category_id: 'manual', channel: 'email', enabled: false } as const
    await db.insertInto('preference').values(off).execute()
    const choices = async () => {
      const rows = db.selectFrom('preference').select(['channel', 'enabled']).orderBy('channel')
      return rows.where('subject_id', '=', subject_id).execute()
    }
    const [reply] = await press(tap({ m: id }, 0, '0'))
    const { name } = await category('manual')
    expect(reply).toMatchObject({ type: 'flex', altText: `已關閉「${name['zh-TW']}」（聊天）。` })
    const buttons = buttonsOf(reply)
    expect(buttons.map(({ label }) => label)).toEqual(['復原', '通知設定'])
    expect(await choices()).toMatchObject([{ enabled: false }, { enabled: false }])
    const link = links.verify(buttons[1]!.uri!.split('/l/')[1]!)
    expect(link).toMatchObject({ subjectId: subject_id, target: { purpose: 'preferences' } })
    expect(await viewLink({ db, rendering: renderingOn(db) }, link!)).toMatchObject({ ask: 'preferences' })

    await write('message', { expires_at: new Date(0) })
    const [, again] = await press(tap({ m: id }, 0, '0'))
    expect(again).toMatchObject({ altText: `「${name['zh-TW']}」先前已經關閉了。` })
    const [, , undone] = await press(JSON.parse(buttons[0]!.data!))
    expect(undone).toMatchObject({ altText: `已恢復「${name['zh-TW']}」（聊天）。` })
    expect(await choices()).toEqual([
      { channel: 'chat', enabled: true },
      { channel: 'email', enabled: false },
    ])
    await write('category', { layer: 'mandatory' })
    const [, , , refused] = await press(tap({ m: id }, 0, '0'))
    expect(refused).toMatchObject({ altText: `「${name['zh-TW']}」是必要通知，無法關閉。` })
    await write('category', { layer: 'service' })
    await write('message', { expires_at: null })
  })

  it('in a message whose content is past retention is told that it is over', async () => {
    const id = await send()
    await api.database.db.deleteFrom('message_content').where('message_id', '=', id).execute()
    expect(await press(tap({ m: id }, 0, '0'))).toMatchObject([{ text: '這則訊息已不再接受回覆。' }])
  })

  it('without a young token, or in a message that was never sent, gets no answer and no push', async () => {
    const id = await send()
    expect(await press(tap({ m: id }, 0, '0'), { timestamp: Date.now() - 31_000 })).toEqual([])
    expect(await press(tap({ m: id }, 0, '0'), { replyToken: undefined })).toEqual([])
    expect(await press(tap({ m: id }, 0, '7'))).toEqual([])
    expect(await press(tap({ m: crypto.randomUUID() }, 0, '0'))).toEqual([])
    expect(replies).toEqual([])
    expect(await counted()).toEqual({ late: 1 })
  })

  it('is answered at most once, and counts as answered whatever becomes of the reply', async () => {
    const id = await send()
    await provider.fault({ endpoint: 'reply', status: 500, times: 1 })
    expect(await press(tap({ m: id }, 0, '0'))).toEqual([])
    expect(await press(tap({ m: id }, 0, '0'), { replyToken: 'used' })).toEqual([])
    expect(await counted()).toEqual({ refused: 2 })
    expect((await api.outcomes()).slice(-2)).toEqual(['answered', 'answered'])
    expect(await provider.journal()).toHaveLength(2)
    const deliveries = await api.database.db.selectFrom('call').select('state').execute()
    expect(deliveries).toEqual([])
  })
})
