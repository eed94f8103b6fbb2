import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newSchedule } from '../../fixtures/new-schedule.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const create = (body: object) =>
  api.call('createMessage', { key: api.keys.a, body, headers: { 'idempotency-key': randomUUID() } })

/** A message from the approved template, which has the variable `day`. */
const fromTemplate = (variables: object) => ({
  ...newMessage,
  ...{ messages: undefined, templateId: api.templates.approved, variables },
})

it('a variable that no version of the template has is named, beside those of the one in force', async () => {
  const issue = (path: string) => ({ path, message: 'must be a variable of the template: day' })
  const wrong = await create(fromTemplate({ dya: '六', day: '五' }))
  expect([wrong.code, wrong.body.error.details.issues]).toMatchObject([
    'validation_error',
    [issue('variables.dya')],
  ])
  const { id } = (await create(fromTemplate({ day: '五' }))).body
  const edit = (variables: object) => api.call('editMessage', { key: api.keys.a, id, body: { variables } })
  expect((await edit({ dya: '六' })).body.error.details.issues).toMatchObject([issue('variables.dya')])
  expect((await edit({ day: '六' })).status).toBe(200)
  await api.call('createTemplateVersion', {
    key: api.keys.a,
    id: api.templates.approved,
    body: {
      messages: [{ kind: 'text', text: { 'zh-TW': '{{ day }}，{{ place }}' } }],
      variables: ['day', 'place'].map((name) => ({ name, required: true })),
    },
  })
  expect((await edit({ day: '六', place: '大禮堂' })).status).toBe(200)
  const message = { ...newSchedule.message, ...fromTemplate({ dya: '六', day: '五' }) }
  const scheduled = await api.call('createSchedule', { key: api.keys.a, body: { ...newSchedule, message } })
  expect(scheduled.body.error.details.issues).toMatchObject([issue('message.variables.dya')])
})

it('a misspelt field is named before what is missing for it', async () => {
  const { messages, ...rest } = newMessage
  const { body } = await create({ ...rest, mesages: messages })
  expect(body.error.message).toMatch(/mesages/)
  expect(body.error.details.issues[0].message).toMatch(/unknown field mesages/)
})
