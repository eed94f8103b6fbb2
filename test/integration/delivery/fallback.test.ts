import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { getMessage } from '../../../src/services/messages/read.ts'
import { forFarEnds } from '../../fixtures/delivery.ts'
import { finishActiveWave, sendAll } from '../../fixtures/delivery-steps.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { mailOrder, type PlannedSend, rowsOf, startedSend, tallyOf } from '../../fixtures/sends.ts'

const { database, fixture } = forFarEnds()
beforeEach(() => database.db.deleteFrom('channel_rest').execute())

async function begun(people: number, categoryId: string): Promise<PlannedSend> {
  return startedSend(fixture, await addRecipients(database.db, people, ['chat', 'email']), { categoryId })
}

/** Sends everything, on both channels in the order of the plan, and closes. */
async function sendAndClose(planned: PlannedSend) {
  await sendAll(fixture, planned, 'chat', 'email', 'chat')
  expect(await finishActiveWave(fixture, planned)).toEqual({ more: false, closed: true })
  const broken = await brokenInvariants(database.db, { runs: false })
  expect(broken).toEqual([])
  return rowsOf(fixture, planned)
}

/** The provider rejects its next call and names the first `count` recipients. */
function refuseFirst(count: number) {
  const details = Array.from({ length: count }, (_, place) => ({ property: `to[${place}]` }))
  return fixture.chat.fault({ status: 400, body: { message: 'The request body has errors', details } })
}

describe('a first_available plan', () => {
  it('continues on the first channel open to each recipient, and on no other', async () => {
    const planned = await begun(10, 'chat-first')
    await sendAndClose(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'chat sent': 10 })
  })

  it('continues on the next channel for those the first rejects by name', async () => {
    const planned = await begun(200, 'chat-first')
    await refuseFirst(70)
    const { wave } = await sendAndClose(planned)
    expect(await tallyOf(fixture, planned)).toEqual({
      'chat sent': 130,
      'chat skipped fallback': 70,
      'email sent': 70,
    })
    expect(wave).toMatchObject({ expected: 270, sent: 200, skipped: { fallback: 70 } })
    expect(wave.by_channel).toMatchObject({
      chat: { expected: 200, sent: 130, skipped: { fallback: 70 } },
      email: { expected: 70, sent: 70 },
    })
    expect(await fixture.mail.journal()).toHaveLength(70)
  })

  it('continues for the single recipient of a call', async () => {
    const planned = await begun(1, 'chat-first')
    await refuseFirst(1)
    await sendAndClose(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'chat skipped fallback': 1, 'email sent': 1 })
  })

  it('continues for those whose first channel has closed since their deliveries were written', async () => {
    const planned = await begun(20, 'chat-first')
    await sql`
      update address set blocked_at = now() where channel = 'chat' and subject_id in (
        select subject_id from delivery where wave_id = ${planned.waveId} order by subject_id limit 5)`.execute(
      database.db,
    )
    await sendAndClose(planned)
    expect(await tallyOf(fixture, planned)).toEqual({
      'chat sent': 15,
      'chat skipped fallback': 5,
      'email sent': 5,
    })
  })

  it('continues from mail to chat too, even while others of the batch are deferred', async () => {
    const planned = await begun(20, 'mail-first')
    const [bad, grey, policy] = await mailOrder(fixture, planned)
    await fixture.mail.fault({ phase: 'rcpt', status: 550, to: bad })
    await fixture.mail.fault({ phase: 'dot', status: 554, to: policy })
    await fixture.mail.fault({
      phase: 'rcpt',
      status: 451,
      message: '4.7.1 Greylisted, try again in 1 seconds',
      to: grey,
    })
    await sendAndClose(planned)
    expect(await tallyOf(fixture, planned)).toEqual({
      'email sent': 18,
      'email skipped fallback': 2,
      'chat sent': 2,
    })
  })

  it('ends if no other channel is open', async () => {
    const planned = await begun(3, 'chat-first')
    await sql`delete from address where channel = 'email' and subject_id in (
      select subject_id from delivery where wave_id = ${planned.waveId})`.execute(database.db)
    await refuseFirst(1)
    await sendAndClose(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'chat sent': 2, 'chat failed invalid_recipient': 1 })
  })

  it('does not continue after an unknown outcome', async () => {
    const planned = await begun(10, 'mail-first')
    await fixture.mail.fault({ phase: 'dot', action: 'cut', times: 3 })
    await sendAndClose(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 7, 'email unknown cut': 3 })
    expect(await fixture.chat.journal()).toEqual([])
  })

  it('does not fall back if quota is short', async () => {
    const planned = await begun(4, 'chat-first')
    await sql`update quota_ledger set monthly_limit = reserved + committed where channel = 'email'`.execute(
      database.db,
    )
    for (const _language of ['zh-TW', 'en']) await refuseFirst(4)
    const { message } = await sendAndClose(planned)
    await sql`update quota_ledger set monthly_limit = 1000000 where channel = 'email'`.execute(database.db)
    expect(await tallyOf(fixture, planned)).toEqual({ 'chat failed invalid_recipient': 4 })
    expect(message.state).toBe('failed')
  })
})

it('a plan for all channels does not fall back', async () => {
  const planned = await begun(10, 'everywhere')
  for (const _language of ['zh-TW', 'en']) await refuseFirst(2)
  await sendAndClose(planned)
  expect(await tallyOf(fixture, planned)).toEqual({
    'email sent': 10,
    'chat sent': 6,
    'chat failed invalid_recipient': 4,
  })
  const { stats } = await getMessage(fixture.services, fixture.producer, planned.id)
  expect(stats).toMatchObject({ sent: 16, failed: 4, people: { reached: 10, failed: 0, skipped: 0 } })
})
