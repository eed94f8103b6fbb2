import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'
import { lockMessage } from '../../../src/services/messages/move.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { believeRefusals } from '../../../src/services/messages/transitions.ts'
import { forFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt, finishActiveWave, sendSlices } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { insertRows } from '../../fixtures/rows.ts'
import { mailOrder, type PlannedSend, rowsOf, startedSend, tallyOf } from '../../fixtures/sends.ts'

const server = 'mail.example.edu'

const { database, shared, fixture } = forFarEnds()
beforeAll(() => {
  shared.services.mailServer = server
})
beforeEach(async () => {
  await sql`delete from mail_server`.execute(database.db)
  await sql`delete from suppression`.execute(database.db)
})

async function letters(people: number, categoryId = 'letters'): Promise<PlannedSend> {
  return startedSend(fixture, await addRecipients(database.db, people, ['email']), { categoryId })
}

/** The mail server knows nobody, or not these. */
async function knowsNobody(...addresses: string[]): Promise<void> {
  if (addresses.length === 0) await fixture.mail.fault({ status: 550, times: 100_000 })
  for (const to of addresses) await fixture.mail.fault({ status: 550, to, times: 100_000 })
}

const send = (planned: PlannedSend) => sendSlices(fixture.delivery, activityAttempt(), planned, 'email')

async function probeIsDue(): Promise<void> {
  await sql`update mail_server set probe_at = clock_timestamp() where probe_at is not null`.execute(
    database.db,
  )
}

async function hasPassed(interval: string): Promise<void> {
  const ago = sql.lit(interval)
  await sql`update wave set doubted_at = doubted_at - ${ago}::interval`.execute(database.db)
}

async function believe({ id }: PlannedSend): Promise<void> {
  await database.db
    .transaction()
    .execute(async (trx) => believeRefusals(trx, await lockMessage(trx, id), 'operator:cli'))
}

async function suppressed(): Promise<number> {
  return (await database.db.selectFrom('suppression').selectAll().execute()).length
}

async function expectSent(planned: PlannedSend, tally: Record<string, number>): Promise<void> {
  expect(await finishActiveWave(fixture, planned)).toEqual({ more: false, closed: true })
  expect(await tallyOf(fixture, planned)).toEqual(tally)
  const broken = (await checkInvariants(database.db)).filter(({ ok, name }) => !ok && name !== 'runs-on-time')
  expect(broken).toEqual([])
}

const read = ({ id }: PlannedSend) => getMessage(fixture.services, fixture.editor, id)

describe('a mail server that knows nobody', () => {
  it('suppresses nobody: the send is parked, and shows why', async () => {
    const planned = await letters(134)
    await knowsNobody()
    expect(await send(planned)).toMatchObject({ more: true })
    expect(await suppressed()).toBe(0)
    expect(await tallyOf(fixture, planned)).toEqual({ 'email pending': 134 })
    const { problem, parked, retrying } = await read(planned)
    expect({ problem, parked }).toMatchObject({
      problem: 'unknown_recipients',
      parked: { problem: 'unknown_recipients' },
    })
    expect(retrying).toMatchObject([{ channel: 'email', reason: 'unknown_recipients' }])
  })

  it('is asked with one address a minute', async () => {
    const planned = await letters(134)
    await knowsNobody()
    await send(planned)
    const { rows } = await sql<{ ahead: boolean }>`
      select probe_at > clock_timestamp() + interval '50 s' as ahead from mail_server where doubted_since is not null
    `.execute(database.db)
    expect(rows).toEqual([{ ahead: true }])
    await fixture.recover()
    await knowsNobody()
    await probeIsDue()
    await send(planned)
    const { items } = (await (await fetch(`${fixture.mail.url}/faults`)).json()) as {
      items: { times: number }[]
    }
    expect(items.map(({ times }) => times)).toEqual([99_999])
  })

  it('is believed again once it takes one, and everybody gets their mail once', async () => {
    const planned = await letters(134)
    await knowsNobody()
    await send(planned)
    await fixture.recover()
    await probeIsDue()
    await send(planned)
    await expectSent(planned, { 'email sent': 134 })
    expect((await rowsOf(fixture, planned)).wave).toMatchObject({ sent: 134, failed: 0 })
    expect(new Set((await fixture.mail.journal()).map(({ to }) => to)).size).toBe(134)
    expect(await suppressed()).toBe(0)
  })

  it('has those taken back whom it had refused before it was found out, and only those', async () => {
    await insertRows(database.db, 'suppression', [
      { channel: 'email', hash: Buffer.from('complained'), why: 'complaint', server: null },
      { channel: 'email', hash: Buffer.from('elsewhere'), why: 'refused', server: 'old.example.edu' },
      {
        ...{ channel: 'email', hash: Buffer.from('before'), why: 'refused', server },
        since: new Date(Date.now() - 60_000),
      },
    ])
    const first = await letters(9)
    await knowsNobody()
    await send(first)
    expect(await tallyOf(fixture, first)).toEqual({ 'email failed bad_address': 9 })
    expect(await suppressed()).toBe(12)
    const second = await letters(9)
    await send(second)
    const left = await database.db.selectFrom('suppression').select('hash').orderBy('hash').execute()
    expect(left.map(({ hash }) => hash.toString())).toEqual(['before', 'complained', 'elsewhere'])
    await sendSlices(fixture.delivery, activityAttempt(), first, 'email')
    await fixture.recover()
    await probeIsDue()
    await send(second)
    await expectSent(second, { 'email sent': 9 })
  })

  it('loses nobody of a send whose first batch it had refused', async () => {
    const planned = await letters(70)
    const order = await mailOrder(fixture, planned)
    const first = order.slice(0, 9)
    const second = order.slice(64)
    await knowsNobody(...first, ...second)
    await send(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 55, 'email pending': 15 })
    expect(await suppressed()).toBe(0)
    await fixture.recover()
    await probeIsDue()
    await send(planned)
    await expectSent(planned, { 'email sent': 70 })
    expect((await rowsOf(fixture, planned)).wave).toMatchObject({ expected: 70, sent: 70, failed: 0 })
  })

  it('holds back the mail of other sends as well, and not their chat', async () => {
    const planned = await letters(20)
    await knowsNobody()
    await send(planned)
    const tag = await addRecipients(database.db, 5, ['chat', 'email'])
    const other = await startedSend(fixture, tag, { categoryId: 'everywhere' })
    await sendSlices(fixture.delivery, activityAttempt(), other, 'email')
    await sendSlices(fixture.delivery, activityAttempt(), other, 'chat')
    expect(await tallyOf(fixture, other)).toEqual({ 'chat sent': 5, 'email pending': 5 })
    expect(await read(other)).toMatchObject({ problem: 'unknown_recipients' })
    await fixture.recover()
    await probeIsDue()
    await send(planned)
    await send(other)
    await expectSent(other, { 'chat sent': 5, 'email sent': 5 })
  })
})

describe('a list that is really dead', () => {
  it('ends after a day with its reasons, each address refused once more', async () => {
    const planned = await letters(70)
    await knowsNobody()
    await send(planned)
    await hasPassed('23 hours')
    expect(await send(planned)).toMatchObject({ more: true })
    expect(await tallyOf(fixture, planned)).toEqual({ 'email pending': 70 })
    await hasPassed('1 hour')
    await send(planned)
    await expectSent(planned, { 'email failed bad_address': 70 })
    expect(await suppressed()).toBe(70)
    expect(await read(planned)).toMatchObject({ state: 'failed', parked: null })
  })

  it('ends once a person says that the server is right', async () => {
    const planned = await letters(70)
    await knowsNobody()
    await send(planned)
    await believe(planned)
    await send(planned)
    await expectSent(planned, { 'email failed bad_address': 70 })
    expect(await suppressed()).toBe(70)
  })

  it('cannot be believed where nothing is doubted', async () => {
    const planned = await letters(1)
    await expect(believe(planned)).rejects.toMatchObject({ code: 'invalid_transition' })
  })

  it('reaches those who live while it waits', async () => {
    const planned = await letters(128)
    const dead = (await mailOrder(fixture, planned)).filter((_, place) => place % 2 === 0)
    await knowsNobody(...dead)
    await send(planned)
    for (let probe = 0; probe < 10; probe++) {
      await probeIsDue()
      await send(planned)
    }
    await believe(planned)
    await send(planned)
    await expectSent(planned, { 'email sent': 64, 'email failed bad_address': 64 })
  })
})

it('a few unknown recipients among many are theirs: they fail and are suppressed', async () => {
  const planned = await letters(64)
  await knowsNobody(...(await mailOrder(fixture, planned)).filter((_, place) => place % 6 === 5))
  await send(planned)
  await expectSent(planned, { 'email sent': 54, 'email failed bad_address': 10 })
  expect(await suppressed()).toBe(10)
})

describe('a mail server that refuses nearly everybody', () => {
  const codes = [
    '5.4.1 [ann@example.edu]: Recipient address rejected: Access denied. AS(201806281)',
    '5.7.1 Service unavailable; Client host [192.0.2.25] blocked using zen.spamhaus.org',
    'JunkMail rejected - hub.example.edu is in an RBL: Blocked',
    '5.1.0 Address rejected',
    'no',
  ]

  it.each(codes)('is in trouble whatever it says: %s', async (message) => {
    const planned = await letters(134)
    await fixture.mail.fault({ status: 550, message, times: 100_000 })
    await send(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'email pending': 134 })
    expect(await read(planned)).toMatchObject({ problem: 'unknown_recipients' })
    await fixture.recover()
    await probeIsDue()
    await send(planned)
    await expectSent(planned, { 'email sent': 134 })
    expect(await suppressed()).toBe(0)
  })

  it('has those taken back whom it had refused in the same send before it was found out', async () => {
    const planned = await letters(70)
    const order = await mailOrder(fixture, planned)
    for (const to of [...order.slice(0, 9), ...order.slice(64)])
      await fixture.mail.fault({ status: 550, message: '5.7.1 blocked by policy', to, times: 100_000 })
    await send(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 55, 'email pending': 15 })
    await fixture.recover()
    await probeIsDue()
    await send(planned)
    await expectSent(planned, { 'email sent': 70 })
  })

  it('ends the send with its reasons once a person says that it is right, and suppresses nobody for them', async () => {
    const planned = await letters(70)
    await fixture.mail.fault({ status: 550, message: '5.7.1 blocked by policy', times: 100_000 })
    await send(planned)
    await believe(planned)
    await send(planned)
    await expectSent(planned, { 'email failed policy': 70 })
    expect(await suppressed()).toBe(0)
  })

  it('is believed about a mail that it has read: a content that it rejects fails for all', async () => {
    const planned = await letters(70)
    await fixture.mail.fault({ phase: 'dot', status: 554, message: '5.7.1 content rejected', times: 100_000 })
    await send(planned)
    await expectSent(planned, { 'email failed policy': 70 })
    expect(
      await sql`select from mail_server where doubted_since is not null`.execute(database.db),
    ).toMatchObject({
      rows: [],
    })
  })
})
