import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { sendNextReplyByItself } from '../../../src/activities/scenario/send-turn.ts'
import { callbackDeliver } from '../../../src/background/callback-deliver.ts'
import type { Task } from '../../../src/background/poll-loop.ts'
import { retentionPurge } from '../../../src/background/retention-purge.ts'
import {
  erasureComplete,
  eventSettle,
  importWrite,
  nightClose,
  noticeSend,
  replySend,
  scenarioRetire,
  waveRollUp,
  webhookApply,
} from '../../../src/background/tasks.ts'
import { linkSigner } from '../../../src/channels/email/links.ts'
import { createMailSender } from '../../../src/channels/email/mailing.ts'
import { insertReply } from '../../../src/db/queries/handoff/reply.ts'
import { notApproved } from '../../../src/domain/rights/approval.ts'
import { createCallback } from '../../../src/services/callbacks/change.ts'
import { createBinding } from '../../../src/services/events/write-binding.ts'
import { receiveImport } from '../../../src/services/imports/receive.ts'
import type { Retention } from '../../../src/services/retention.ts'
import { secretBox } from '../../../src/services/secret-box.ts'
import { receiveWebhook } from '../../../src/services/webhooks/receive.ts'
import { openReceiver } from '../../fixtures/callback-receiver.ts'
import { withScriptedProvider } from '../../fixtures/delivery.ts'
import { openWith } from '../../fixtures/handoffs.ts'
import { mailbox, mailerTo, sender } from '../../fixtures/mailbox.ts'
import {
  createDraft,
  createSubmitted,
  type MessageFixture,
  makeTemplate,
  messageBody,
} from '../../fixtures/message-fixture.ts'
import { insertMessageRows } from '../../fixtures/message-rows.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { insertRows, updateRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { seedUnit } from '../../fixtures/seed.ts'
import { byMails } from '../../fixtures/senders.ts'
import { lockNotAvailable, refuseWrites } from '../../harness/write-refusal.ts'

/** A queue item that always fails, inserted first, and others behind it. */
export type FailingItem = {
  /** The background task that processes the queue. */
  task: Task
  /** How many of the others are not done. */
  left(): Promise<number>
  /** How often the failing item was tried, and its metrics then; left out if it ends at once. */
  tries?(): Promise<number>
  shown?: string
  /** Advances the item to its last try; left out if it is retried without end. */
  toLastTry?(): Promise<unknown>
  /** Its outcome after that. */
  end?(): Promise<unknown>
  ended?: unknown
}

const hourAgo = sql<Date>`clock_timestamp() - interval '1 hour'`
const now = sql<Date>`clock_timestamp()`
const chatAddress = (n: number) => `U${String(n).padStart(32, '0')}`

/** By queue. A new queue adds its line here and its failing item below. */
export const failingItems: Record<string, (fixture: MessageFixture) => Promise<FailingItem>> = {
  'a webhook event that cannot be applied': channelEvent,
  'an event that meets a lock': signedEvent,
  'an import with a line that cannot be written': importChunk,
  'an import with a line that meets a lock': (fixture) => importChunk(fixture, lockNotAvailable),
  'an erasure that cannot be completed': erasure,
  'a notice that cannot be made': notice,
  'a callback whose secret does not open': callbackSecret,
  'old rows that cannot be purged': retention,
  'a wave that cannot be rolled up': rollUp,
  'a night that cannot be closed': night,
  'a run that cannot be retired': retiredRun,
  'a reply that cannot be tried': reply,
}

async function channelEvent({ db, services }: MessageFixture): Promise<FailingItem> {
  const unfollow = (n: number) => ({
    ...{ type: 'unfollow', webhookEventId: `e${n}`, timestamp: Date.now() - 10_000 },
    source: { type: 'user', userId: chatAddress(n) },
  })
  await refuseWrites(db, { event: 'update', table: 'address', row: `new.address = '${chatAddress(0)}'` })
  await receiveWebhook(services, 'chat', { events: [0, 1, 2].map(unfollow) }, new Date())
  await db.updateTable('webhook_event').set({ received_at: hourAgo }).execute()
  const failing = () =>
    db.selectFrom('webhook_event').selectAll().where('event_id', '=', 'e0').executeTakeFirstOrThrow()
  return {
    task: webhookApply(services),
    left: async () =>
      2 -
      (await db.selectFrom('webhook_event').select('id').where('outcome', '=', 'blocked').execute()).length,
    tries: async () => (await failing()).tries,
    shown: 'carillon_webhook_events{state="overdue"} 1',
    toLastTry: () =>
      db
        .updateTable('webhook_event')
        .set({ tries: 14, next_try_at: now })
        .where('done_at', 'is', null)
        .execute(),
    end: async () => (await failing()).outcome,
    ended: 'failed',
  }
}

async function signedEvent(fixture: MessageFixture): Promise<FailingItem> {
  const { db, services, producer } = fixture
  const templateId = await makeTemplate(fixture, { approved: true })
  for (const source of ['locked', 'sis'])
    await createBinding(services, producer, {
      ...{ source, type: 'moved', categoryId: 'auto', templateId },
      audience: { kind: 'event_subjects' },
    })
  await refuseWrites(db, {
    ...{ event: 'insert', table: 'message', row: `new.created_by = 'event:locked'` },
    code: lockNotAvailable,
  })
  const event = (source: string, n: number) => ({
    ...{ source, event_id: String(n), type: 'moved', key_id: 'k', subject_uids: [`student-${n}`] },
    data: JSON.stringify({ course: '微積分', room: 'A101' }),
    ...{ occurred_at: hourAgo, received_at: hourAgo, next_try_at: new Date(n) },
  })
  await insertRows(db, 'event', [event('locked', 0), event('sis', 1), event('sis', 2)])
  const failing = () =>
    db.selectFrom('event').selectAll().where('source', '=', 'locked').executeTakeFirstOrThrow()
  return {
    task: eventSettle(services),
    left: async () =>
      2 -
      (await db.selectFrom('event').select('event_id').where('message_id', 'is not', null).execute()).length,
    tries: async () => (await failing()).tries,
    shown: 'carillon_events{state="overdue"} 1',
    toLastTry: () =>
      db.updateTable('event').set({ tries: 14, next_try_at: now }).where('error', 'is', null).execute(),
    end: async () => (await failing()).error,
    ended: 'internal',
  }
}

async function importChunk({ db, services }: MessageFixture, code = 'P0001'): Promise<FailingItem> {
  await refuseWrites(db, { event: 'insert', table: 'subject', row: `new.uid = 'a1'`, code })
  const receive = async (uids: string[]) => {
    const file = Readable.from([Buffer.from(`uid\n${uids.join('\n')}\n`)])
    return (await receiveImport(db, { unitId: null, actor: 'operator:cli', format: 'csv' }, file)).id
  }
  const failing = await receive(['a0', 'a1', 'a2'])
  const others = [await receive(['b0', 'b1']), await receive(['c0'])]
  const rowOf = (id: string) =>
    db.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const refusal = db.selectFrom('import_refusal').select(['line', 'reason']).where('import_id', '=', failing)
  const deferral = {
    tries: async () => (await rowOf(failing)).tries,
    shown: 'carillon_imports{state="retrying"} 1',
  }
  return {
    task: importWrite(services),
    left: async () =>
      (await Promise.all(others.map(rowOf))).filter(({ state }) => state !== 'completed').length,
    ...(code === lockNotAvailable && deferral),
    toLastTry: () =>
      db
        .updateTable('import')
        .set({ tries: 4, next_try_at: now })
        .where('id', '=', failing)
        .where('tries', '>', 0)
        .execute(),
    end: async () => {
      const { state, written: lines } = await rowOf(failing)
      return { state, written: lines, refused: await refusal.execute() }
    },
    ended: { state: 'completed', written: 2, refused: [{ line: 3, reason: `cannot be stored (${code})` }] },
  }
}

async function erasure(fixture: MessageFixture): Promise<FailingItem> {
  const { db, services } = fixture
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  for (const [n, subject_id] of ids.entries()) {
    const messageId = await createDraft(fixture)
    const row = { subject_id, message_ids: [messageId], at: hourAgo, next_try_at: new Date(n) }
    await db.insertInto('erasure').values(row).execute()
    if (n === 0) await refuseWrites(db, { event: 'update', table: 'message', row: `new.id = '${messageId}'` })
  }
  const rows = () => db.selectFrom('erasure').select(['subject_id', 'tries']).execute()
  const failing = async () => (await rows()).find(({ subject_id }) => subject_id === ids[0])
  return {
    task: erasureComplete(services),
    left: async () => (await rows()).filter(({ subject_id }) => subject_id !== ids[0]).length,
    tries: async () => (await failing())!.tries,
    shown: 'carillon_erasures{state="retrying"} 1',
    // After this many tries a doubled wait exceeds every number; the item is still retried without end.
    toLastTry: () =>
      db.updateTable('erasure').set({ tries: 2_000, next_try_at: now }).where('tries', '<', 2_000).execute(),
    end: async () => (await failing())!.tries > 2_000,
    ended: true,
  }
}

async function notice(fixture: MessageFixture): Promise<FailingItem> {
  const { db, services } = fixture
  const { port, journal } = await mailbox()
  const publicUrl = 'https://hub.example.edu'
  const from = { name: 'Hub', address: sender }
  const links = linkSigner(randomBytes(32))
  const send = createMailSender(mailerTo(port), { from, publicUrl, links, dkim: undefined })
  const failing = await createSubmitted(fixture, {}, fixture.both)
  for (let n = 0; n < 2; n++) await createSubmitted(fixture, {}, fixture.both)
  // A category without a name, which no schema accepts.
  await db.updateTable('category').set({ name: 'null' }).where('id', '=', 'mail').execute()
  await db.updateTable('message').set({ category_id: 'mail' }).where('id', '=', failing).execute()
  await db.updateTable('notice').set({ next_try_at: hourAgo }).where('message_id', '=', failing).execute()
  const row = () =>
    db.selectFrom('notice').selectAll().where('message_id', '=', failing).executeTakeFirstOrThrow()
  return {
    task: noticeSend({ services: { ...services, publicUrl }, sender: byMails(send) }),
    left: async () => 2 - (await journal()).length,
    tries: async () => (await row()).tries,
    shown: 'carillon_notices{state="retrying"} 1',
    toLastTry: () =>
      db.updateTable('notice').set({ tries: 99, next_try_at: now }).where('state', '=', 'waiting').execute(),
    end: async () => {
      const { state, code } = await row()
      return { state, code }
    },
    ended: { state: 'failed', code: 'internal' },
  }
}

async function callbackSecret(fixture: MessageFixture): Promise<FailingItem> {
  const { db, producer } = fixture
  const secrets = secretBox(randomBytes(32))
  const before = { ...fixture.services, secrets: secretBox(randomBytes(32)) }
  const services = { ...fixture.services, secrets }
  const types = ['message.state_changed' as const]
  const far = await openReceiver()
  const { id } = await createCallback(before, producer, { url: far.url, types })
  for (let n = 0; n < 2; n++) await createCallback(services, producer, { url: far.url, types })
  await createSubmitted(fixture)
  const failing = () =>
    db.selectFrom('callback_delivery').selectAll().where('callback_id', '=', id).executeTakeFirstOrThrow()
  return {
    task: callbackDeliver(services),
    left: async () => 2 - far.received.length,
    tries: async () => (await failing()).tries,
    shown: 'carillon_callbacks{state="retrying"} 1',
    toLastTry: () =>
      db
        .updateTable('callback_delivery')
        .set({ tries: 7, next_try_at: now })
        .where('outcome', '=', 'pending')
        .where('lease_until', 'is', null)
        .execute(),
    end: async () => {
      const { outcome, code } = await failing()
      return { outcome, code }
    },
    ended: { outcome: 'failed', code: 'secret_unreadable' },
  }
}

async function retention(fixture: MessageFixture): Promise<FailingItem> {
  const { db, services } = fixture
  const days = sql<Date>`now() - interval '100 days'`
  const keep: Retention = {
    ...keepAll,
    RETENTION_WEBHOOKS_DAYS: 30,
    RETENTION_WORK_DAYS: 30,
    RETENTION_AUDIT_DAYS: 30,
  }
  const events = [{ type: 'message', webhookEventId: 'old' }]
  await receiveWebhook(services, 'chat', { events }, new Date())
  await updateRows(db, 'webhook_event', {}, { received_at: days, done_at: days, outcome: 'recorded' })
  await refuseWrites(db, { event: 'delete', table: 'webhook_event', row: 'true' })
  await createSubmitted(fixture, messageBody())
  await db.updateTable('notice').set({ created_at: days, state: 'sent' }).execute()
  await db.updateTable('audit').set({ at: days }).where('object_kind', '<>', 'message').execute()
  const purges = () => db.selectFrom('audit').select('id').where('action', '=', 'purge').execute()
  return {
    task: retentionPurge(services, keep),
    left: async () => (await db.selectFrom('notice').select('id').execute()).length,
    // A round is audited at its end, including the kinds that failed.
    tries: async () => (await purges()).length,
    shown: 'carillon_retention_failures_total{kind="webhooks"} 1',
  }
}

async function rollUp({ db, services }: MessageFixture): Promise<FailingItem> {
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const messageId = await insertMessageRows(db, { recipients: 1 })
    const wave = db.updateTable('wave').set({ finished_at: hourAgo }).where('message_id', '=', messageId)
    ids.push((await wave.returning('id').executeTakeFirstOrThrow()).id)
  }
  await refuseWrites(db, { event: 'insert', table: 'wave_metric', row: `new.wave_id = '${ids[0]}'` })
  const row = (id: string) => db.selectFrom('wave').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    task: waveRollUp(services),
    left: async () =>
      (await Promise.all(ids.slice(1).map(row))).filter(({ rolled_up_at }) => rolled_up_at === null).length,
    tries: async () => (await row(ids[0]!)).roll_up_tries,
    toLastTry: () =>
      db
        .updateTable('wave')
        .set({ roll_up_tries: 14, roll_up_at: now })
        .where('id', '=', ids[0]!)
        .where('roll_up_tries', '<', 14)
        .execute(),
    end: async () => (await row(ids[0]!)).roll_up_tries,
    ended: 15,
  }
}

async function night({ db, services }: MessageFixture): Promise<FailingItem> {
  const units = [await seedUnit(db, 'First'), await seedUnit(db, 'Second'), await seedUnit(db, 'Third')]
  await db
    .updateTable('unit')
    .set({ created_at: sql`clock_timestamp() - interval '2 days'` })
    .where('id', 'in', units)
    .execute()
  const failing = units[0]!
  await refuseWrites(db, {
    ...{ event: 'update', table: 'day_metric' },
    row: `new.unit_id = '${failing}' and new.closed_at is not null`,
  })
  const nights = (unitIds: string[]) =>
    db.selectFrom('day_metric').selectAll().where('unit_id', 'in', unitIds).orderBy('date').execute()
  return {
    task: { ...nightClose(services), everyMs: 100 },
    left: async () => 2 - (await nights(units.slice(1))).filter((day, n) => n < 2 && day.closed_at).length,
    tries: async () => (await nights([failing]))[0]!.close_tries,
    toLastTry: () =>
      db
        .updateTable('day_metric')
        .set({ close_tries: 14, close_at: now })
        .where('unit_id', '=', failing)
        .where('close_tries', '>', 0)
        .where('close_tries', '<', 14)
        .execute(),
    end: async () => (await nights([failing]))[0]!.close_tries,
    ended: 15,
  }
}

async function retiredRun({ db, services }: MessageFixture): Promise<FailingItem> {
  const scenario = await insertScenario(db, { state: 'retired' })
  const failing = await insertScenarioRun(db, { scenario })
  const others = [await insertScenarioRun(db, { scenario }), await insertScenarioRun(db)]
  await db
    .updateTable('scenario')
    .set({ state: 'retired' })
    .where('id', 'in', db.selectFrom('scenario_run').select('scenario_id'))
    .execute()
  await refuseWrites(db, {
    ...{ event: 'update', table: 'scenario_run' },
    row: `new.id = '${failing}' and new.state = 'cancelled'`,
  })
  return {
    task: scenarioRetire(services),
    left: async () =>
      (await Promise.all(others.map((id) => scenarioRunRow(db, id)))).filter((run) => run.closed_at === null)
        .length,
    tries: async () => (await scenarioRunRow(db, failing)).step_failures,
    end: async () => (await scenarioRunRow(db, failing)).problem,
    ended: 'internal',
  }
}

async function reply(fixture: MessageFixture): Promise<FailingItem> {
  const { db, unit } = fixture
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const { id: handoffId, subjectId } = await openWith(db, unit.id)
    const says = [{ node: '', messages: [{ kind: 'text' as const, text: { 'zh-TW': '您好' } }] }]
    const call = {
      handoffId,
      subjectId,
      actor: 'key:test',
      says,
      idempotencyKey: null,
      bodyHash: Buffer.alloc(32),
      words: null,
    }
    await db.transaction().execute((trx) => insertReply(trx, call))
    const turn = db.selectFrom('turn').select('id').where('handoff_id', '=', handoffId)
    ids.push((await turn.executeTakeFirstOrThrow()).id)
  }
  const [failing] = ids
  // Nobody answers for these replies, and they end for that.
  await refuseWrites(db, {
    ...{ event: 'update', table: 'turn' },
    row: `new.id = '${failing}' and new.reason = '${notApproved}'`,
  })
  const row = (id: string) => db.selectFrom('turn').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { delivery } = withScriptedProvider(fixture)
  return {
    task: replySend(() => sendNextReplyByItself(delivery)),
    left: async () =>
      (await Promise.all(ids.slice(1).map(row))).filter(({ state }) => state === 'pending').length,
    tries: async () => (await row(failing!)).failures,
    toLastTry: () =>
      db
        .updateTable('turn')
        .set({ failures: 14, next_try_at: now })
        .where('state', '=', 'pending')
        .where('failures', '<', 14)
        .execute(),
    end: async () => {
      const { state, reason } = await row(failing!)
      return { state, reason }
    },
    ended: { state: 'failed', reason: 'internal' },
  }
}
