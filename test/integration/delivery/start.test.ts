import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { reserveQuota } from '../../../src/activities/delivery/reserve-quota.ts'
import { sendSmallWave } from '../../../src/activities/delivery/send-small-wave.ts'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import { writeDeliveries } from '../../../src/activities/delivery/write-deliveries.ts'
import { restChannel } from '../../../src/db/queries/delivery/provider.ts'
import { cancelMessage } from '../../../src/services/messages/transitions.ts'
import { forScriptedSends } from '../../fixtures/delivery.ts'
import { activityAttempt, finishActiveWave, sendInSteps, sendSlices } from '../../fixtures/delivery-steps.ts'
import { automaticParts, makeTemplate, producerPrincipal } from '../../fixtures/message-fixture.ts'
import { addRecipients, addRecipientsTo } from '../../fixtures/recipients.ts'
import { byCall, type Send } from '../../fixtures/senders.ts'
import { approvedSend, type PlannedSend, rowsOf } from '../../fixtures/sends.ts'
import { expectAccounted } from './accounting.ts'

const { database, fixture } = forScriptedSends()

const begin = (planned: PlannedSend) => startWave(fixture.delivery, planned.id)
const slice = (planned: PlannedSend) => sendSlices(fixture.delivery, activityAttempt(), planned)
const whole = (planned: PlannedSend, activity = activityAttempt()) =>
  sendInSteps(fixture.delivery, activity, planned)

/** A message to the first of these people, by name. */
function toNamed(tag: string) {
  const producer = producerPrincipal(fixture.unit.id, { individualTargeting: true })
  return approvedSend({ ...fixture, producer }, tag, { audience: { kind: 'individual', uids: [`${tag}-1`] } })
}

async function expectSent(planned: PlannedSend, sent: number) {
  expect(await finishActiveWave(fixture, planned)).toEqual({ more: false, closed: true })
  const { message, wave } = await rowsOf(fixture, planned)
  expect(message).toMatchObject({
    state: 'sent',
    closed_at: expect.any(Date),
    next_wakeup_at: null,
    problem: null,
  })
  expect(wave).toMatchObject({
    state: 'sent',
    expected: sent,
    sent,
    by_channel: { chat: { expected: sent, sent } },
  })
  expect(fixture.provider.journal.flatMap(({ to }) => to)).toHaveLength(sent)
  await expectAccounted(fixture, planned)
}

describe('a message that is due', () => {
  it('starts once, and is sent to its end', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 1_200))
    expect(await begin(planned)).toBe(planned.waveId)
    expect(await begin(planned)).toBe(planned.waveId)
    await writeDeliveries(fixture.delivery, planned.waveId)
    await reserveQuota(fixture.delivery, activityAttempt(), planned.id)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 4 } })
    await expectSent(planned, 1_200)
  })

  it('does not start before its time', async () => {
    const scheduleAt = new Date(Date.now() + 60_000).toISOString()
    const planned = await approvedSend(fixture, await addRecipients(database.db, 3), { scheduleAt })
    expect(await begin(planned)).toBeNull()
    expect(await whole(planned)).toMatchObject({ more: false, closed: false })
    expect((await rowsOf(fixture, planned)).message.state).toBe('approved')
  })

  it('has its deliveries written once by simultaneous attempts', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 2_000))
    await begin(planned)
    await Promise.all([1, 2, 3].map(() => writeDeliveries(fixture.delivery, planned.waveId)))
    await Promise.all([1, 2].map(() => reserveQuota(fixture.delivery, activityAttempt(), planned.id)))
    await slice(planned)
    await expectSent(planned, 2_000)
  })

  it('whose audience shrank releases the quota it no longer needs', async () => {
    const tag = await addRecipients(database.db, 20)
    const planned = await approvedSend(fixture, tag)
    await sql`
      update subject set tags = '{}', moved_at = now() where uid in (${tag} || '-1', ${tag} || '-2')
    `.execute(database.db)
    await begin(planned)
    await writeDeliveries(fixture.delivery, planned.waveId)
    await reserveQuota(fixture.delivery, activityAttempt(), planned.id)
    await expectAccounted(fixture, planned)
    await slice(planned)
    await expectSent(planned, 18)
  })
})

describe('an audience that grew after the approval', () => {
  it('drifts the message back to review, with a new snapshot and nothing reserved', async () => {
    const tag = await addRecipients(database.db, 100)
    const planned = await approvedSend(fixture, tag)
    await addRecipientsTo(database.db, tag, 60)
    expect(await begin(planned)).toBeNull()
    const { message, wave } = await rowsOf(fixture, planned)
    expect(message).toMatchObject({
      state: 'submitted',
      review_drift: true,
      review_reason: 'category_not_auto',
    })
    expect(message.snapshot?.recipients.total).toBe(160)
    expect(wave).toMatchObject({ state: 'waiting', expected: null })
    await expectAccounted(fixture, planned)
  })

  it('is approved again at once if it is within the limit of the automatic check', async () => {
    const tag = await addRecipients(database.db, 20)
    const planned = await approvedSend(
      fixture,
      tag,
      automaticParts(await makeTemplate(fixture, { approved: true })),
    )
    await addRecipientsTo(database.db, tag, 60)
    expect(await begin(planned)).toBeNull()
    expect((await rowsOf(fixture, planned)).message).toMatchObject({ state: 'approved', review_drift: false })
    expect(await begin(planned)).toBe(planned.waveId)
    await writeDeliveries(fixture.delivery, planned.waveId)
    await reserveQuota(fixture.delivery, activityAttempt(), planned.id)
    await slice(planned)
    await expectSent(planned, 80)
  })

  it('by little is sent to without a review', async () => {
    const tag = await addRecipients(database.db, 100)
    const planned = await approvedSend(fixture, tag)
    await addRecipientsTo(database.db, tag, 10)
    expect(await begin(planned)).toBe(planned.waveId)
    await writeDeliveries(fixture.delivery, planned.waveId)
    await reserveQuota(fixture.delivery, activityAttempt(), planned.id)
    await slice(planned)
    await expectSent(planned, 110)
  })
})

describe('a small message', () => {
  it('is sent and closed in one activity', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 3))
    expect(await whole(planned)).toMatchObject({ more: false, waitMs: 0, closed: true })
    await expectSent(planned, 3)
    expect(fixture.provider.journal.map(({ to }) => to.length).sort()).toEqual([1, 2])
  })

  it('to a named person reaches only that person', async () => {
    const planned = await toNamed(await addRecipients(database.db, 2))
    expect(await whole(planned)).toMatchObject({ closed: true })
    await expectSent(planned, 1)
  })

  it('to a named person is not begun while its channel rests, and can be cancelled', async () => {
    const planned = await toNamed(await addRecipients(database.db, 1))
    await database.db.transaction().execute((trx) => restChannel(trx, 'chat', 60_000))
    onTestFinished(async () => void (await database.db.deleteFrom('channel_rest').execute()))
    expect(await whole(planned)).toMatchObject({ more: true, closed: false })
    expect((await rowsOf(fixture, planned)).wave).toMatchObject({ state: 'sending', claimed: false })
    await cancelMessage(fixture.services, fixture.editor, planned.id)
    expect(fixture.provider.tries).toHaveLength(0)
  })

  it.each([
    { when: 'before', people: 'a query', send: (tag: string) => approvedSend(fixture, tag) },
    { when: 'after', people: 'a query', send: (tag: string) => approvedSend(fixture, tag) },
    { when: 'before', people: 'a named person', send: (tag: string) => toNamed(tag) },
    { when: 'after', people: 'a named person', send: (tag: string) => toNamed(tag) },
  ])(
    'to $people whose worker dies $when the call continues where it was',
    async ({ when, people, send: approved }) => {
      const planned = await approved(await addRecipients(database.db, 3))
      const send: Send = async (call) => {
        if (when === 'after') await fixture.provider.send(call)
        throw new Error('killed')
      }
      const activity = activityAttempt()
      const dyingWorker = { ...fixture.delivery, senders: { chat: byCall(send) } }
      await expect(sendSmallWave(dyingWorker, activity, planned.id, 'chat')).rejects.toThrow('killed')
      expect(await whole(planned, { ...activity, attempt: 2 })).toMatchObject({ closed: true })
      await expectSent(planned, people === 'a query' ? 3 : 1)
      expect(new Set(fixture.provider.journal.map(({ retryKey }) => retryKey)).size).toBe(
        fixture.provider.journal.length,
      )
    },
  )

  it('that must wait returns when to continue', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 3))
    fixture.provider.next({ kind: 'throttled', retryAfterMs: 800 })
    const waiting = await whole(planned)
    expect(waiting).toMatchObject({ more: true, closed: false })
    await new Promise((resolve) => setTimeout(resolve, waiting.waitMs))
    expect(await whole(planned)).toMatchObject({ closed: true })
    await expectSent(planned, 3)
  })

  it('that was cancelled is not sent', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 3))
    await cancelMessage(fixture.services, fixture.editor, planned.id)
    expect(await whole(planned)).toMatchObject({ more: false, closed: true })
    expect(fixture.provider.tries).toHaveLength(0)
  })

  it('with a reminder is sent, and stays open for it', async () => {
    const remindAt = new Date(Date.now() + 3_600_000).toISOString()
    const planned = await approvedSend(fixture, await addRecipients(database.db, 3), { remindAt })
    expect(await whole(planned)).toEqual({ more: false, waitMs: 0, closed: false, view: null, calls: 2 })
    const { message, wave } = await rowsOf(fixture, planned)
    expect(message).toMatchObject({ state: 'sent', closed_at: null })
    expect(wave).toMatchObject({ state: 'sent', sent: 3 })
    await expectAccounted(fixture, planned)
  })
})
