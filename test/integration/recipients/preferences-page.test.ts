import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkSigner } from '../../../src/channels/email/links.ts'
import type { LinkTarget } from '../../../src/channels/email/wire.ts'
import { type Api, startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'

const links = linkSigner(Buffer.alloc(32, 7))

let api: Api
let recipient: { waveId: string; subjectId: string }
beforeAll(async () => {
  api = await startApi({ services: { links } })
  const { waveId } = await insertSentMessage(api, newMessage)
  const { id } = await api.database.db.selectFrom('subject').select('id').executeTakeFirstOrThrow()
  recipient = { waveId, subjectId: id }
})
afterAll(() => api.close())

const pathTo = (target: LinkTarget) => `/l/${links.sign(recipient, [target])[0]}`
const get = (url: string) => api.app.inject({ method: 'GET', url })
const post = (url: string, payload = 'List-Unsubscribe=One-Click') =>
  api.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const preferences = () =>
  api.database.db.selectFrom('preference').select(['category_id', 'channel', 'enabled']).execute()

describe('the preferences page', () => {
  const page = () => pathTo({ purpose: 'preferences' })
  const fields = (body: string, name: string) =>
    [...body.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map(([, value]) => value!)
  const everything = async () => {
    const shown = fields((await get(page())).body, 'shown')
    return {
      shown,
      form: shown.flatMap((field): [string, string][] => [
        ['shown', field],
        ['on', field],
      ]),
    }
  }
  const save = (form: [string, string][]) => post(page(), new URLSearchParams(form).toString())

  it('shows every category by its channels, every topic, and both languages', async () => {
    const { shown } = await everything()
    expect(shown).toEqual([
      'category/email/mail',
      'category/chat/manual',
      'category/chat/news',
      `topic/${api.topics.active}`,
    ])
    const { body } = await get(page())
    expect(body).toContain('>safety<')
    expect(fields(body, 'language')).toEqual(['zh-TW', 'en'])
  })

  it('saves the choices, at once and repeatedly', async () => {
    const { form } = await everything()
    const without = form.filter(([name, value]) => name === 'shown' || !/news|topic/.test(value!))
    for (let times = 0; times < 2; times++) {
      const answer = await save([['language', 'en'], ...without])
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toContain('Your settings have been saved.')
    }
    expect(await preferences()).toContainEqual({
      category_id: 'news',
      channel: 'chat',
      enabled: false,
    })
    const topics = await api.database.db.selectFrom('topic_unsubscribe').select('topic_id').execute()
    expect(topics).toEqual([{ topic_id: api.topics.active }])
    await save([['language', 'zh-TW'], ...form])
    expect(await preferences()).toContainEqual({ category_id: 'news', channel: 'chat', enabled: true })
  })

  it('switches nothing off that it did not show', async () => {
    await save([['language', 'zh-TW']])
    expect((await preferences()).filter(({ channel }) => channel === 'chat')).not.toContainEqual(
      expect.objectContaining({ enabled: false }),
    )
  })

  it('does nothing without its own form', async () => {
    const before = await preferences()
    const answer = await post(page())
    expect(answer.body).not.toContain('role="status"')
    expect(await preferences()).toEqual(before)
  })

  it('is one button away from the page of one category', async () => {
    const { body } = await get(pathTo({ purpose: 'unsubscribe' }))
    expect(body).toContain(`action="${page()}"`)
  })
})
