import { describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { event, signature, startWebhookApi, webhookSecrets } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startWebhookApi)

describe('a webhook', () => {
  const raw = JSON.stringify({ events: [] })

  it('is signed over its bytes, with the provider’s header or Carillon’s', async () => {
    const right = signature(webhookSecrets.chat, raw)
    const codeOf = async (headers: Record<string, string>, bytes = raw) =>
      (await api.call('receiveChatWebhook', { raw: bytes, headers })).code
    expect(await codeOf({ 'x-line-signature': right })).toBeNull()
    expect(await codeOf({ 'x-channel-signature': right })).toBeNull()
    expect(await codeOf({ 'x-channel-signature': right }, `${raw} `)).toBe('bad_signature')
    for (const wrong of ['', 'x', right.slice(1), `${right}=`, signature('other', raw)])
      expect(await codeOf({ 'x-channel-signature': wrong })).toBe('bad_signature')
    expect(await codeOf({})).toBe('unauthenticated')
    expect(await codeOf({ 'x-mock-signature': 'ok' })).toBe('unauthenticated')
    const mail = await api.call('receiveEmailWebhook', { raw, headers: { 'x-channel-signature': right } })
    expect(mail.code).toBe('bad_signature')
  })

  it('may be `ok` in mock mode, and requires a secret otherwise', async () => {
    const mocked = await startApi({ auth: { mock: true } })
    const codeOf = async (headers: Record<string, string>) =>
      (await mocked.call('receiveChatWebhook', { raw, headers })).code
    expect(await codeOf({ 'x-mock-signature': 'ok' })).toBeNull()
    expect(await codeOf({ 'x-mock-signature': 'no' })).toBe('bad_signature')
    expect(await codeOf({ 'x-line-signature': signature('', raw) })).toBe('unauthenticated')
    await mocked.close()
  })

  it('without events is answered as well', async () => {
    expect((await api.postEvents()).body).toEqual({ stored: 0 })
  })

  it('is stored once, however often it is delivered, even if its kind is unknown', async () => {
    const odd = event('messageEdited', 'Us1')
    expect((await api.postEvents(odd, odd)).body).toEqual({ stored: 1 })
    expect((await api.postEvents(odd, event('beacon', 'Unobody'))).body).toEqual({ stored: 1 })
    await api.processAll()
    expect((await api.outcomes()).slice(-2)).toEqual(['ignored', 'unknown_user'])
  })

  it('must be one', async () => {
    for (const wrong of ['{', '[]', '{}', '{"events":{}}', '{"events":[],"destination":1}', '']) {
      const headers = { 'x-line-signature': signature(webhookSecrets.chat, wrong) }
      expect((await api.call('receiveChatWebhook', { raw: wrong, headers })).code).toBe('validation_error')
    }
  })
})
