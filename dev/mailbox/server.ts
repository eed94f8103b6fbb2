import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { controlRoutes } from '../control.ts'
import { MailFault, mailFaults } from './faults.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { mailServer } from './smtp.ts'
import { openStore } from './store.ts'

/** Port 0 selects a free one; `dir` holds the journal and the mails. */
export type MailboxOptions = { smtpPort: number; httpPort: number; dir: string }

export type Mailbox = {
  /** The origin of the page, the journal and the faults. */
  url: string
  smtpPort: number
  /** Ends the sessions, then closes the journal. */
  close(): Promise<void>
}

/** Starts a mail server on 127.0.0.1 with a journal of accepted mail, queued faults, and a page that shows the mail. */
export async function startMailbox({ smtpPort, httpPort, dir }: MailboxOptions): Promise<Mailbox> {
  const store = await openStore(dir)
  const faults = mailFaults()

  const smtp = mailServer(store, faults)
  await new Promise<void>((resolve, reject) => {
    smtp.server.once('error', reject)
    smtp.listen(smtpPort, '127.0.0.1', resolve)
  })

  const app = fastify({ forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
  app.register(async (scope) => controlRoutes(scope, { journal: store.journal, faults, schema: MailFault }))
  app.register(async (scope) => inboxRoutes(scope, store))
  const url = await app.listen({ port: httpPort, host: '127.0.0.1' })

  return {
    url,
    smtpPort: (smtp.server.address() as AddressInfo).port,
    async close() {
      await app.close()
      await new Promise<void>((resolve) => smtp.close(resolve))
      store.close()
    },
  }
}
