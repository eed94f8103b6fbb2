import { expect, it } from 'vitest'
import { entry } from '../../../src/services/trace/words.ts'

it('a call is told with its names, and briefly without them', () => {
  const call = { channel: 'chat', place: { nth: 1, of: 1 }, tries: 1, state: 'accepted', code: null } as const
  const { text, brief } = entry(null, 'called', { ...call, requestId: 'request-1', retryKey: 'key-1' })
  expect(text['zh-TW']).toBe(
    '呼叫聊天供應商，試了 1 次：已接受（重試識別碼 key-1，供應商的請求編號 request-1）。',
  )
  expect(brief).toEqual({
    'zh-TW': '呼叫聊天供應商，試了 1 次：已接受。',
    en: 'Call to the chat provider, 1 try: accepted.',
  })
  expect(entry(null, 'in_send').brief).toBeUndefined()
})

it('a move is told with the state as the console calls it', () => {
  const move = { action: 'approve', by: 'Lin', state: 'approved', reminder: false, reason: null }
  expect(entry(null, 'moved', move).text['zh-TW']).toBe('Lin：核准，訊息已排定')
})
