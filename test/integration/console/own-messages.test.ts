import { beforeAll, expect, it } from 'vitest'
import { forConsole } from '../../fixtures/console.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { mainOf, textOf } from '../../fixtures/pages.ts'
import { signedIn } from '../../fixtures/sign-in-browser.ts'
import { beginWriting } from '../../fixtures/written-form.ts'

const console = forConsole()
/** The texts of messages: of a key's draft, and of the editor's own. */
const [ofKey, own] = ['來自系統', '自己寫的']
beforeAll(async () => {
  const { api } = console
  const bodyOf = (text: string, parts: object = {}) => ({
    ...{ categoryId: 'manual', messages: [{ kind: 'text', text: { 'zh-TW': text, en: text } }] },
    ...parts,
  })
  await createMessage(api, bodyOf(ofKey))
  const scheduleAt = '2099-12-01T01:00:00Z'
  const { id } = (await createMessage(api, bodyOf(own, { scheduleAt }), { session: api.sessions.editor }))
    .body
  await api.call('submitMessage', { session: api.sessions.editor, id })
  await beginWriting(signedIn(api.sessions.editor), console.baseUrl, { unit: api.units.a })
})
const open = (path: string, session = console.api.sessions.editor) =>
  signedIn(session).open(`${console.baseUrl}${path}`)

it('people who write see their own messages first, and all of the unit on request', async () => {
  const mine = textOf(await open('/messages'))
  expect(mine).toContain(`${own} To be approved`)
  expect(mine).toContain('planned Dec 1, 2099, 09:00')
  expect(mine).not.toContain(ofKey)
  expect(textOf(await open('/messages?whose=all'))).toContain(ofKey)
  expect(textOf(await open('/messages', console.api.sessions.approver))).toContain(ofKey)
})

it('what is being written and drafts are one tab', async () => {
  const drafts = textOf(await open('/messages?state=draft&whose=all'))
  expect(drafts).toContain('(nothing yet) Being written — saved')
  expect(drafts).toContain(`${ofKey} Draft — created`)
  expect(drafts).not.toContain(own)
  expect((await open('/compose')).url).toContain('/messages?')
})

it('the start page says how they stand, and each number leads to its list', async () => {
  const page = await open('/')
  expect(textOf(page)).toMatch(/My messages 1 being written 1 to be approved 0 to be sent 0 sent/)
  expect(mainOf(page)).toMatch(/href="\/messages\?unit=[^"]+state=waiting"/)
})
