import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCircuitBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import type { RecipientSender } from '../../../src/channels/connection.ts'
import { forFarEnds, mailSender, type ScriptedDelivery } from '../../fixtures/delivery.ts'
import { activityAttempt, finishActiveWave, sendAll } from '../../fixtures/delivery-steps.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { selectRows } from '../../fixtures/rows.ts'
import { byMails } from '../../fixtures/senders.ts'
import {
  expireLeases,
  mailOrder,
  type PlannedSend,
  rowsOf,
  startedSend,
  tallyOf,
} from '../../fixtures/sends.ts'

const { database, fixture } = forFarEnds()
beforeEach(() => database.db.deleteFrom('channel_rest').execute())

const cuts = 5

async function letters(people: number, categoryId = 'letters'): Promise<PlannedSend> {
  return startedSend(fixture, await addRecipients(database.db, people, ['email']), { categoryId })
}

async function close(planned: PlannedSend) {
  expect(await finishActiveWave(fixture, planned)).toEqual({ more: false, closed: true })
  const broken = await brokenInvariants(database.db, { runs: false })
  expect(broken).toEqual([])
  return rowsOf(fixture, planned)
}

/** Message-IDs that were accepted more than once. */
async function doubled(): Promise<string[]> {
  const byId = Map.groupBy(await fixture.mail.journal(), ({ messageId }) => messageId)
  return [...byId].flatMap(([id, items]) => (items.length > 1 ? [id] : []))
}

describe('a wave of mail', () => {
  it('reaches every recipient once, in their language, with their own links', async () => {
    const planned = await letters(150)
    await sendAll(fixture, planned)
    const { message, wave } = await close(planned)
    expect(message.state).toBe('sent')
    expect(wave).toMatchObject({ expected: 150, sent: 150, failed: 0, unknown: 0 })
    const journal = await fixture.mail.journal()
    expect(new Set(journal.map(({ to }) => to)).size).toBe(150)
    expect(new Set(journal.map(({ subject }) => subject))).toEqual(
      new Set(['註冊今天截止', 'Registration closes today']),
    )
    expect(new Set(journal.map(({ headers }) => headers['list-unsubscribe'])).size).toBe(150)
    expect(journal[0]!.headers).toMatchObject({ 'x-carillon-message': planned.id })
  })

  it('is claimed 128 at a time', async () => {
    const planned = await letters(300)
    const batches = await selectRows(database.db, 'batch', { wave_id: planned.waveId }, ['size'])
    expect(Math.max(...batches.map(({ size }) => size))).toBe(128)
    await sendAll(fixture, planned)
    await close(planned)
  })

  it('of a category that goes to chat and mail makes a delivery on each', async () => {
    const tag = await addRecipients(database.db, 10, ['chat', 'email'])
    const planned = await startedSend(fixture, tag, { categoryId: 'everywhere' })
    await sendAll(fixture, planned)
    await close(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'chat sent': 10, 'email sent': 10 })
  })
})

describe('a rejection', () => {
  it('fails the one recipient with its reason, and no other', async () => {
    const planned = await letters(20)
    const [first, second] = await mailOrder(fixture, planned)
    await fixture.mail.fault({ phase: 'rcpt', status: 550, to: first })
    await fixture.mail.fault({ phase: 'dot', status: 554, to: second })
    await sendAll(fixture, planned)
    await close(planned)
    expect(await tallyOf(fixture, planned)).toEqual({
      'email sent': 18,
      'email failed bad_address': 1,
      'email failed policy': 1,
    })
  })

  it('for a missing mailbox is the last mail to that address', async () => {
    const planned = await letters(3)
    const [gone] = await mailOrder(fixture, planned)
    await fixture.mail.fault({ phase: 'rcpt', status: 550, message: '5.1.1 No such user', to: gone })
    await sendAll(fixture, planned)
    await close(planned)
    const suppressed = await sql<{ address: string }>`
      select address from address join delivery using (subject_id)
        join suppression on suppression.channel = address.channel and suppression.hash = address.hash
      where wave_id = ${planned.waveId} and address.channel = 'email' and why = 'refused'
    `.execute(database.db)
    expect(suppressed.rows).toEqual([{ address: gone }])
  })

  it.each(['a@b.edu>\r\nBcc: c@d.edu', '"a@evil.example>"@b.example', 'ann@intranet'])(
    'is not attempted if the address was bound before validation: %j',
    async (odd) => {
      const planned = await letters(3)
      const [, second] = await mailOrder(fixture, planned)
      await database.db.updateTable('address').set({ address: odd }).where('address', '=', second!).execute()
      await sendAll(fixture, planned)
      await close(planned)
      expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 2, 'email failed bad_address': 1 })
      expect(await fixture.mail.journal()).toHaveLength(2)
      await database.db.deleteFrom('address').where('address', '=', odd).execute()
    },
  )
})

describe('missing content', () => {
  it.each(['letters', 'manual'])('in one language fails its recipients at once: %s', async (categoryId) => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 8, ['chat', 'email']), {
      categoryId,
    })
    await sql`
      update message_content set compiled = compiled #- '{email,locales,en}' #- '{chat,locales,en}'
      where message_id = ${planned.id}`.execute(database.db)
    await sendAll(fixture, planned)
    const { message, wave } = await close(planned)
    expect(message.state).toBe('sent')
    expect(wave).toMatchObject({ sent: 4, failed: 4 })
    const channel = categoryId === 'letters' ? 'email' : 'chat'
    expect(await tallyOf(fixture, planned)).toEqual({
      [`${channel} sent`]: 4,
      [`${channel} failed content`]: 4,
    })
  })
})

describe('a server that asks to retry', () => {
  it('for one recipient (greylisting): the others are mailed at once, this one not before the delay', async () => {
    const planned = await letters(20)
    const [grey] = await mailOrder(fixture, planned)
    await fixture.mail.fault({
      phase: 'rcpt',
      status: 451,
      message: '4.7.1 Greylisted, try again in 240 seconds',
      to: grey,
      times: 2,
    })
    const slice = () => sendSlice(fixture.delivery, activityAttempt(), planned.waveId, 'email')
    const { counts } = await slice()
    expect(counts.done + counts.again).toBeGreaterThan(0)
    // Tallied as soon as they are mailed, not with the last of their batch.
    expect((await rowsOf(fixture, planned)).wave).toMatchObject({
      sent: (await fixture.mail.journal()).length,
    })
    for (const _time of [1, 2]) {
      while ((await rowsOf(fixture, planned)).wave.sent < 19) await slice()
      expect(await slice()).toMatchObject({ more: true, counts: { done: 0 } })
      expect((await slice()).waitMs).toBeGreaterThan(200_000)
      expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 19, 'email pending': 1 })
      await database.db.updateTable('batch').set({ not_before: null }).execute()
      await slice()
    }
    await sendAll(fixture, planned)
    expect((await fixture.mail.journal()).map(({ to }) => to)).toHaveLength(20)
    expect((await close(planned)).wave).toMatchObject({ sent: 20 })
  })

  it('for all recipients (throttling): the whole channel rests, and no recipient is lost', async () => {
    const planned = await letters(100)
    await fixture.mail.fault({ phase: 'rcpt', status: 454, times: 3 })
    await sendAll(fixture, planned)
    expect(await doubled()).toEqual([])
    expect((await close(planned)).wave).toMatchObject({ sent: 100 })
  })

  it('that is unreachable for a while: every recipient is sent to afterwards', async () => {
    const planned = await letters(10)
    const gone = { ...fixture.delivery, senders: { email: mailSender(1) }, breaker: createCircuitBreaker() }
    expect(await sendSlice(gone, activityAttempt(), planned.waveId, 'email')).toMatchObject({ more: true })
    expect(await tallyOf(fixture, planned)).toEqual({ 'email pending': 10 })
    await sendAll(fixture, planned)
    expect((await close(planned)).wave).toMatchObject({ sent: 10 })
  })

  it('for longer than the retry limit: fails with its reason', async () => {
    const planned = await letters(4) // two in each language: deferred recipients are split from the others
    const [full] = await mailOrder(fixture, planned)
    await fixture.mail.fault({
      phase: 'rcpt',
      status: 452,
      message: '4.2.2 Mailbox full, try again in 1 seconds',
      to: full,
      times: 9,
    })
    await sendSlice(fixture.delivery, activityAttempt(), planned.waveId, 'email')
    await sql`
      update batch set failing_since = now() - interval '4 hours'
      where wave_id = ${planned.waveId} and failing_since is not null`.execute(database.db)
    await sendAll(fixture, planned)
    await close(planned)
    expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 3, 'email failed mailbox_full': 1 })
  })
})

describe('a cut connection', () => {
  for (const phase of ['rcpt', 'data'] as const)
    it(`at ${phase}, ${cuts} times: no recipient is lost and none is sent to twice`, async () => {
      const planned = await letters(100)
      await fixture.mail.fault({ phase, action: 'cut', times: cuts })
      await sendAll(fixture, planned)
      expect(await doubled()).toEqual([])
      expect((await close(planned)).wave).toMatchObject({ sent: 100, unknown: 0 })
    })

  it(`after the final dot, ${cuts} times: stays unknown, and paid for`, async () => {
    const planned = await letters(100)
    await fixture.mail.fault({ phase: 'dot', action: 'cut', times: cuts })
    await sendAll(fixture, planned)
    expect(await fixture.mail.journal()).toHaveLength(100)
    const { message, wave } = await close(planned)
    expect(message.state).toBe('sent')
    expect(wave).toMatchObject({ sent: 100 - cuts, unknown: cuts })
  })

  it('after the final dot, if the category repeats: once more at the end, same Message-ID, counted once', async () => {
    const planned = await letters(100, 'repeated')
    await fixture.mail.fault({ phase: 'dot', action: 'cut', times: cuts })
    await sendAll(fixture, planned)
    expect(await tallyOf(fixture, planned)).toMatchObject({ 'email unknown cut': cuts })
    expect(await finishActiveWave(fixture, planned)).toEqual({ more: false, closed: false })
    await sendAll(fixture, planned)
    expect(await doubled()).toHaveLength(cuts)
    const { wave } = await close(planned)
    expect(wave).toMatchObject({ expected: 100, sent: 100, unknown: 0 })
    expect(await tallyOf(fixture, planned)).toEqual({ 'email sent': 100 - cuts, 'email sent repeated': cuts })
    const { committed } = await database.db
      .selectFrom('quota_reservation')
      .select(sql<number>`(unit_committed + pool_committed)::int`.as('committed'))
      .where('wave_id', '=', planned.waveId)
      .executeTakeFirstOrThrow()
    expect(committed).toBe(100)
  })

  it('again at the repeat: it stays unknown and is not repeated further', async () => {
    const planned = await letters(10, 'repeated')
    await fixture.mail.fault({ phase: 'dot', action: 'cut', times: 2 })
    await sendAll(fixture, planned)
    await finishActiveWave(fixture, planned)
    await fixture.mail.fault({ phase: 'dot', action: 'cut' })
    await fixture.mail.fault({ phase: 'rcpt', status: 550 })
    await sendAll(fixture, planned)
    expect((await close(planned)).wave).toMatchObject({ sent: 8, unknown: 2, failed: 0 })
  })
})

describe('a worker that dies in the middle of a batch', () => {
  it('leaves that batch unknown and nothing else; no recipient is sent to twice', async () => {
    const planned = await letters(300)
    await expect(
      sendSlice(dyingWorker(), activityAttempt({ activityId: 'lane' }), planned.waveId, 'email'),
    ).rejects.toThrow()
    await expireLeases(fixture, planned)
    await sendAll(fixture, planned)
    expect(await doubled()).toEqual([])
    const { wave } = await close(planned)
    expect(wave.unknown).toBeGreaterThan(0)
    expect(wave.unknown).toBeLessThanOrEqual(128)
    expect(wave.sent + wave.unknown).toBe(300)
  })

  it('is continued at once by the next attempt of the same activity', async () => {
    const planned = await letters(10)
    await expect(
      sendSlice(dyingWorker(), activityAttempt({ activityId: 'lane' }), planned.waveId, 'email'),
    ).rejects.toThrow()
    await sendSlice(
      fixture.delivery,
      activityAttempt({ activityId: 'lane', attempt: 2 }),
      planned.waveId,
      'email',
    )
    expect(await tallyOf(fixture, planned)).toMatchObject({ 'email unknown interrupted': 5 })
  })

  /** A worker that dies before it can write the outcomes of its mails. */
  function dyingWorker(): ScriptedDelivery['delivery'] {
    const { delivery } = fixture
    const { email } = fixture.delivery.senders as { email: RecipientSender<'email'> }
    const dying = byMails(async (...mailing) => {
      await email.send(...mailing)
      throw new Error('killed')
    })
    return { ...delivery, senders: { email: dying } }
  }
})
