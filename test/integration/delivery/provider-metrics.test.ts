import { register } from 'prom-client'
import { expect, it } from 'vitest'
import { connectChat } from '../../../src/channels/chat/client.ts'
import { withMetrics } from '../../../src/channels/chat/connect.ts'
import { sendChat } from '../../../src/channels/chat/send.ts'
import { openMailer } from '../../../src/channels/email/send.ts'
import { observeRequest } from '../../../src/metrics/provider-requests.ts'
import { cleared } from '../../fixtures/cleared.ts'
import { mailbox, mailTo, scripted, sender } from '../../fixtures/mailbox.ts'
import { simulator } from '../../fixtures/simulator.ts'
import { token } from '../../fixtures/simulator-calls.ts'

/** The requests observed so far, by channel and status. */
async function requests(): Promise<Record<string, number>> {
  const { values } = await register.getSingleMetric('carillon_provider_request_seconds')!.get()
  const counts = values.filter(({ labels }) => labels.le === '+Inf')
  return Object.fromEntries(
    counts.map(({ labels: { channel, status }, value }) => [`${channel} ${status}`, value]),
  )
}

it('each request to a provider is timed by its status', async () => {
  const before = await requests()
  const provider = await simulator()
  const chat = withMetrics(connectChat({ baseUrl: provider.url, token }), observeRequest)
  const to = [`U${'0'.repeat(32)}`]
  const content = cleared([{ type: 'text' as const, text: 'Hello' }])
  const call = { to, content, retryKey: crypto.randomUUID() }
  await sendChat(chat, call)
  await sendChat(chat, call)
  await chat.request({ method: 'GET', path: '/v2/bot/message/quota' })
  const nobody = withMetrics(connectChat({ baseUrl: 'http://127.0.0.1:1', token }), observeRequest)
  await sendChat(nobody, call)
  await Promise.all([chat.close(), nobody.close()])

  const mailerTo = (port: number) =>
    openMailer({ host: '127.0.0.1', port, security: 'none' }, sender, undefined, observeRequest)
  const good = mailerTo((await mailbox()).port)
  await good.send([mailTo('ann@example.edu'), mailTo('bob@example.edu')])
  const refusing = mailerTo((await scripted({ RCPT: '550 5.1.1 no such user' })).port)
  await refusing.send([mailTo('cat@example.edu')])
  good.close()
  refusing.close()

  const added = Object.entries(await requests()).map(
    ([key, count]) => [key, count - (before[key] ?? 0)] as const,
  )
  expect(Object.fromEntries(added.filter(([, count]) => count !== 0))).toEqual({
    'chat 2xx': 1,
    'chat 409': 1,
    'chat no_answer': 1,
    'email 2xx': 2,
    'email 5xx': 1,
  })
})
