import { describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
const key = () => ({ key: api.keys.a })

const greeting = (zh: string, en: string) => [{ kind: 'text', text: { 'zh-TW': zh, en } }]
async function template(): Promise<string> {
  const body = {
    name: 'Greeting',
    categoryId: 'news',
    messages: greeting('{{ who }}您好，{{ when }}見', 'Dear {{ who }}, see you {{ when }}'),
    variables: [{ name: 'who' }, { name: 'when', default: 'tomorrow' }],
  }
  return (await api.call('createTemplate', { ...key(), body })).body.id
}
const preview = (id: string, body: object = {}) =>
  api.call('previewTemplate', { ...key(), id, body: { locale: 'en', channel: 'chat', ...body } })
const textOf = async (id: string, variables?: object) =>
  (await preview(id, variables && { variables })).body.calls[0][0].text

describe('the preview of a template', () => {
  it('shows values, defaults, and the name of what has neither', async () => {
    const id = await template()
    expect(await textOf(id, { who: 'Mei' })).toContain('Dear Mei, see you tomorrow')
    expect(await textOf(id, { when: 'on Friday' })).toContain('Dear ⟨who⟩, see you on Friday')
    expect(await textOf(id)).toContain('Dear ⟨who⟩, see you tomorrow')
  })

  it('is of the newest version, approved or not', async () => {
    const id = await template()
    await api.call('approveTemplate', { session: api.sessions.approver, id, body: {} })
    const body = { messages: greeting('嗨{{ who }}', 'Hi {{ who }}'), variables: [{ name: 'who' }] }
    await api.call('createTemplateVersion', { ...key(), id, body })
    expect(await textOf(id, { who: 'Mei' })).toContain('Hi Mei')
    expect(await textOf(id, { who: 'Mei', when: 'never' })).toContain('Hi Mei')
  })

  it('says what is wrong with a value or a channel, and is not there for another unit', async () => {
    const id = await template()
    const slip = await preview(id, { variables: { whom: 'Mei' } })
    expect([slip.code, slip.body.error.details.issues[0].path]).toEqual([
      'validation_error',
      'variables.whom',
    ])
    const long = await preview(id, { variables: { who: 'x'.repeat(6_000) } })
    expect(long.body.violations.map(({ code }: { code: string }) => code)).toEqual(['too_long', 'too_long'])
    expect((await preview(id, { channel: 'email' })).code).toBe('validation_error')
    const other = { key: api.keys.b, id, body: { channel: 'chat' } }
    expect((await api.call('previewTemplate', other)).status).toBe(404)
  })
})

it('what uses a template is named by it, until it no longer does', async () => {
  const { approved: templateId } = api.templates
  const usedBy = async () => (await api.call('getTemplate', { ...key(), id: templateId })).body.usedBy
  const before = await usedBy()
  const audience = { kind: 'query', roles: ['student'] }
  const binding = { source: 'sis', type: 'closing', categoryId: 'news', templateId, audience }
  const { id: bindingId } = (await api.call('createEventBinding', { ...key(), body: binding })).body
  const schedule = {
    ...{ name: 'Every Monday', type: 'recurring', cron: '0 9 * * 1' },
    message: { categoryId: 'news', templateId, audience, variables: { day: '1' } },
  }
  const headers = { 'idempotency-key': 'every-monday' }
  const answer = await api.call('createSchedule', { ...key(), headers, body: schedule })
  expect([answer.status, answer.body.error?.details]).toEqual([201, undefined])
  expect(await usedBy()).toEqual({
    bindings: [...before.bindings, { id: bindingId, source: 'sis', type: 'closing' }],
    schedules: [{ id: answer.body.id, name: 'Every Monday' }],
  })
  await api.call('deleteSchedule', { ...key(), id: answer.body.id })
  expect((await usedBy()).schedules).toEqual([])
})
