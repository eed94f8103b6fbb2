import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { adapters } from '../../../src/channels/index.ts'
import { startApi } from '../../fixtures/api.ts'
import { createMessage, newMessage } from '../../fixtures/new-message.ts'
import { seedCategory } from '../../fixtures/seed.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() => startApi({ services: { channels: adapters } }))
beforeAll(async () => {
  await seedCategory(api.database.db, 'both', { channels: ['chat', 'email'] })
})

const label = { 'zh-TW': '報名' }
const card = {
  kind: 'card',
  title: label,
  imageUrl: '{{ picture }}',
  actions: [{ kind: 'uri', label, url: 'https://example.edu/{{ course | url_encode }}' }],
}
const template = (messages: unknown[] = [card]) => ({
  name: '報名',
  categoryId: 'both',
  messages,
  variables: [{ name: 'picture', default: 'https://example.edu/a.png' }, { name: 'course' }],
})
const save = (messages?: unknown[]) =>
  api.call('createTemplate', { key: api.keys.a, body: template(messages) })

async function draft(variables: object): Promise<string> {
  const { id: templateId } = (await save()).body
  const body = { ...newMessage, categoryId: 'both', messages: undefined, templateId, variables }
  const headers = { 'idempotency-key': randomUUID() }
  return (await api.call('createMessage', { key: api.keys.a, headers, body })).body.id
}
const violations = async (variables: object) =>
  (await api.call('dryRunMessage', { key: api.keys.a, id: await draft(variables) })).body.violations

describe('an address of a template', () => {
  it('may be a variable, in a form that its answers’ own schema allows', async () => {
    const { status, body } = await save()
    expect(status).toBe(201)
    expect(body.messages).toEqual([card])
    const { TemplateCardMessage, TemplateUriAction } = (await api.app.inject('/openapi.json')).json()
      .components.schemas
    expect(TemplateCardMessage.properties.imageUrl).not.toHaveProperty('format')
    expect(TemplateUriAction.properties.url).not.toHaveProperty('format')

    const id = await draft({ course: 'x' })
    const { body: detail } = await api.call('getMessage', { key: api.keys.a, id })
    expect(detail.content.messages).toEqual([card])
  })

  it('without a variable is checked when it is saved', async () => {
    const { code, body } = await save([{ ...card, imageUrl: 'no address' }])
    expect(code).toBe('validation_error')
    expect(body.error.details.issues).toMatchObject([
      { path: 'messages[0].imageUrl', message: 'must be a URL, or contain a variable' },
    ])
  })

  it('is checked once its variables are filled in, with one violation for each fault', async () => {
    expect(await violations({ course: '王 & 李' })).toEqual([])
    const list = await violations({ course: 'x', picture: 'no address' })
    expect(list).toEqual([
      {
        path: 'messages[0].imageUrl',
        code: 'invalid',
        message: {
          'zh-TW': '代入變數後，這裡不是有效的網址。請更正變數。',
          en: 'With the variables filled in, this is not a valid URL. Correct the variables.',
        },
      },
    ])
    expect(await violations({ course: 'x', picture: 'https://u:p@example.edu/a.png' })).toMatchObject([
      { path: 'messages[0].imageUrl', code: 'userinfo_in_link' },
    ])
    expect(await violations({ course: 'x', picture: '{{ picture }}' })).toMatchObject([
      { path: 'messages[0].imageUrl', code: 'invalid' },
    ])
  })

  it('that two channels refuse for different reasons has the advice of the stricter one', async () => {
    expect(await violations({ course: 'x', picture: 'ftp://example.edu/a.png' })).toMatchObject([
      { path: 'messages[0].imageUrl', code: 'https_required' },
    ])
    const link = {
      kind: 'buttons',
      text: label,
      actions: [{ kind: 'uri', label, url: 'javascript:alert(1)' }],
    }
    const { id } = (await createMessage(api, { categoryId: 'both', messages: [link] })).body
    const list = (await api.call('dryRunMessage', { key: api.keys.a, id })).body.violations
    expect(list).toMatchObject([{ path: 'messages[0].actions[0].url', code: 'unsupported_link' }])
    expect(list[0].message.en).not.toContain('mailto')
  })

  it('or text that cannot be rendered is explained in each language', async () => {
    const { body } = await save([{ kind: 'text', text: { 'zh-TW': '{{ course }}' } }])
    const { id } = (
      await api.call('createMessage', {
        key: api.keys.a,
        headers: { 'idempotency-key': randomUUID() },
        body: {
          ...newMessage,
          categoryId: 'both',
          messages: undefined,
          templateId: body.id,
          variables: { course: { name: {} } },
        },
      })
    ).body
    expect(
      (await api.call('dryRunMessage', { key: api.keys.a, id })).body.violations[0].message['zh-TW'],
    ).toBe('範本無法產生這段文字：物件不能直接顯示，請使用它的屬性（第 1 行第 1 字）。')
  })
})
