import { z } from 'zod'
import { startMailbox } from './server.ts'

/** The mailbox as a process. Prints its addresses, and shuts down cleanly on SIGTERM and SIGINT. */
const port = z.coerce.number().int().min(0).max(65_535)
const settings = z
  .object({ MAILBOX_SMTP_PORT: port, MAILBOX_PORT: port, MAILBOX_DIR: z.string().min(1) })
  .safeParse(process.env)
if (!settings.success) {
  console.error(`The mailbox cannot start:\n${z.prettifyError(settings.error)}`)
  process.exit(1)
}

const { MAILBOX_SMTP_PORT, MAILBOX_PORT, MAILBOX_DIR } = settings.data
const mailbox = await startMailbox({ smtpPort: MAILBOX_SMTP_PORT, httpPort: MAILBOX_PORT, dir: MAILBOX_DIR })
console.log(`Mailbox: ${mailbox.url}, SMTP on 127.0.0.1:${mailbox.smtpPort}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    await mailbox.close()
    process.exit(0)
  })
