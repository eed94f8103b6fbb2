import { pino } from 'pino'
import { expect, it } from 'vitest'
import { pollLoop } from '../../../src/background/poll-loop.ts'
import { webhookApply } from '../../../src/background/tasks.ts'
import { event, startWebhookApi } from '../../fixtures/webhooks.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startWebhookApi)

it('a worker processes events until it is stopped', async () => {
  const log = pino({ level: 'silent' })
  const sweep = pollLoop(webhookApply({ db: api.database.db, log, wake: () => {} }), log)
  await api.postEvents(...['Us1', 'Us2', 'Us3'].map((id) => event('unfollow', id)))
  await eventually(async () => expect(await api.outcomes()).toEqual(['blocked', 'blocked', 'blocked']))
  await sweep.stop()
  await api.postEvents(event('follow', 'Us1'))
  expect((await api.person('s1')).blocked).toBeInstanceOf(Date)
})
