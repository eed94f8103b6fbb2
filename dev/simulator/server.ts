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
 * `port` 0 selects a free one; `dir` holds the journal; `token`: the bearer token of callers; without `monthlyLimit`:
 * unlimited; without `webhook`: no events are posted.
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
  /** Issues a token for one reply to this person, as a webhook event carries it. */
  issueReplyToken(userId: string): string
  /** Finishes the calls in flight, then closes the journal. */
  close(): Promise<void>
}

/** Above the provider's limit, so that larger bodies are read, journalled and rejected, as at the provider. */
const readableBytes = 16 * 1024 * 1024

/** Starts a chat provider on 127.0.0.1: its sending interface, a journal of all calls, queued faults, and phones. */
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
  const context: SendingContext = {
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
    if (closing) reply.header('connection', 'close') // a kept-alive connection would delay the close
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
  app.setNotFoundHandler((_, reply) => reply.code(404).send(refusal(404, providerTexts.notFound).body))
  app.register(async (scope) => sendingRoutes(scope, context))
  app.register(async (scope) => accountRoutes(scope, context))
  app.register(async (scope) => controlRoutes(scope, { ...context, schema: Fault }))
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
