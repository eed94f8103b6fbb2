import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backgroundTasks } from '../../../src/background/tasks.ts'
import { readConfig } from '../../../src/config.ts'
import { wire } from '../../../src/wiring.ts'
import { byMails } from '../../fixtures/senders.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
/** Rows of the table of background tasks: its name, then how often. */
const row = /^\| `([a-z]+-[a-z]+)` \| (\d+(?:\.\d)?) (s|min|h) \|/gm
const unitMs = { s: 1_000, min: 60_000, h: 3_600_000 }

test('docs/operating.md lists every background task with its pause', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    SECRETS_KEY: randomBytes(32).toString('base64'),
  })
  const wiring = wire(config, 'worker')
  onTestFinished(() => wiring.close())
  const runs = { ...wiring, ...wiring.services }
  const wedged = { restart: true, release: 'a' }
  const tasks = backgroundTasks({
    services: wiring.services,
    runs,
    wedged,
    retention: config,
    sayReply: async () => false,
    mailSender: byMails(async () => []),
  })
  const rows = [...page.matchAll(row)].map(([, name, count, unit]) => ({
    name: name!,
    everyMs: Number(count) * unitMs[unit as keyof typeof unitMs],
  }))
  expect(rows).toEqual(tasks.map(({ name, everyMs }) => ({ name, everyMs })))
})
