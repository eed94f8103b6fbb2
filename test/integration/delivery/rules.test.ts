import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { sendSmallWave } from '../../../src/activities/delivery/send-small-wave.ts'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import { insertCategory } from '../../../src/db/queries/catalogue/category.ts'
import { dryRun } from '../../../src/services/messages/prepare.ts'
import { forFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt, finishActiveWave, nextOf, sendAll } from '../../fixtures/delivery-steps.ts'
import { createDraft } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { approvedSend, begin, type PlannedSend, startedSend, tallyOf } from '../../fixtures/sends.ts'

const { database, fixture } = forFarEnds()
beforeEach(() => database.db.deleteFrom('channel_rest').execute())

describe('a frequency cap of 2 in 7 days', () => {
  const to = (...tags: string[]) => ({ categoryId: 'capped', audience: { kind: 'query' as const, tags } })
  const forecast = async (tag: string) =>
    (await dryRun(fixture.services, fixture.producer, await createDraft(fixture, to(tag)))).recipients

  /** Sends to everyone with one of these tags. A message to nobody cannot be submitted. */
  async function sent(tag: string, ...others: string[]): Promise<PlannedSend> {
    const planned = await startedSend(fixture, tag, to(tag, ...others))
    await sendAll(fixture, planned)
    expect(await finishActiveWave(fixture, planned)).toMatchObject({ closed: true })
    return planned
  }

  it('counts messages, not channels: the third is not sent, and the dry-run shows it', async () => {
    const tag = await addRecipients(database.db, 6, ['chat', 'email'])
    await sent(tag)
    expect(await forecast(tag)).toMatchObject({ total: 6, frequency: 0 })
    await sent(tag)
    expect(await forecast(tag)).toMatchObject({
      total: 0,
      byChannel: { chat: 0, email: 0 },
      excluded: { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 },
      frequency: 6,
      unknownUids: 0,
    })
    const third = await sent(tag, await addRecipients(database.db, 1, ['chat']))
    expect(await tallyOf(fixture, third)).toEqual({ 'chat skipped frequency': 6, 'chat sent': 1 })
  })

  it('counts what may have arrived, and neither old messages nor other categories', async () => {
    const tag = await addRecipients(database.db, 2, ['email'])
    const other = await startedSend(fixture, tag, { categoryId: 'letters' })
    await sendAll(fixture, other)
    const first = await sent(tag)
    const second = await sent(tag)
    await sql`update delivery set state = 'unknown' where wave_id = ${second.waveId}`.execute(database.db)
    expect(await forecast(tag)).toMatchObject({ total: 0, frequency: 2 })
    await sql`update wave set started_at = now() - interval '8 days' where id = ${first.waveId}`.execute(
      database.db,
    )
    expect(await forecast(tag)).toMatchObject({ total: 2, frequency: 0 })
    await sql`update wave set started_at = now() where id = ${first.waveId}`.execute(database.db)
    await sql`update delivery set state = 'failed' where wave_id = ${second.waveId}`.execute(database.db)
    expect(await forecast(tag)).toMatchObject({ total: 2, frequency: 0 })
  })

  it('counts a conversation that others began as a message', async () => {
    const tag = await addRecipients(database.db, 2, ['chat', 'email'])
    await sent(tag)
    const scenario = await insertScenario(database.db, { categoryId: 'capped' })
    const person = database.db.selectFrom('subject').select('id').where(sql<boolean>`tags @> array[${tag}]`)
    const { id: subjectId } = await person.executeTakeFirstOrThrow()
    const id = await insertScenarioRun(database.db, { scenario, subjectId })
    expect(await forecast(tag)).toMatchObject({ total: 1, frequency: 1 })
    const ended = database.db.updateTable('scenario_run').set({ state: 'failed', closed_at: new Date() })
    await ended.where('id', '=', id).execute()
    expect(await forecast(tag)).toMatchObject({ total: 2, frequency: 0 })
  })

  it('does not apply to a send in flight', async () => {
    const tag = await addRecipients(database.db, 3, ['email'])
    const begun = await startedSend(fixture, tag, to(tag))
    await sent(tag)
    await sent(tag, await addRecipients(database.db, 1, ['email']))
    await sendAll(fixture, begun)
    expect(await tallyOf(fixture, begun)).toEqual({ 'email sent': 3 })
  })

  it('counts pending recipients until they have certainly not received it', async () => {
    const tag = await addRecipients(database.db, 3, ['email'])
    const begun = [await startedSend(fixture, tag, to(tag)), await startedSend(fixture, tag, to(tag))]
    expect(await forecast(tag)).toMatchObject({ total: 0, frequency: 3 })
    await sql`update delivery set state = 'skipped' where wave_id = ${begun[0]!.waveId}`.execute(database.db)
    expect(await forecast(tag)).toMatchObject({ total: 3, frequency: 0 })
  })

  it.each(['rows of their own', 'one step'])(
    'holds for messages that start at the same time, with %s',
    async (way) => {
      const tag = await addRecipients(database.db, 4, ['email'])
      const inOneStep = way === 'one step'
      // All are approved before the first has rows: a later one would have no recipients left.
      const messages = await Promise.all(Array.from({ length: 5 }, () => approvedSend(fixture, tag, to(tag))))
      if (!inOneStep) await Promise.all(messages.map((planned) => begin(fixture, planned)))
      await Promise.all(
        messages.map((planned) =>
          inOneStep
            ? sendSmallWave(fixture.delivery, activityAttempt(), planned.id, 'email')
            : sendAll(fixture, planned),
        ),
      )
      const { rows } = await sql<{ sent: number }>`
      select count(*) filter (where state = 'sent')::int as sent from delivery
      where wave_id = any(${messages.map(({ waveId }) => waveId)}::uuid[]) group by subject_id
    `.execute(database.db)
      expect(rows).toEqual(Array(4).fill({ sent: 2 }))
    },
  )
})

describe('quiet hours', () => {
  /** A category whose quiet hours are now and last `minutes`, in the unit's time zone. */
  async function quietFor(id: string, minutes: number, layer: 'service' | 'mandatory' = 'service') {
    const time = (shift: number) =>
      new Date(Date.now() + shift * 60_000).toLocaleTimeString('en-GB', {
        timeZone: 'Asia/Taipei',
        hour: '2-digit',
        minute: '2-digit',
      })
    const quietHours = { from: time(-2), to: time(minutes) }
    const plan = { mode: 'all' as const, channels: ['email' as const] }
    await insertCategory(database.db, { id, name: { 'zh-TW': id }, layer, channelPlan: plan, quietHours })
    return id
  }

  it('defer a message that has not started, whether a person or a producer sends it', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 2, ['email']), {
      categoryId: await quietFor('night', 60),
    })
    expect(await nextOf(fixture, planned.id)).toMatchObject({ wait: 'the end of the quiet hours' })
    expect(await startWave(fixture.delivery, planned.id)).toBeNull()
    expect(await sendSmallWave(fixture.delivery, activityAttempt(), planned.id, 'email')).toMatchObject({
      closed: false,
    })
    expect(await tallyOf(fixture, planned)).toEqual({})
    expect(await fixture.mail.journal()).toEqual([])
  })

  it('let a message expire if its expiry is within them', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const parts = { categoryId: await quietFor('evening', 60), expiresAt }
    const planned = await approvedSend(fixture, await addRecipients(database.db, 2, ['email']), parts)
    expect(await nextOf(fixture, planned.id)).toMatchObject({ until: Date.parse(expiresAt) })
    await sql`update message set expires_at = now() where id = ${planned.id}`.execute(database.db)
    expect(await nextOf(fixture, planned.id)).toEqual({ do: 'expireMessage' })
  })

  it('stop neither a send in progress nor a mandatory one', async () => {
    const tag = await addRecipients(database.db, 2, ['email'])
    const mandatory = await approvedSend(fixture, tag, {
      categoryId: await quietFor('alarm', 60, 'mandatory'),
    })
    expect(await nextOf(fixture, mandatory.id)).toEqual({ do: 'sendSmallWave' })
    const begun = await startedSend(fixture, tag, { categoryId: 'letters' })
    await sql`update category set quiet_hours = '{"from": "00:00", "to": "23:59"}' where id = 'letters'`.execute(
      database.db,
    )
    await sendAll(fixture, begun)
    expect(await tallyOf(fixture, begun)).toEqual({ 'email sent': 2 })
  })
})
