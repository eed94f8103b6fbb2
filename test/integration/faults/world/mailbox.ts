import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { MailItem } from '../../../../dev/mailbox/store.ts'
import { spawnProcess } from '../../../harness/spawn.ts'

/** The mail server as a process. */
export type Mailbox = {
  /** What API and workers need to send to it. */
  env: Record<string, string>
  /** Sets a fault (dev/mailbox/faults.ts). */
  fault(fault: object): Promise<void>
  forgetFaults(): Promise<void>
  /** The accepted mails, read from disk. */
  journal(): MailItem[]
  /** The number of accepted mails. */
  mails(): number
  stop(): Promise<void>
}

/** Starts a mailbox; returns its addresses. */
export async function startMailboxOf(): Promise<Mailbox> {
  const dir = join(inject('scratch'), 'journals', `mail-${process.pid}-${Date.now()}`)
  const spawned = await spawnProcess('mailbox', ['dev/mailbox/main.ts'], {
    MAILBOX_SMTP_PORT: '0',
    MAILBOX_PORT: '0',
    MAILBOX_DIR: dir,
  })
  await spawned.logged(/Mailbox: /)
  const [, url, port] = /Mailbox: (\S+), SMTP on 127\.0\.0\.1:(\d+)/.exec(spawned.log())!
  const ask = async (method: string, body?: object) => {
    const response = await fetch(`${url}/faults`, { method, body: body ? JSON.stringify(body) : null })
    if (!response.ok) throw new Error(`The mailbox answers ${response.status}: ${await response.text()}`)
    await response.body?.cancel()
  }
  const lines = () => readFileSync(join(dir, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1)
  return {
    env: {
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: port!,
      SMTP_SECURITY: 'none',
      MAIL_FROM: 'Registry <notice@hub.example.edu>',
      PUBLIC_URL: 'https://hub.example.edu',
      SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
    },
    fault: (fault) => ask('POST', fault),
    forgetFaults: () => ask('DELETE'),
    journal: () => lines().map((line) => JSON.parse(line)),
    mails: () => lines().length,
    stop: () => spawned.stop(),
  }
}
