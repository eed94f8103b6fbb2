import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { CreateMessage } from '../../../src/contract/messages/create.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import {
  cancelMessage,
  pauseMessage,
  resumeMessage,
  stopMessage,
} from '../../../src/services/messages/transitions.ts'
import { forScriptedSends, type ScriptedDelivery } from '../../fixtures/delivery.ts'
import { runNextStep, runUntilWait } from '../../fixtures/delivery-steps.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { createDraft } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { byCall, type Send } from '../../fixtures/senders.ts'

const { database, fixture } = forScriptedSends()

const inAnHour = (hours = 1) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** A message to `size` people with a reminder in an hour, approved by a person. */
async function reminding(people: number, parts: Partial<CreateMessage> = {}): Promise<string> {
  const tag = await addRecipients(database.db, people)
  const id = await createDraft(fixture, {
    audience: { kind: 'query', tags: [tag] },
    remindAt: inAnHour(),
    ...parts,
  })
  await submitMessage(fixture.services, fixture.producer, id)
  await approveMessage(fixture.services, fixture.approver, id)
  return id
}

/** The same, sent for the first time. */
async function sentOnce(people: number, parts?: Partial<CreateMessage>): Promise<string> {
  const id = await reminding(people, parts)
  expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'the time of its reminder' })
  return id
}

async function comes(what: 'remind_at' | 'expires_at', id: string): Promise<void> {
  await sql`update message set ${sql.ref(what)} = clock_timestamp() where id = ${id}`.execute(database.db)
}

const read = (id: string) => getMessage(fixture.services, fixture.producer, id)
const verbs = { cancel: cancelMessage, pause: pauseMessage, resume: resumeMessage, stop: stopMessage }
const ask = (verb: keyof typeof verbs, id: string) => verbs[verb](fixture.services, fixture.editor, id)

/** Runs the message to its end, and expects it closed and every invariant to hold. */
async function expectClosed(id: string, reminder: object, first: object = { state: 'sent' }): Promise<void> {
  expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'end' })
  expect(await read(id)).toMatchObject({ ...first, closedAt: expect.any(String), reminder })
  expect(await brokenInvariants(database.db, { runs: false })).toEqual([])
}

/** So many recipients answer two questions each. */
async function answers(id: string, people: number): Promise<void> {
  await sql`
    insert into message_answer (message_id, subject_id, question, n, o, option_id, channel)
    select message_id, subject_id, question, 0, '0', 'yes', 'chat'
    from (select message_id, subject_id from delivery join wave on wave.id = wave_id
      where message_id = ${id} and number = 0 order by subject_id limit ${people}) as recipient,
      unnest(array['0', '1']) as question`.execute(database.db)
}

/** What the reminder of a message holds on the ledger, in pushes. */
async function reserved(id: string): Promise<number> {
  const { rows } = await sql<{ pushes: number }>`
    select sum(unit_reserved + pool_reserved)::integer as pushes from quota_reservation join wave on wave.id = wave_id
    where message_id = ${id} and number = 1`.execute(database.db)
  return rows[0]!.pushes
}

/** Runs something while the first call of the reminder is in flight. */
function during(happens: () => Promise<unknown>): ScriptedDelivery {
  let once: Promise<unknown> | undefined
  const send: Send = async (call) => {
    const outcome: Outcome = await fixture.provider.send(call)
    once ??= happens()
    await once
    return outcome
  }
  return { ...fixture, delivery: { ...fixture.delivery, senders: { chat: byCall(send) } } }
}

/** A reminder too large for one step, with its deliveries written. */
async function reminderBegun(people = 1_200, parts?: Partial<CreateMessage>): Promise<string> {
  const id = await sentOnce(people, parts)
  await comes('remind_at', id)
  expect(await runNextStep(fixture, id)).toMatchObject({ do: 'resolveAudience' })
  expect(await runNextStep(fixture, id)).toMatchObject({ do: 'reserveQuota' })
  return id
}

describe('a reminder', () => {
  it('is sent at its time to the recipients of the message, with its own counts; the message stays sent', async () => {
    const id = await sentOnce(4)
    expect(await read(id)).toMatchObject({ closedAt: null, reminder: { state: 'waiting' } })
    await comes('remind_at', id)
    expect(await runNextStep(fixture, id)).toMatchObject({ do: 'sendSmallWave' })
    await expectClosed(id, { state: 'sent', stats: { sent: 4, skipped: {} } })
    expect((await read(id)).stats).toMatchObject({ sent: 4 })
    expect(fixture.provider.journal.flatMap(({ to }) => to)).toHaveLength(8)
  })

  it('is sent in several steps if it is large', async () => {
    const id = await reminderBegun()
    await expectClosed(id, { state: 'sent', stats: { sent: 1_200, pending: 0 } })
  })

  it('skips those who did not receive the message, who withdrew, blocked or want no reminder', async () => {
    const id = await reminding(60)
    const { rows: people } = await sql<{ id: string }>`
      select subject.id from subject, message
      where message.id = ${id} and tags && array[message.audience #>> '{tags,0}'] order by uid
    `.execute(database.db)
    const [failed, blocked, off, none] = people.map(({ id }) => id)
    await sql`update address set blocked_at = now() where subject_id = ${failed}`.execute(database.db)
    await runUntilWait(fixture, id)
    await sql`update address set blocked_at = now() where subject_id = ${blocked}`.execute(database.db)
    await sql`insert into preference values (${off}, 'manual', 'chat', false)`.execute(database.db)
    await sql`insert into do_not_remind values (${id}, ${none})`.execute(database.db)
    await comes('remind_at', id)
    const skipped = { blocked: 1, preferenceOff: 1, doNotRemind: 1 }
    await expectClosed(id, { state: 'sent', stats: { sent: 56, skipped } })
  })

  it('goes to all by default, also to those who answered; `unanswered` skips them, however often they did', async () => {
    for (const [remindTo, skipped] of [
      ['all', {}],
      ['unanswered', { answered: 2 }],
    ] as const) {
      const id = await sentOnce(5, { remindTo })
      expect(await read(id)).toMatchObject({ remindTo, snapshot: { reminder: { to: remindTo } } })
      await answers(id, 2)
      await comes('remind_at', id)
      const sent = remindTo === 'all' ? 5 : 3
      await expectClosed(id, { state: 'sent', stats: { sent, skipped } })
    }
  })

  it('skips those who answer while it is being sent, right before their call', async () => {
    const id = await reminderBegun(600, { remindTo: 'unanswered' })
    await answers(id, 7)
    await expectClosed(id, { stats: { sent: 593, skipped: { answered: 7 } } })
  })

  it('costs what its own content does, which has no offer to decline it', async () => {
    const texts = Array.from({ length: 4 }, () => ({ kind: 'text' as const, text: { 'zh-TW': '字' } }))
    const options = Array.from({ length: 13 }, (_, n) => ({ id: `${n}`, label: { 'zh-TW': '好' } }))
    const messages = [...texts, { kind: 'quickReply' as const, text: { 'zh-TW': '來嗎？' }, options }]
    const id = await sentOnce(3, { messages })
    expect(await read(id)).toMatchObject({
      snapshot: { quota: { chat: { estimatedPushes: 6 } }, reminder: { pushes: { chat: 3 } } },
    })
    expect(await reserved(id)).toBe(3)
    await comes('remind_at', id)
    await expectClosed(id, { state: 'sent', stats: { sent: 3 } })
    expect(fixture.provider.journal.flatMap(({ to }) => to)).toHaveLength(9) // two calls each, then one
  })

  it('checks do-not-remind again before each call', async () => {
    const id = await reminderBegun(600)
    const { rows } = await sql<{ sent: number }>`
      with late as (
        insert into do_not_remind select message_id, subject_id from delivery join wave on wave.id = wave_id
        where message_id = ${id} and number = 1 limit 7 returning 1
      ) select count(*)::int as sent from late
    `.execute(database.db)
    expect(rows[0]!.sent).toBe(7)
    await expectClosed(id, { stats: { sent: 593, skipped: { doNotRemind: 7 } } })
  })

  it('waits for the first wave if that is not finished at its time', async () => {
    const id = await reminding(1_200)
    await runNextStep(fixture, id)
    await runNextStep(fixture, id)
    await comes('remind_at', id)
    expect(await runNextStep(fixture, id)).toMatchObject({ do: 'sendWave' })
    await expectClosed(id, { state: 'sent', stats: { sent: 1_200 } })
  })

  it('is missed if the approval comes after its time, and holds no quota', async () => {
    const tag = await addRecipients(database.db, 3)
    const id = await createDraft(fixture, { audience: { kind: 'query', tags: [tag] }, remindAt: inAnHour() })
    await submitMessage(fixture.services, fixture.producer, id)
    await comes('remind_at', id)
    await approveMessage(fixture.services, fixture.approver, id)
    await expectClosed(id, { state: 'missed' })
    expect(fixture.provider.journal.flatMap(({ to }) => to)).toHaveLength(3)
  })

  it('is cancelled alone while it waits, which closes the message', async () => {
    const id = await sentOnce(3)
    expect(await ask('cancel', id)).toEqual({ state: 'sent' })
    await expectClosed(id, { state: 'cancelled' })
    await expect(ask('cancel', id)).rejects.toMatchObject({ code: 'invalid_transition' })
  })

  it('is cancelled before its first call, and no one is reminded', async () => {
    const id = await reminderBegun(600)
    expect(await ask('cancel', id)).toEqual({ state: 'sent' })
    await expectClosed(id, { state: 'cancelled', stats: { skipped: { cancelled: 600 } } })
  })

  it('cannot be paused, stopped or resumed before it is sent', async () => {
    const id = await sentOnce(3)
    for (const verb of ['pause', 'resume', 'stop'] as const)
      await expect(ask(verb, id)).rejects.toMatchObject({ code: 'invalid_transition' })
  })

  it('is paused and resumed separately', async () => {
    const id = await reminderBegun()
    await runNextStep(
      during(() => ask('pause', id)),
      id,
    )
    expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'a person to resume it' })
    expect(await read(id)).toMatchObject({ state: 'sent', reminder: { state: 'paused' } })
    expect(await ask('resume', id)).toEqual({ state: 'sent' })
    await expectClosed(id, { state: 'sent', stats: { sent: 1_200 } })
  })

  it('is stopped separately: the remaining recipients are not reminded', async () => {
    const id = await reminderBegun()
    await runNextStep(
      during(() => ask('stop', id)),
      id,
    )
    await expectClosed(id, { state: 'stopped', stats: { sent: 500, skipped: { stopped: 700 } } })
    expect((await read(id)).stats).toMatchObject({ sent: 1_200 })
  })

  it('expires separately, in every state', async () => {
    const expiring = { expiresAt: inAnHour(2) }
    const waiting = await sentOnce(3, expiring)
    await comes('expires_at', waiting)
    await expectClosed(waiting, { state: 'expired' })

    const begun = await reminderBegun(600, expiring)
    await comes('expires_at', begun)
    await expectClosed(begun, { state: 'expired', stats: { skipped: { expired: 600 } } })

    const sending = await reminderBegun(1_200, expiring)
    await runNextStep(
      during(() => comes('expires_at', sending)),
      sending,
    )
    await expectClosed(sending, { state: 'sent', stats: { sent: 500, skipped: { expired: 700 } } })

    const paused = await reminderBegun(1_200, expiring)
    await runNextStep(
      during(() => ask('pause', paused)),
      paused,
    )
    await comes('expires_at', paused)
    await expectClosed(paused, { state: 'expired', stats: { sent: 500, skipped: { expired: 700 } } })
  })

  it('ends with a message that is closed unsent', async () => {
    const cancelled = await reminding(3)
    await ask('cancel', cancelled)
    await expectClosed(cancelled, { state: 'cancelled' }, { state: 'cancelled' })

    const expired = await reminding(3, { scheduleAt: inAnHour(0.5), expiresAt: inAnHour(2) })
    await comes('expires_at', expired)
    await expectClosed(expired, { state: 'cancelled' }, { state: 'expired' })

    const stopped = await reminding(1_200)
    await runNextStep(fixture, stopped)
    await runNextStep(fixture, stopped)
    await runNextStep(
      during(() => ask('stop', stopped)),
      stopped,
    )
    await expectClosed(stopped, { state: 'cancelled' }, { state: 'stopped', stats: { sent: 500 } })
  })
})
