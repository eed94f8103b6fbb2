import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { express } from '../../../src/activities/delivery/send-in-one-step.ts'
import { start } from '../../../src/activities/delivery/start-wave.ts'
import { lookActivities } from '../../../src/activities/look.ts'
import { insertCategory } from '../../../src/db/queries/catalogue/category.ts'
import { dryRun } from '../../../src/services/messages/dry-run.ts'
import { approved, type Planned, type Scene, sending, step } from '../../fixtures/delivery.ts'
import {
  finishing,
  type MailScene,
  makeMailScene,
  readers,
  sendAll,
  tally,
  withMailbox,
} from '../../fixtures/mail-delivery.ts'
import { draft } from '../../fixtures/message-fixture.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'

let database: FreshDatabase
let shared: Scene
let scene: MailScene
beforeAll(async () => {
  database = await freshDatabase()
  shared = await makeMailScene(database.db)
})
beforeEach(async () => {
  scene = await withMailbox(shared)
  await database.db.deleteFrom('channel_rest').execute()
})
afterAll(() => database.drop())

describe('a frequency cap of 2 in 7 days', () => {
  const to = (tag: string) => ({ categoryId: 'capped', audience: { kind: 'query' as const, tags: [tag] } })
  const forecast = async (tag: string) =>
    (await dryRun(scene.services, scene.producer, await draft(scene, to(tag)))).recipients

  async function sent(tag: string): Promise<Planned> {
    const planned = await sending(scene, tag, to(tag))
    await sendAll(scene, planned)
    expect(await finishing(scene, planned)).toMatchObject({ closed: true })
    return planned
  }

  it('counts messages, not channels: the third is not sent, and dry-run says so', async () => {
    const tag = await readers(database.db, 6, { chat: true })
    await sent(tag)
    expect(await forecast(tag)).toMatchObject({ total: 6, frequency: 0 })
    await sent(tag)
    expect(await forecast(tag)).toMatchObject({
      total: 0,
      byChannel: { chat: 0, email: 0 },
      excluded: { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 },
      frequency: 6,
      unknown: 0,
    })
    const third = await sent(tag)
    expect(await tally(scene, third)).toEqual({ 'chat skipped frequency': 6 })
  })

  it('counts what may have arrived, forgets what is long past, and no other category', async () => {
    const tag = await readers(database.db, 2)
    const other = await sending(scene, tag, { categoryId: 'letters' })
    await sendAll(scene, other)
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

  it('does not fall upon those who are being told at this moment', async () => {
    const tag = await readers(database.db, 3)
    const begun = await sending(scene, tag, to(tag))
    await sent(tag)
    await sent(tag)
    await sendAll(scene, begun)
    expect(await tally(scene, begun)).toEqual({ 'email sent': 3 })
  })

  it('counts who is about to be told, until it is certain that they are not', async () => {
    const tag = await readers(database.db, 3)
    const begun = [await sending(scene, tag, to(tag)), await sending(scene, tag, to(tag))]
    expect(await forecast(tag)).toMatchObject({ total: 0, frequency: 3 })
    await sql`update delivery set state = 'skipped' where wave_id = ${begun[0]!.waveId}`.execute(database.db)
    expect(await forecast(tag)).toMatchObject({ total: 3, frequency: 0 })
  })

  it.each(['rows of their own', 'one step'])(
    'holds for messages that begin at once, with %s',
    async (way) => {
      const tag = await readers(database.db, 4)
      const inOneStep = way === 'one step'
      const messages = await Promise.all(
        Array.from({ length: 5 }, () => (inOneStep ? approved : sending)(scene, tag, to(tag))),
      )
      await Promise.all(
        messages.map((planned) =>
          inOneStep ? express(scene.delivery, step(), planned.id, 'email') : sendAll(scene, planned),
        ),
      )
      const { rows } = await sql<{ told: number }>`
      select count(*) filter (where state = 'sent')::int as told from delivery
      where wave_id = any(${messages.map(({ waveId }) => waveId)}::uuid[]) group by subject_id
    `.execute(database.db)
      expect(rows).toEqual(Array(4).fill({ told: 2 }))
    },
  )
})

describe('quiet hours', () => {
  /** A category that is quiet now, for so many minutes, by the clock of the unit. */
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
  const look = (id: string) => lookActivities({ db: database.db }).look(id)

  it('put off what has not begun, whoever asks for it', async () => {
    const planned = await approved(scene, await readers(database.db, 2), {
      categoryId: await quietFor('night', 60),
    })
    expect(await look(planned.id)).toMatchObject({ do: 'wait', for: 'quiet hours' })
    expect(await start(scene.delivery, planned.id)).toEqual({ started: false })
    expect(await express(scene.delivery, step(), planned.id, 'email')).toMatchObject({ closed: false })
    expect(await tally(scene, planned)).toEqual({})
    expect(await scene.box.journal()).toEqual([])
  })

  it('let a message expire whose time ends in them', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const parts = { categoryId: await quietFor('evening', 60), expiresAt }
    const planned = await approved(scene, await readers(database.db, 2), parts)
    expect(await look(planned.id)).toMatchObject({ do: 'wait', until: expiresAt })
    await sql`update message set expires_at = now() where id = ${planned.id}`.execute(database.db)
    expect(await look(planned.id)).toMatchObject({ do: 'expire' })
  })

  it('do not stop what has begun, nor what is mandatory', async () => {
    const tag = await readers(database.db, 2)
    const mandatory = await approved(scene, tag, { categoryId: await quietFor('alarm', 60, 'mandatory') })
    expect(await look(mandatory.id)).toMatchObject({ do: 'express' })
    const begun = await sending(scene, tag, { categoryId: 'letters' })
    await sql`update category set quiet_hours = '{"from": "00:00", "to": "23:59"}' where id = 'letters'`.execute(
      database.db,
    )
    await sendAll(scene, begun)
    expect(await tally(scene, begun)).toEqual({ 'email sent': 2 })
  })
})
