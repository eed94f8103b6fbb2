import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { checkChatJournal } from '../../../dev/journal-check/chat.ts'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'
import { text } from '../../fixtures/conversations.ts'
import { avatarEvent } from '../../fixtures/handoffs.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { canary } from './world/canaries.ts'
import { eventOf, postEvents, webhookSecret } from './world/chat-events.ts'
import { type Api, startInstallation } from './world/installation.ts'
import { startMailboxOf } from './world/mailbox.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { beginRuns, type WalkingRun } from './world/scenarios.ts'
import { forever } from './world/simulator.ts'

/** Kills at a random moment within so long after the start of a worker. */
const killWithinMs = 3_000
/** What an idle machine needs, with an activity that is tried again a minute after its worker was killed. */
const limitMs = 90_000
const avatarSecret = 'a secret of the assistant'

let api: Api
let settings: Record<string, string>
const installation = forFile(startInstallation)
const mailbox = forFile(startMailboxOf)
beforeAll(async () => {
  settings = {
    ...mailbox.env,
    ...{ CHAT_CHANNEL_SECRET: webhookSecret, AVATAR_WEBHOOK_SECRET: avatarSecret },
    AVATAR_UNIT: installation.unitId,
  }
  api = await installation.startApi(settings)
  await installation.simulator.fault({ delayMs: 100, times: forever })
})

/** Hands over at once, and says goodbye once that is closed. */
const content: ScenarioContent = {
  nodes: [
    { id: 'desk', kind: 'handoff', timeoutSeconds: 86_400 },
    { id: 'closed', kind: 'message', messages: [text(canary.text)] },
    { id: 'nobody', kind: 'message', messages: [text('目前忙線中')] },
    { id: 'end', kind: 'end' },
  ],
  edges: [
    { from: 'desk', to: 'closed' },
    { from: 'desk', to: 'nobody', when: { kind: 'timeout' } },
    ...['closed', 'nobody'].map((from) => ({ from, to: 'end' })),
  ],
}

/** Lets the assistant ask for a person of the unit. */
async function request(address: string): Promise<void> {
  const body = JSON.stringify(avatarEvent({ channelUser: address, text: canary.text }))
  const signature = createHmac('sha256', avatarSecret).update(body).digest('base64')
  const headers = { 'content-type': 'application/json', 'x-channel-signature': signature }
  const answer = await fetch(`${api.url}/v1/webhooks/avatar`, { method: 'POST', headers, body })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
}

/** What a person of the unit does with a handoff. */
async function act(id: string, verb: 'reply' | 'close', body?: object): Promise<void> {
  const headers = {
    cookie: `hub_session=${installation.credentials.session}`,
    ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
  }
  const answer = await fetch(`${api.url}/v1/handoffs/${id}/${verb}`, {
    ...{ method: 'POST', headers, body: body ? JSON.stringify(body) : null },
  })
  if (!answer.ok) throw new Error(`${verb}: ${answer.status} ${await answer.text()}`)
}

/** Open handoffs whose unit has been mailed, and the addresses of their people. */
function mailed() {
  return installation.db
    .selectFrom('handoff')
    .innerJoin('address', 'address.subject_id', 'handoff.subject_id')
    .select(['handoff.id', 'handoff.run_id', 'address.address'])
    .where('closed_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('handoff_notice')
          .select('id')
          .whereRef('handoff_id', '=', 'handoff.id')
          .where('state', '=', 'sent'),
      ),
    )
    .execute()
}

/** People write, and their unit replies to each twice and closes, until `over`. */
async function work(over: () => boolean): Promise<void> {
  const answered = new Set<string>()
  while (!over()) {
    const some = (await mailed()).filter(({ id }) => !answered.has(id)).slice(0, 3)
    for (const { id, run_id, address } of some) {
      answered.add(id)
      await postEvents(api, [
        eventOf(address, { type: 'message', message: { type: 'text', text: canary.text } }),
      ])
      for (const _ of [1, 2]) await act(id, 'reply', { messages: [text(canary.text)] })
      // The conversation ends once what was written stands in it.
      await eventually(async () => expect(await heard(id)).toHaveLength(wordsOf(run_id)), {
        limitMs,
      })
      await act(id, 'close')
    }
    await sleep(50)
  }
}

/** A person writes once in each conversation; the assistant hands over with what they wrote before. */
function wordsOf(runId: string | null): number {
  return runId === null ? 2 : 1
}

function heard(id: string) {
  const query = installation.db.selectFrom('handoff_message').select('id').where('handoff_id', '=', id)
  return query.where('text', '=', canary.text).execute()
}

/** Waits until all runs are done and all replies have an outcome. */
async function untilOver(runs: WalkingRun[], replies: number): Promise<void> {
  const { db } = installation
  await eventually(
    async () => {
      const ids = runs.map(({ id }) => id)
      const done = db
        .selectFrom('scenario_run')
        .select('id')
        .where('id', 'in', ids)
        .where('state', '=', 'done')
      expect(await done.execute()).toHaveLength(runs.length)
      const ended = db.selectFrom('turn').select('id').where('handoff_id', 'is not', null)
      expect(await ended.where('state', '<>', 'pending').execute()).toHaveLength(replies)
    },
    { limitMs },
  )
}

it('a worker that is killed repeatedly loses no word of a handoff', patient, async () => {
  const { handoffs: count, kills } = countsOf('handoffWorkerKilled')
  const { db, simulator } = installation
  const handedOver = await beginRuns(installation, content, Math.ceil(count / 2))
  const others = await beginRuns(installation, content, Math.floor(count / 2), 'end')
  for (const { address } of others) await request(address)
  const begun = performance.now()
  let over = false
  const people = work(() => over)
  let worker = await installation.startWorker(settings)
  for (let kill = 0; kill < kills; kill++) {
    await sleep(Math.random() * killWithinMs)
    worker.signal('SIGKILL')
    await worker.exited
    worker = await installation.startWorker(settings)
  }
  await Promise.race([untilOver([...handedOver, ...others], 2 * count), people])
  over = true
  await people
  await worker.stop()
  const took = secondsOf(performance.now() - begun)

  const rows = await db.selectFrom('handoff').select(['id', 'run_id', 'end_reason']).execute()
  expect(rows).toHaveLength(count)
  expect(rows.filter(({ end_reason }) => end_reason !== 'closed')).toEqual([])
  for (const { id, run_id } of rows) expect(await heard(id)).toHaveLength(wordsOf(run_id))
  const notices = await db.selectFrom('handoff_notice').select('state').execute()
  expect(notices.map(({ state }) => state)).toEqual(rows.map(() => 'sent'))
  expect(mailbox.mails()).toBeGreaterThanOrEqual(count)
  const replies = await db.selectFrom('turn').select('state').where('handoff_id', 'is not', null).execute()
  expect(replies.filter(({ state }) => state !== 'sent' && state !== 'unknown')).toEqual([])
  const findings = [...(await checkInvariants(db)), ...(await checkChatJournal(db, simulator.journal()))]
  expect({ 'rows and journal': findings.filter(({ ok }) => !ok), leaks: await installation.leaks() }).toEqual(
    {
      ...{ 'rows and journal': [], leaks: [] },
    },
  )
  const unknown = replies.filter(({ state }) => state === 'unknown').length
  recordMeasurement(
    'handoffWorkerKilled',
    `${kills} kills over ${count} handoffs, ${unknown} of ${replies.length} replies unknown; all closed after ${took}`,
  )
})
