import { expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

async function draft(): Promise<string> {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  return (await api.call('createMessage', { key: api.keys.individual, headers, body: newMessage })).body.id
}
async function ask(url: string, tag?: string, others: Record<string, string> = {}) {
  const headers = {
    authorization: `Bearer ${api.keys.individual}`,
    ...(tag && { 'if-none-match': tag }),
    ...others,
  }
  const { statusCode, headers: answered, body } = await api.app.inject({ url, headers })
  return { status: statusCode, tag: answered.etag as string | undefined, body }
}

it('a detail is sent again once it has changed', async () => {
  const id = await draft()
  const { tag } = await ask(`/v1/messages/${id}`)
  for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
    expect(await ask(`/v1/messages/${id}`, condition)).toEqual({ status: 304, tag, body: '' })
  await api.call('submitMessage', { key: api.keys.individual, id })
  const changed = await ask(`/v1/messages/${id}`, tag)
  expect(changed.status).toBe(200)
  expect(changed.tag).not.toBe(tag)
})

it('a list is sent again once it has another item', async () => {
  const { tag } = await ask('/v1/messages')
  expect((await ask('/v1/messages', tag)).status).toBe(304)
  await draft()
  expect((await ask('/v1/messages', tag)).status).toBe(200)
})

it('what fails, changes something or is a file has no tag', async () => {
  const id = await draft()
  expect(await ask(`/v1/messages/${crypto.randomUUID()}`, '*')).toMatchObject({ status: 404, tag: undefined })
  const table = await ask(`/v1/messages/${id}/deliveries`, '*', { accept: 'text/csv' })
  expect(table).toMatchObject({ status: 200, tag: undefined })
  const headers = { 'if-none-match': '*' }
  const moved = await api.call('submitMessage', { key: api.keys.individual, headers, id })
  expect([moved.status, moved.headers.etag]).toEqual([200, undefined])
})
