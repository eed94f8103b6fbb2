import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMailbox } from '../../../dev/mailbox/server.ts'
import { linkSigner } from '../../../src/channels/email/links.ts'
import { createMailSender } from '../../../src/channels/email/mailing.ts'
import { openMailer } from '../../../src/channels/email/send.ts'
import { adapters } from '../../../src/channels/index.ts'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import type { MessageState } from '../../../src/contract/enums.ts'
import { migrateToLatest } from '../../../src/db/migrate.ts'
import { makeRunsDue } from '../../../src/db/queries/run/reconcile.ts'
import { sealHashKey } from '../../../src/services/address-hash.ts'
import { settleNextEvent } from '../../../src/services/events/settle.ts'
import { writeNextChunk } from '../../../src/services/imports/write-chunk.ts'
import { secretBox } from '../../../src/services/secret-box.ts'
import { processNextWebhookEvent } from '../../../src/services/webhooks/process-event.ts'
import { type Api, serveApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { callsTo as mailboxAt, sender } from '../../fixtures/mailbox.ts'
import { postponeProbe } from '../../fixtures/message-rows.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { waitForClosed, waitForState } from '../../fixtures/run-waits.ts'
import { type RunsFixture, startRuns } from '../../fixtures/runs.ts'
import { byMails } from '../../fixtures/senders.ts'
import { newEvent, sendEvent } from '../../fixtures/signed-event.ts'
import { databaseWithoutSchema } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { freshNamespace } from '../../harness/namespace.ts'
import { loadFilled, type Row, readFilled, secretsKey } from './load-filled.ts'
import { planted, second } from './planted.ts'

/** An installation in the middle of its work is migrated, and goes on. */
const filled = readFilled()
const database = forFile(databaseWithoutSchema)
beforeAll(async () => {
  await loadFilled(database.db, filled)
})

/** The rows of every table. */
async function rowsNow(): Promise<Record<string, Row[]>> {
  const read = async (table: string) => {
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(t) as row from ${sql.table(table)} as t order by to_jsonb(t)::text`.execute(database.db)
    return [table, rows.map(({ row }) => row)] as const
  }
  return Object.fromEntries(await Promise.all(Object.keys(filled.tables).map(read)))
}

describe('migrated, an installation', () => {
  let before: Record<string, Row[]>
  beforeAll(async () => {
    before = await rowsNow()
    expect(await migrateToLatest(database.db, planted)).toEqual([second])
    await sealHashKey(database.db, secretBox(secretsKey))
  })

  it('has every row and value that it had, and what the migration gave them', async () => {
    expect(Object.keys(before).filter((table) => before[table]!.length === 0)).toEqual([])
    const after = await rowsNow()
    for (const [table, rows] of Object.entries(before)) {
      const columns = Object.keys(rows[0]!)
      expect([table, picked(after[table]!, columns)]).toEqual([table, picked(rows, columns)])
    }
    const rows = after.message!.filter((row) => row.state_before === row.state)
    expect(rows).toHaveLength(before.message!.length)
  })

  it('violates no invariant', async () => {
    const broken = await brokenInvariants(database.db, { runs: false })
    expect(broken).toEqual([]) // no runs yet
  })
})

/** Rows with these columns only, in an order that does not depend on the others. */
function picked(rows: Row[], columns: string[]): string[] {
  return rows
    .map((row) => JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]]))))
    .sort()
}

describe('an API and a worker of today', () => {
  let api: Pick<Api, 'call' | 'services'>
  let runs: RunsFixture
  let mailbox: Awaited<ReturnType<typeof startMailbox>>
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'filled-'))
    mailbox = await startMailbox({ smtpPort: 0, httpPort: 0, dir })
    const links = linkSigner(secretsKey)
    const mailer = openMailer({ host: '127.0.0.1', port: mailbox.smtpPort, security: 'none' }, sender)
    const from = { name: 'Hub', address: sender }
    const mail = createMailSender(mailer, {
      from,
      publicUrl: 'https://hub.example.org',
      links,
      dkim: undefined,
    })
    runs = await startRuns({ ...(await freshNamespace()), db: database.db, mail: byMails(mail) })
    const served = await serveApi(database.db, {
      services: {
        wake: runs.wake,
        channels: adapters,
        secrets: secretBox(secretsKey),
      },
    })
    api = served
    closing.push(
      () => served.app.close(),
      () => runs.close(),
      async () => mailer.close(),
      () => mailbox.close(),
      () => rm(dir, { recursive: true }),
    )
    // The provider knows what it accepted before, and by which retry keys.
    for (const { retryKey, to } of filled.accepted) await acceptBefore(retryKey, to)
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  function acceptBefore(retryKey: string, to: string[]) {
    const one = to.length === 1
    const body = { to: one ? to[0] : to, messages: [{ type: 'text', text: 'Before' }] }
    return runs.chat.post(`/v2/bot/message/${one ? 'push' : 'multicast'}`, body, {
      'x-line-retry-key': retryKey,
    })
  }

  const producer = { key: filled.keys.a }
  const editor = { session: filled.sessions.editor }
  const approver = { session: filled.sessions.approver }
  const ids = filled.messages
  const idOf = (name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`No message ${name} in the file`)
    return id
  }
  const ok = async (operation: OperationId, options: CallOptions) => {
    const { code, body } = await api.call(operation, options)
    expect([operation, options.id, code, code && body]).toEqual([operation, options.id, null, null])
    return body
  }
  const detail = (name: string) => ok('getMessage', { ...approver, id: idOf(name) })
  const ends = async (name: string, state: MessageState = 'sent') => {
    await waitForClosed(runs, idOf(name))
    expect([name, (await detail(name)).state]).toEqual([name, state])
  }

  /** The addresses whose chat deliveries are sent, and those for which the provider accepted a call of the message. */
  async function expectSentOnce(name: string): Promise<void> {
    const rows = await database.db
      .selectFrom('delivery')
      .innerJoin('wave', 'wave.id', 'wave_id')
      .innerJoin('address', (join) =>
        join
          .onRef('address.subject_id', '=', 'delivery.subject_id')
          .onRef('address.channel', '=', 'delivery.channel'),
      )
      .select('address')
      .where('message_id', '=', idOf(name))
      .where('number', '=', 0)
      .where('delivery.channel', '=', 'chat')
      .where('delivery.state', '=', 'sent')
      .execute()
    const sent = rows.map(({ address }) => address).sort()
    expect(sent.length).toBeGreaterThan(0)
    expect([name, (await runs.acceptedOf(idOf(name))).flatMap(({ to }) => to).sort()]).toEqual([name, sent])
    expect(sent).toHaveLength((await detail(name)).snapshot.recipients.byChannel.chat)
  }

  it('shows everything that there is', async () => {
    const { db } = database
    const reader = { session: filled.sessions.approver }
    const messages = await db.selectFrom('message').select('id').where('id', '<>', idOf('other')).execute()
    await Promise.all(messages.map(({ id }) => ok('getMessage', { ...reader, id })))
    await ok('getMessage', { key: filled.keys.b, id: idOf('other') })
    const lists = [
      ...([
        'listMessages',
        'listTemplates',
        'listTopics',
        'listGroups',
        'listCallbacks',
        'listAudit',
      ] as const),
      ...(['listEventBindings', 'getSummary', 'listCategories'] as const),
    ]
    for (const list of lists) await ok(list, reader)
    const admin = { session: filled.sessions.admin }
    for (const list of [
      'adminListUnits',
      'adminListPersons',
      'adminListKeys',
      'adminListEventKeys',
      'adminListCategories',
    ] as const)
      await ok(list, admin)
    await ok('adminGetQuota', admin)
    await ok('adminListValueNames', { ...admin, query: { dimension: 'tags' } })
    const administrative = { key: filled.keys.administrative }
    await ok('listImports', administrative)
    const subjects = await db.selectFrom('subject').select('uid').execute()
    await Promise.all(
      subjects.flatMap(({ uid: id }) => [
        ok('exportSubject', { ...administrative, id }),
        ok('listSubjectDeliveries', { ...administrative, id }),
      ]),
    )
    for (const id of Object.values(filled.bindings)) {
      const { inForce, newest } = await ok('getEventBinding', { ...reader, id })
      expect({ inForce, newest }).toMatchObject({ inForce: 1, newest: { state: 'in_force', decision: null } })
    }
    for (const row of filled.tables.callback!)
      await ok('listCallbackDeliveries', { ...reader, id: String(row.id) })
  })

  it('work off the queues', async () => {
    while (await processNextWebhookEvent(api.services));
    while (await writeNextChunk(api.services));
    while (await settleNextEvent(api.services));
    const { db } = database
    const open = await db
      .selectFrom('webhook_event')
      .select('id')
      .where('done_at', 'is', null)
      .unionAll(db.selectFrom('import').select('id').where('state', '<>', 'completed'))
      .execute()
    expect(open).toEqual([])
    const { error, message_id } = await selectRow(db, 'event', { event_id: 'e-open' }, [
      'error',
      'message_id',
    ])
    expect({ error, message_id }).toEqual({ error: null, message_id: expect.any(String) })
    const imported = await ok('getSubject', { key: filled.keys.administrative, id: 'later1' })
    expect(imported).toMatchObject({ addresses: [{ address: 'later.1@example.org', suppressed: false }] })
  })

  it('send what is due, to everybody once', async () => {
    await postponeProbe(database.db, idOf('parked-quota'))
    await runs.startWorker()
    await makeRunsDue(database.db) // as `carillon reconcile`: the Temporal of the test is empty
    for (const name of ['due', 'due-group', 'due-small', 'e-all', 'e-old', 'e-batch-1']) {
      await ends(name)
      await expectSentOnce(name)
    }
    await waitForState(runs, idOf('due-reminded'), 'sent')
    await expectSentOnce('due-reminded')
  })

  it('end what is half way, without sending a claimed call twice', async () => {
    for (const name of ['half-before', 'half-after', 'half-first']) {
      await ends(name)
      await expectSentOnce(name)
    }
    await ends('half-started')
    await ends('half-mail')
    // Mails have no retry key: what was claimed and may have been sent is unknown.
    expect((await detail('half-mail')).stats).toMatchObject({ unknown: 8, sent: 2 })
    const mails = (await mailboxAt(mailbox.url).journal()).filter(({ subject }) =>
      subject.includes('half-mail'),
    )
    expect(mails).toHaveLength(2)
  })

  it('leave what waits, and resume or cancel it when asked', async () => {
    const states = async (...names: string[]) =>
      Promise.all(names.map(async (name) => (await detail(name)).state))
    expect(
      await states('paused-approved', 'half-paused', 'scheduled', 'promoted', 'answered', 'waiting'),
    ).toEqual([...['paused', 'paused', 'approved', 'approved', 'sent', 'submitted']])
    await ok('resumeMessage', { ...editor, id: idOf('half-paused') })
    await ends('half-paused')
    await expectSentOnce('half-paused')
    await ok('resumeMessage', { ...producer, id: idOf('paused-approved') })
    await ok('cancelMessage', { ...producer, id: idOf('paused-approved') })
    await ends('paused-approved', 'cancelled')
    await ok('cancelMessage', { ...editor, id: idOf('scheduled') })
    await ends('scheduled', 'cancelled')
  })

  it('send what is parked, at its next probe or when it is retried', async () => {
    await ok('retryMessage', { ...editor, id: idOf('parked-quota'), body: {} })
    for (const name of ['parked', 'parked-quota']) {
      await ends(name)
      await expectSentOnce(name)
    }
  })

  it('send what a person approves', async () => {
    for (const name of [
      'waiting',
      'waiting-group',
      'waiting-small',
      'waiting-console',
      'checked',
      'drifted',
      'e-manual',
    ]) {
      await ok('approveMessage', { ...approver, id: idOf(name) })
      await ends(name)
      await expectSentOnce(name)
    }
  })

  it('edit, submit and send drafts', async () => {
    await ok('editMessage', { ...producer, id: idOf('draft'), body: { scheduleAt: null } })
    for (const [name, by] of [
      ['draft', producer],
      ['draft-template', producer],
    ] as const) {
      await ok('submitMessage', { ...by, id: idOf(name) })
      if ((await detail(name)).state === 'submitted')
        await ok('approveMessage', { ...approver, id: idOf(name) })
      await ends(name)
      await expectSentOnce(name)
    }
  })

  it('raise messages by the bindings', async () => {
    const event = (type: string) =>
      newEvent({ type, subjectUids: ['p1', 'p2', 'p10'], data: { course: 'Logic', room: 'D4' } })
    ids.raised = (await sendEvent(api, event('course.moved'))).body.messageId
    await ends('raised')
    await expectSentOnce('raised')
    ids.raisedByOldKey = (await sendEvent(api, event('course.keyed'), { keyId: 'old' })).body.messageId
    await ends('raisedByOldKey')
    expect((await sendEvent(api, event('course.keyed'))).body).toMatchObject({ error: 'no_binding' })
    ids.raisedByQuery = (await sendEvent(api, event('course.all'))).body.messageId
    await ok('approveMessage', { ...approver, id: idOf('raisedByQuery') })
    await ends('raisedByQuery')
  })

  it('remind those who did not opt out', async () => {
    const id = idOf('answered')
    await sql`update message set remind_at = now(), next_wakeup_at = now() where id = ${id}`.execute(
      database.db,
    )
    runs.wake('message', id, [{ name: 'overdue' }])
    await ends('answered')
    const { reminder } = await detail('answered')
    expect(reminder).toMatchObject({ state: 'sent' })
    const { rows } = await sql<{ reason: string }>`
      select reason from delivery join wave on wave.id = wave_id join subject on subject.id = subject_id
      where message_id = ${id} and number = 1 and uid = 'p4'`.execute(database.db)
    expect(rows).toEqual([{ reason: 'doNotRemind' }])
  })

  it('violate no invariant', async () => {
    await eventually(async () => {
      expect(await brokenInvariants(database.db)).toEqual([])
    })
  })
})
