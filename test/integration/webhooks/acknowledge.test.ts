import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatClient, connectChat } from '../../../src/channels/chat/client.ts'
import { type ChatReply, replyChat } from '../../../src/channels/chat/send.ts'
import { doNotRemindTap, tap } from '../../../src/channels/chat/taps.ts'
import { defaultAcknowledgement } from '../../../src/domain/content/acknowledgement.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { addedSince, valuesOf } from '../../fixtures/metrics.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { alice, simulator } from '../../fixtures/simulator.ts'
import { token } from '../../fixtures/simulator-calls.ts'
import { postback, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

const label = { 'zh-TW': '參加 $&', en: 'Coming $&' }
const messages = [{ kind: 'quickReply', text: { 'zh-TW': '來嗎？' }, options: [{ id: 'yes', label }] }]

let provider: Awaited<ReturnType<typeof simulator>>
let client: ChatClient
let replies: Promise<Outcome>[]
const api = forFile(() =>
  startWebhookApi({
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
