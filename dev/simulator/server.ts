import { fastify } from 'fastify'
import { controlRoutes } from '../control.ts'
import { openJournal } from '../journal.ts'
import { accountRoutes } from './account.ts'
import { Fault, faultQueue } from './faults.ts'
import type { JournalItem } from './journal.ts'
import { createRecent } from './phone/recent-recipients.ts'
import { phoneRoutes } from './phone/routes.ts'
import { openPhoneActions } from './phone-actions.ts'
import { createProviderState } from './provider-state.ts'
import { providerTexts, refusal } from './responses.ts'
import { type SendingContext, sendingRoutes } from './sending.ts'
import { type Webhook, webhookSender } from './webhook.ts'

/**
 * `port` 0 takes a free one; `dir` holds the journal; `token` is what callers must bear; no `monthlyLimit`: no limit; no
 * `webhook`: nobody is told what people do with their phones.
 */
export type SimulatorOptions = {
  port: number
  dir: string
  token: string
  monthlyLimit?: number | undefined
  webhook?: Webhook | undefined
}

export type Simulator = {
  url: string
  /** A token by which one reply can be sent to this person, as a webhook would carry it. */
  issueReplyToken(userId: string): string
  /** Lets the calls under way finish, then closes the journal. */
  close(): Promise<void>
}

/** Above the provider's own limit, so that a body beyond that is still read, written down and refused in its words. */
const readableBytes = 16 * 1024 * 1024

/** Starts a chat provider on 127.0.0.1: its sending interface, a journal of all calls, faults on order, and phones. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { port, dir, token, monthlyLimit, webhook } = options
  const memory = createProviderState()
  const recent = createRecent()
  const journal = await openJournal<JournalItem>(dir, (item) => {
    memory.remember(item)
    recent.remember(item)
  })
  const acts = await openPhoneActions(dir)
  const sender = webhookSender(webhook)
  const desk: SendingContext = {
    account: { token, monthlyLimit },
    memory,
    faults: faultQueue(),
    journal,
    record(entry) {
      const item = journal.append(entry)
      memory.remember(item)
      recent.remember(item)
      return item
    },
  }

  const app = fastify({ bodyLimit: readableBytes, forceCloseConnections: 'idle' })
  let closing = false
  app.addHook('onSend', async (_, reply) => {
    if (closing) reply.header('connection', 'close') // else a kept connection holds the close up
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
  app.setNotFoundHandler((_, reply) => reply.code(404).send(refusal(404, providerTexts.notFound).body))
  app.register(async (scope) => sendingRoutes(scope, desk))
  app.register(async (scope) => accountRoutes(scope, desk))
  app.register(async (scope) => controlRoutes(scope, { ...desk, schema: Fault }))
  app.register(async (scope) =>
    phoneRoutes(scope, { journal, acts, recent, sender, issueReplyToken: memory.issueReplyToken }),
  )
  const url = await app.listen({ port, host: '127.0.0.1' })

  return {
    url,
    issueReplyToken: memory.issueReplyToken,
    async close() {
      closing = true
      sender.close()
      await app.close()
      journal.close()
      acts.close()
    },
  }
}
