import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getMessage } from '../../../src/services/messages/read.ts'
import { retryMessage } from '../../../src/services/messages/transitions.ts'
import { forFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt, finishActiveWave, sendSlices } from '../../fixtures/delivery-steps.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { mailOrder, type PlannedSend, rowsOf, startedSend, tallyOf } from '../../fixtures/sends.ts'

const { database, shared, fixture } = forFarEnds()
beforeAll(() => {
  shared.services.mailServer = 'mail.example.edu'
})
beforeEach(() => sql`delete from mail_server`.execute(database.db))

const letters = async (people: number) =>
  startedSend(fixture, await addRecipients(database.db, people, ['email']), { categoryId: 'letters' })

const send = (planned: PlannedSend, channel: 'chat' | 'email' = 'email') =>
  sendSlices(fixture.delivery, activityAttempt(), planned, channel)

const read = ({ id }: PlannedSend) => getMessage(fixture.services, fixture.editor, id)

/** How many minutes the batches of this wave that are not sent yet still wait, each number once. */
async function waits({ waveId }: PlannedSend): Promise<number[]> {
  const { rows } = await sql<{ minutes: number }>`
    select distinct round(extract(epoch from not_before - clock_timestamp()) / 60)::int as minutes from batch
    where wave_id = ${waveId} and state = 'open' order by 1`.execute(database.db)
  return rows.map(({ minutes }) => minutes)
}

async function limitIsReset({ waveId }: PlannedSend): Promise<void> {
  await fixture.recover()
  fixture.clock.offsetMs += 3_600_000
  await sql`update batch set not_before = clock_timestamp() where wave_id = ${waveId}`.execute(database.db)
}

const daily = { status: 550, message: '5.4.5 Daily user sending limit exceeded', times: 100_000 }

describe('a limit of the sender', () => {
  it('that holds from the fifteenth of 24 parks the send, and everybody gets their mail once after it', async () => {
    const planned = await letters(24)
    for (const to of (await mailOrder(fixture, planned)).slice(14)) await fixture.mail.fault({ ...daily, to })
    await send(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 14, 'email pending': 10 })
    expect(await read(planned)).toMatchObject({ state: 'sending', problem: 'provider_quota' })
    expect(await waits(planned)).toEqual([60])
    await limitIsReset(planned)
    await send(planned)
    expect((await read(planned)).problem).toBeUndefined()
    expect(await finishActiveWave(fixture, planned)).toEqual({ more: false, closed: true })
    expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 24 })
    expect(new Set((await fixture.mail.journal()).map(({ to }) => to)).size).toBe(24)
    expect(await brokenInvariants(database.db, { runs: false })).toEqual([])
  })

  it.each([
    ['at the end of the mail', { ...daily, phase: 'dot' }],
    ['with a 4', { ...daily, status: 450, message: '4.2.1 Hourly quota exceeded' }],
    [
      'with the code of a mailbox that is full',
      { ...daily, status: 552, message: '5.2.2 Submission quota exceeded' },
    ],
  ])('parks a send, said %s, and nobody fails', async (_, fault) => {
    const planned = await letters(24)
    await fixture.mail.fault(fault)
    await send(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'email pending': 24 })
    expect(await read(planned)).toMatchObject({ problem: 'provider_quota' })
    expect(await waits(planned)).toEqual([60])
  })

  it('is tried after its reset where the reply says when, whatever the number of batches', async () => {
    const planned = await letters(300)
    await fixture.mail.fault({
      ...daily,
      message: '5.4.5 Daily sending quota exceeded, try again in 5 hours',
    })
    await send(planned)
    expect(await waits(planned)).toEqual([300])
    const { parked } = await read(planned)
    expect(Date.parse(parked!.nextProbeAt) - Date.now()).toBeGreaterThan(4.9 * 3_600_000)
  })

  it('is met by two recipients, and no third is tried until then', async () => {
    const planned = await letters(300)
    await fixture.mail.fault(daily)
    await send(planned)
    await send(planned)
    const { items } = (await (await fetch(`${fixture.mail.url}/faults`)).json()) as {
      items: { times: number }[]
    }
    expect(items.map(({ times }) => times)).toEqual([99_998])
  })

  it('holds back mail only: the chat of the same message goes on', async () => {
    const tag = await addRecipients(database.db, 5, ['chat', 'email'])
    const planned = await startedSend(fixture, tag, { categoryId: 'everywhere' })
    await fixture.mail.fault(daily)
    await send(planned)
    await send(planned, 'chat')
    expect(await tallyOf(fixture, planned)).toEqual({ 'chat sent': 5, 'email pending': 5 })
    expect(await read(planned)).toMatchObject({ problem: 'provider_quota' })
  })

  it('is tried at once when a person retries the send', async () => {
    const planned = await letters(24)
    await fixture.mail.fault(daily)
    await send(planned)
    await fixture.recover()
    fixture.clock.offsetMs += 1_000 // the process pauses the channel after a failure
    await retryMessage(fixture.services, fixture.editor, planned.id, {})
    await send(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 24 })
    expect((await rowsOf(fixture, planned)).wave.parked).toBeNull()
  })

  it('fails nobody after days of it', async () => {
    const planned = await letters(24)
    await fixture.mail.fault(daily)
    await send(planned)
    await sql`update batch set failing_since = failing_since - interval '3 days', not_before = null
      where wave_id = ${planned.waveId}`.execute(database.db)
    fixture.clock.offsetMs += 3 * 86_400_000
    await fixture.recover()
    for (const to of (await mailOrder(fixture, planned)).slice(14)) await fixture.mail.fault({ ...daily, to })
    await send(planned)
    expect(Object.keys(await tallyOf(fixture, planned))).toEqual(['email pending', 'email sent'])
  })

  it('that one recipient alone meets is put off for that one', async () => {
    const planned = await letters(24)
    const [odd] = await mailOrder(fixture, planned)
    await fixture.mail.fault({ ...daily, to: odd })
    await send(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 23, 'email pending': 1 })
    expect((await read(planned)).problem).toBeUndefined()
    expect(await waits(planned)).toEqual([60])
  })
})

it('a full mailbox of one recipient, and a busy one, hold up nobody else', async () => {
  const planned = await letters(24)
  const [full, over, busy] = await mailOrder(fixture, planned)
  await fixture.mail.fault({ status: 452, message: '4.2.2 Mailbox full', to: full, times: 9 })
  await fixture.mail.fault({ status: 552, message: '5.2.2 user is over quota', to: over, times: 9 })
  await fixture.mail.fault({
    status: 450,
    message: '4.2.1 User is receiving mail too quickly',
    to: busy,
    times: 9,
  })
  await send(planned)
  expect(await tallyOf(fixture, planned)).toEqual({
    'email sent': 21,
    'email pending': 2,
    'email failed mailbox_full': 1,
  })
  expect((await read(planned)).problem).toBeUndefined()
})

it('those whom the server refuses for its lists fail alone, and nobody is suppressed', async () => {
  const planned = await letters(40)
  const message = 'JunkMail rejected - hub.example.edu [192.0.2.25]:24706 is in an RBL: Blocked'
  for (const to of (await mailOrder(fixture, planned)).slice(5, 8))
    await fixture.mail.fault({ status: 550, message, to, times: 9 })
  await send(planned)
  expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 37, 'email failed policy': 3 })
  expect(await database.db.selectFrom('suppression').selectAll().execute()).toEqual([])
})
