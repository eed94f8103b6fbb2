import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pollLoop } from '../../../src/background/poll-loop.ts'
import { webhookApply } from '../../../src/background/tasks.ts'
import { event, startWebhookApi, type WebhookApi } from '../../fixtures/webhooks.ts'
import { eventually } from '../../harness/eventually.ts'

let api: WebhookApi
beforeAll(async () => {
  api = await startWebhookApi()
})
afterAll(() => api.close())

it('a worker processes events until it is stopped', async () => {
  const log = pino({ level: 'silent' })
  const sweep = pollLoop(webhookApply({ db: api.database.db, log, wake: () => {} }), log)
  await api.postEvents(...['Us1', 'Us2', 'Us3'].map((id) => event('unfollow', id)))
  await eventually(async () => expect(await api.outcomes()).toEqual(['blocked', 'blocked', 'blocked']))
  await sweep.stop()
  await api.postEvents(event('follow', 'Us1'))
  expect((await api.person('s1')).blocked).toBeInstanceOf(Date)
})
