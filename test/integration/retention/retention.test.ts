import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { pollLoop } from '../../../src/background/poll-loop.ts'
import { retentionPurge } from '../../../src/background/retention-purge.ts'
import { markSubmitted } from '../../../src/db/queries/composition/composition.ts'
import { startComposition } from '../../../src/services/compositions/compositions.ts'
import { changeMembers } from '../../../src/services/groups/change-members.ts'
import { createGroup } from '../../../src/services/groups/groups.ts'
import { previewMessage } from '../../../src/services/messages/preview.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import {
  countExpired,
  type FailedKinds,
  purgeSlice,
  type Retention,
  totalPurged,
} from '../../../src/services/retention.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { forScriptedSends } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { codeOf, createDraft, createSubmitted } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { insertRows, updateRows } from '../../fixtures/rows.ts'
import { approvedSend, type PlannedSend, rowsOf } from '../../fixtures/sends.ts'
import { eventually } from '../../harness/eventually.ts'
import { refuseWrites } from '../../harness/write-refusal.ts'

const { database, fixture } = forScriptedSends()

const daysAgo = (days: number) => sql<Date>`now() - make_interval(days => ${days})`

/** Purges one slice of each kind; none may fail. */
async function slices(retention: Partial<Retention>) {
  const failed: FailedKinds = new Map()
  const purged = await purgeSlice(fixture.db, { ...keepAll, ...retention }, failed)
  expect([...failed.values()]).toEqual([])
  return purged
}

/** Purges until nothing old is left; returns how many rows of each kind were deleted. */
async function purge(retention: Partial<Retention>) {
  const all = { ...keepAll, ...retention }
  const old = await countExpired(fixture.db, all)
  let purged = 0
  for (let slice = await slices(all); totalPurged(slice) > 0; slice = await slices(all))
    purged += totalPurged(slice)
  expect(purged).toBe(totalPurged(old))
  expect(totalPurged(await countExpired(fixture.db, all))).toBe(0)
  return old
}

/** A message sent to some people and closed `days` ago. */
async function sent(people: number, days: number): Promise<PlannedSend> {
  const planned = await approvedSend(fixture, await addRecipients(fixture.db, people))
  expect(await runUntilWait(fixture, planned.id)).toMatchObject({ do: 'end' })
  await updateRows(fixture.db, 'message', { id: planned.id }, { closed_at: daysAgo(days) })
  return planned
}

const broken = async () => await brokenInvariants(fixture.db)

describe('what an approval bound', () => {
  it('goes with the content of its message; changes of groups wait for messages that need them', async () => {
    const { db, services, editor } = fixture
    const closed = await sent(2, 11)
    const marks = () =>
      db.selectFrom('audience_sample').select('message_id').where('message_id', '=', closed.id).execute()
    expect(await marks()).toHaveLength(1)
    const body = { name: 'Choir', kind: 'static', legalBasis: 'consent' } as const
    const { id: group } = await createGroup(services, editor, body)
    const change = (...add: string[]) => changeMembers(services, editor, group, { add })
    const changes = () => db.selectFrom('group_change').select('id').where('group_id', '=', group).execute()
    await change('student-1', 'student-2', 'student-3', 'student-4', 'student-5')
    const id = await createSubmitted(fixture, { audience: { kind: 'query', groups: [group] } })
    await change('student-6')
    await updateRows(db, 'group_change', { group_id: group }, { at: daysAgo(11) })
    expect(await purge({ RETENTION_AUDIT_DAYS: 10 })).toMatchObject({ groupChanges: 1 })
    expect(await changes()).toHaveLength(1)
    await updateRows(db, 'message', { id }, { closed_at: daysAgo(1) })
    expect(await purge({ RETENTION_AUDIT_DAYS: 10 })).toMatchObject({ groupChanges: 1 })
    expect(await changes()).toEqual([])
    await purge({ RETENTION_MESSAGES_DAYS: 10 })
    expect(await marks()).toEqual([])
  })
})

describe('what somebody writes', () => {
  it('goes once nobody has touched it for that long, submitted or not', async () => {
    const { db, services, editor } = fixture
    const { unitId } = editor.memberships[0]!
    const begin = () =>
      startComposition(services, editor, {
        unitId,
        kind: 'message',
        messageId: null,
        templateId: null,
        patternId: null,
        form: [],
      })
    const [old, submitted, young] = [await begin(), await begin(), await begin()]
    await db.transaction().execute((trx) => markSubmitted(trx, submitted, submitted))
    await db
      .updateTable('composition')
      .set({ updated_at: daysAgo(11) })
      .where('id', 'in', [old, submitted])
      .execute()
    expect(await purge({ RETENTION_MESSAGES_DAYS: 10 })).toMatchObject({ compositions: 2 })
    const kept = await db.selectFrom('composition').select('id').execute()
    expect(kept).toEqual([{ id: young }])
  })
})

describe('messages', () => {
  it('lose content and audience once they are old and closed; states and counts stay', async () => {
    const [old, young] = [await sent(3, 100), await sent(3, 50)]
    const before = await getMessage(fixture.services, fixture.approver, old.id)
    expect(await purge({ RETENTION_MESSAGES_DAYS: 90 })).toEqual({
      messages: 1,
      compositions: 0,
      schedules: 0,
    })
    const after = await getMessage(fixture.services, fixture.approver, old.id)
    expect(after).toEqual({
      ...before,
      content: null,
      title: { 'zh-TW': 'Manual', en: 'Manual' },
    })
    const { rows } = await sql`
      select distinct request, frozen, compiled, addresses from message_content
        join wave using (message_id) join call on wave_id = wave.id where message_id = ${old.id}`.execute(
      fixture.db,
    )
    expect(rows).toEqual([{ request: {}, frozen: null, compiled: null, addresses: [] }])
    expect((await getMessage(fixture.services, fixture.approver, young.id)).content).not.toBeNull()
    const preview = previewMessage(fixture.services, fixture.approver, old.id, {
      locale: 'en',
      channel: 'chat',
    })
    expect(await codeOf(preview)).toBe('not_found')
    expect(await broken()).toEqual([])
  })

  it('keep everything while they are open, however old', async () => {
    const ids = [await createDraft(fixture), await createSubmitted(fixture)]
    await fixture.db
      .updateTable('message')
      .set({ created_at: daysAgo(900) })
      .where('id', 'in', ids)
      .execute()
    expect(await purge({ RETENTION_MESSAGES_DAYS: 90 })).toEqual({
      messages: 0,
      compositions: 0,
      schedules: 0,
    })
  })

  it('to named individuals no longer name them', async () => {
    const { id } = await sent(1, 100)
    const audience = JSON.stringify({ kind: 'individual', uids: ['a', 'b'] })
    await fixture.db.updateTable('message').set({ audience, kind: 'personal' }).where('id', '=', id).execute()
    await purge({ RETENTION_MESSAGES_DAYS: 90 })
    expect((await getMessage(fixture.services, fixture.approver, id)).audience).toEqual({
      kind: 'individual',
      count: 0,
      uids: [],
    })
  })

  it('are purged in slices that two workers can share', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => createDraft(fixture)))
    await fixture.db
      .updateTable('message')
      .set({ closed_at: daysAgo(100) })
      .where('id', 'in', ids)
      .execute()
    const slice = () => slices({ RETENTION_MESSAGES_DAYS: 90 })
    const both = await Promise.all([slice(), slice()])
    expect(both.reduce((sum, { messages = 0 }) => sum + messages, 0)).toBe(60)
    await fixture.db
      .updateTable('message')
      .set({ closed_at: null, purged_at: null })
      .where('id', 'in', ids)
      .execute()
  })
})

describe('deliveries', () => {
  /** Moves a message's wave into a month of the past, with all its rows. */
  async function movedTo(planned: PlannedSend, month: string): Promise<string> {
    const { id: waveId } = (await rowsOf(fixture, planned)).wave
    const prefix = Date.parse(`${month}-10T00:00:00Z`).toString(16).padStart(12, '0')
    const moved = `${prefix.slice(0, 8)}-${prefix.slice(8)}-${waveId.slice(14)}`
    const partition = `delivery_${month.replace('-', '_')}`
    const next = new Date(Date.parse(`${month}-28T00:00:00Z`) + 5 * 24 * 3_600_000).toISOString().slice(0, 7)
    const first = (of: string) => Date.parse(`${of}-01T00:00:00Z`).toString(16).padStart(12, '0')
    const bound = (hex: string) => `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
    await sql
      .raw(`create table ${partition} partition of delivery
        for values from ('${bound(first(month))}') to ('${bound(first(next))}')`)
      .execute(fixture.db)
    await sql
      .raw(`
      set session_replication_role = replica;
      update wave set id = '${moved}' where id = '${waveId}';
      update delivery set wave_id = '${moved}' where wave_id = '${waveId}';
      update batch set wave_id = '${moved}' where wave_id = '${waveId}';
      update call set wave_id = '${moved}' where wave_id = '${waveId}';
      update quota_reservation set wave_id = '${moved}' where wave_id = '${waveId}';
      set session_replication_role = default;`)
      .execute(fixture.db)
    planned.waveId = moved
    return partition
  }
  const partitions = async () =>
    (
      await sql<{ name: string }>`
        select inhrelid::regclass::text as name from pg_inherits where inhparent = 'delivery'::regclass`.execute(
        fixture.db,
      )
    ).rows.map(({ name }) => name)

  it('are deleted once their whole month is old, with batches and calls; the wave keeps its counts', async () => {
    const planned = await sent(700, 0)
    const partition = await movedTo(planned, '2023-03')
    expect(await broken()).toEqual([])
    expect(await purge({ RETENTION_DELIVERIES_DAYS: 30 })).toEqual({ deliveryMonths: 1, contacts: 0 })
    expect(await partitions()).not.toContain(partition)
    const { wave, message } = await rowsOf(fixture, planned)
    expect(wave).toMatchObject({ expected: 700, sent: 700 })
    const { rows } = await sql`select from batch where wave_id = ${wave.id}`.execute(fixture.db)
    expect(rows).toEqual([])
    expect((await getMessage(fixture.services, fixture.approver, message.id)).stats?.sent).toBe(700)
    expect(await broken()).toEqual([])
  })

  it('stay while one wave of their month is open', async () => {
    const planned = await sent(2, 0)
    const partition = await movedTo(planned, '2023-04')
    const close = (at: unknown) =>
      updateRows(fixture.db, 'message', { id: planned.id }, { closed_at: at as Date })
    await close(null)
    expect(await purge({ RETENTION_DELIVERIES_DAYS: 30 })).toEqual({ deliveryMonths: 0, contacts: 0 })
    expect(await partitions()).toContain(partition)
    await close(new Date())
    expect(await purge({ RETENTION_DELIVERIES_DAYS: 30 })).toEqual({ deliveryMonths: 1, contacts: 0 })
  })

  it('stay while they are locked, and delay no others', async () => {
    const planned = await sent(2, 0)
    await movedTo(planned, '2023-05')
    await fixture.db.transaction().execute(async (trx) => {
      await sql`select from delivery limit 1`.execute(trx)
      const slice = await slices({ RETENTION_DELIVERIES_DAYS: 30 })
      expect(slice).toEqual({ deliveryMonths: 0, contacts: 0 })
    })
    expect((await rowsOf(fixture, planned)).wave.purged_at).toBeNull()
    await purge({ RETENTION_DELIVERIES_DAYS: 30 })
  })

  it('stay while another object depends on their partition; later months are deleted', async () => {
    const [kept, gone] = [await sent(2, 0), await sent(2, 0)]
    const [stays, goes] = [await movedTo(kept, '2023-06'), await movedTo(gone, '2023-07')]
    await sql`create view report as select * from ${sql.table(stays)}`.execute(fixture.db)
    expect(await slices({ RETENTION_DELIVERIES_DAYS: 30 })).toEqual({ deliveryMonths: 1, contacts: 0 })
    expect(await partitions()).not.toContain(goes)
    const failed: FailedKinds = new Map()
    await purgeSlice(fixture.db, { ...keepAll, RETENTION_DELIVERIES_DAYS: 30 }, failed)
    expect([...failed.keys()]).toEqual(['deliveryMonths'])
    await sql`drop view report`.execute(fixture.db)
    await purge({ RETENTION_DELIVERIES_DAYS: 30 })
  })
})

describe('small rows', () => {
  it('answers are deleted by age once the message is closed', async () => {
    const { id } = await sent(1, 5)
    const open = await createDraft(fixture)
    const [{ subject_id }] = (
      await sql<{ subject_id: string }>`select subject_id from delivery limit 1`.execute(fixture.db)
    ).rows as [{ subject_id: string }]
    for (const message_id of [id, open]) {
      const row = { message_id, subject_id, at: daysAgo(100) }
      await fixture.db.insertInto('do_not_remind').values(row).execute()
      await fixture.db
        .insertInto('message_answer')
        .values({ ...row, question: '0', n: 0, o: '0', option_id: 'yes', channel: 'chat' })
        .execute()
    }
    expect(await purge({ RETENTION_ANSWERS_DAYS: 90 })).toEqual({
      answers: 1,
      doNotReminds: 1,
      mailClicks: 0,
    })
  })

  it('audit rows of a message are kept as long as its content, others are deleted by age', async () => {
    const { id } = await sent(1, 100)
    await updateRows(fixture.db, 'audit', {}, { at: daysAgo(100) })
    const { n } = (
      await sql<{ n: number }>`select count(*) as n from audit where object_kind <> 'message'`.execute(
        fixture.db,
      )
    ).rows[0]!
    const retention = { RETENTION_AUDIT_DAYS: 90 }
    expect((await purge(retention)).audit).toBeGreaterThanOrEqual(n)
    expect((await getMessage(fixture.services, fixture.approver, id)).timeline.length).toBeGreaterThan(3)
    await purge({ RETENTION_MESSAGES_DAYS: 90 })
    expect((await purge(retention)).audit).toBeGreaterThan(3)
    expect(await broken()).toEqual([])
  })

  it('events keep their outcome, so that one sent again is still a duplicate', async () => {
    const { id } = await sent(1, 100)
    const event = {
      source: 'sis',
      type: 'x',
      key_id: 'k',
      occurred_at: daysAgo(100),
      received_at: daysAgo(100),
    }
    const eventContent = {
      subject_uids: ['s1'],
      data: JSON.stringify({ name: 'Lin' }),
      next_try_at: daysAgo(100),
    }
    await insertRows(fixture.db, 'event', [
      { ...event, ...eventContent, event_id: 'became a message', message_id: id, unit_id: fixture.unit.id },
      { ...event, ...eventContent, event_id: 'came to nothing', error: 'no_binding' },
      { ...event, ...eventContent, event_id: 'has no outcome yet' },
    ])
    expect(await purge({ RETENTION_EVENTS_DAYS: 90 })).toEqual({ events: 1, failedEvents: 1 })
    const left = await fixture.db.selectFrom('event').select(['event_id', 'message_id', 'data']).execute()
    expect(left).toHaveLength(2)
    expect(left).toContainEqual({ event_id: 'became a message', message_id: id, data: {} })
  })
})

it('the background task purges every kind, and records it in the audit log', async () => {
  await purge({ RETENTION_MESSAGES_DAYS: 90 })
  const { id } = await sent(1, 100)
  const keep = { ...keepAll, RETENTION_MESSAGES_DAYS: 90 }
  const rounds = pollLoop(retentionPurge(fixture.services, keep), fixture.services.log)
  const audit = () =>
    fixture.db.selectFrom('audit').select(['actor', 'details']).where('action', '=', 'purge').execute()
  await eventually(async () =>
    expect(await audit()).toEqual([{ actor: 'system:run', details: { messages: 1 } }]),
  )
  await rounds.stop()
  expect((await getMessage(fixture.services, fixture.approver, id)).content).toBeNull()
})

it('carillon purge lists what is past retention, and deletes it', async () => {
  await purge({ RETENTION_MESSAGES_DAYS: 90 })
  await sent(1, 100)
  const env = { DATABASE_URL: database.url, RETENTION_MESSAGES_DAYS: '90' }
  const dry = await runCarillon(env, 'purge', '--dry-run')
  expect(dry).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Past retention:\n {2}messages +1\n/),
  })
  expect(JSON.parse((await runCarillon(env, '--json', 'purge')).out)).toMatchObject({ messages: 1, audit: 0 })
  expect(JSON.parse((await runCarillon(env, '--json', 'purge', '--dry-run')).out)).toMatchObject({
    messages: 0,
  })
})

it('carillon purge names what could not be purged, and purges everything else', async () => {
  await purge({ RETENTION_MESSAGES_DAYS: 90 })
  await sent(1, 100)
  const end = await refuseWrites(fixture.db, { event: 'delete', table: 'notice', row: 'true' })
  await updateRows(fixture.db, 'notice', {}, { state: 'sent', created_at: daysAgo(100) })
  const env = { DATABASE_URL: database.url, RETENTION_MESSAGES_DAYS: '90', RETENTION_WORK_DAYS: '90' }
  const { code, out, err } = await runCarillon(env, '--json', 'purge')
  expect(JSON.parse(out)).toMatchObject({ messages: 1, sessions: 0 })
  expect([code, err]).toEqual([1, expect.stringContaining('notices')])
  await end()
})
