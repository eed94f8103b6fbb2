import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Caller, call, submitOnce } from '../dev/demo/send.ts'
import type { CreateMessage } from '../src/contract/messages/create.ts'
import type { BenchInstallation } from './installation.ts'
import { progress } from './progress.ts'
import { type Stopwatch, startStopwatch } from './stopwatch.ts'

const lookEveryMs = 50
const timeoutMs = 30 * 60_000

/** A message of one short text. */
export function shortMessage(categoryId: string, audience: CreateMessage['audience']): CreateMessage {
  const text = {
    'zh-TW': '明天下午三點在禮堂有一場演講。',
    en: 'There is a talk in the hall at three tomorrow.',
  }
  return { categoryId, audience, messages: [{ kind: 'text', text }] }
}

/** Creates and submits a message over HTTP; returns its id. */
export async function submit(
  { environment, credentials }: BenchInstallation,
  body: CreateMessage,
): Promise<string> {
  const producer: Caller = { api: environment.addresses.api, key: credentials.key }
  return (await submitOnce(producer, randomUUID(), body)).id
}

/** Approves a message over HTTP as the approver. */
export async function approve({ environment, credentials }: BenchInstallation, id: string): Promise<void> {
  const approver: Caller = { api: environment.addresses.api, session: credentials.session }
  await call(approver, 'POST', `/v1/messages/${id}/approve`)
}

export type Sent = Stopwatch & { sent: number; skipped: Record<string, number> }

/** Approves a submitted message and waits until it is sent and closed; the lap covers both. */
export async function send(installation: BenchInstallation, id: string, recipients: number): Promise<Sent> {
  const begun = performance.now()
  const lap = startStopwatch(installation)
  const bar = progress('sending', recipients)
  await approve(installation, id)
  for (;;) {
    const row = await standing(installation, id)
    if (row.closed_at) {
      const ended = lap(recipients)
      bar.end()
      if (row.state !== 'sent') throw new Error(`The message ended as ${row.state}.`)
      return { ...ended, sent: row.sent, skipped: row.skipped }
    }
    if (performance.now() - begun > timeoutMs) throw new Error(`The message is still ${row.state}.`)
    bar.to(row.sent)
    await sleep(lookEveryMs)
  }
}

function standing({ db }: BenchInstallation, id: string) {
  return db
    .selectFrom('message')
    .innerJoin('wave', 'wave.message_id', 'message.id')
    .select(['message.state', 'closed_at', 'wave.sent', 'wave.skipped'])
    .where('message.id', '=', id)
    .executeTakeFirstOrThrow()
}
