import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { selectRow, updateRows } from '../../fixtures/rows.ts'
import { event, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'
import { holdTransaction, waitForBlocked } from '../../harness/lock-waits.ts'

/** Before all that are made today. */
const firstId = '00000000-0000-7000-8000-000000000000'

/** A moment within the last hour: events that happened long ago are dropped. */
const hourAgo = Date.now() - 3_600_000
const at = (ms: number) => hourAgo + ms

const api = forFile(startWebhookApi)

describe('a follower', () => {
  it('is recorded with this source, if there is no other, and is reachable again', async () => {
    await api.happens(event('unfollow', 'Us1', { timestamp: at(1_000) }))
    expect((await api.person('s1')).blocked).toBeInstanceOf(Date)
    await api.happens(event('follow', 'Us1', { timestamp: at(2_000) }))
    expect(await api.person('s1')).toMatchObject({ source: 'chat_follow', blocked: null })
  })

  it('keeps their first source', async () => {
    await updateRows(api.database.db, 'subject', { uid: 's2' }, { acquisition_source: 'directory' })
    await api.happens(event('follow', 'Us2'))
    expect((await api.person('s2')).source).toBe('directory')
  })

  it('is not blocked by an earlier event that arrives later', async () => {
    await api.happens(event('follow', 'Us3', { timestamp: at(9_000) }))
    await api.happens(event('unfollow', 'Us3', { timestamp: at(8_000) }))
    expect((await api.outcomes()).at(-1)).toBe('superseded')
    expect((await api.person('s3')).blocked).toBeNull()
  })

  it('of an unknown address creates no subject', async () => {
    const before = await api.database.db.selectFrom('subject').selectAll().execute()
    await api.happens(event('follow', 'Ustranger'))
    expect((await api.outcomes()).at(-1)).toBe('unknown_user')
    expect(await api.database.db.selectFrom('subject').selectAll().execute()).toHaveLength(before.length)
  })
})

it('events of an unbound address apply once it is bound', async () => {
  const bind = async (uid: string, address: string, body: object = {}) => {
    await api.call('bindAddress', { key: api.keys.administrative, id: uid, body: { address, ...body } })
    return api.person(uid)
  }
  await api.happens(event('follow', 'Uearly'), event('follow', 'Ulate', { timestamp: at(1_000) }))
  await api.happens(event('unfollow', 'Ulate', { timestamp: at(2_000) }))
  expect(await bind('early', 'Uearly')).toMatchObject({ source: 'chat_follow', blocked: null })
  const acquisition = { source: 'chat_embed' }
  expect(await bind('late', 'Ulate', { acquisition })).toMatchObject({
    source: 'chat_embed',
    blocked: expect.any(Date),
  })
})

describe('what happens at once', () => {
  it('ends as the later event states, even if the earlier one is stored while it is processed', async () => {
    const { db } = api.database
    await sql`update subject set acquisition_source = null where uid = 's3'`.execute(db)
    const address = await holdTransaction(db, (trx) =>
      sql`select from address where address = 'Us3' for no key update`.execute(trx),
    )
    const later = event('unfollow', 'Us3', { timestamp: at(40_000) })
    await api.postEvents(later)
    const first = api.processNext()
    await waitForBlocked(db)

    const earlier = event('follow', 'Us3', { timestamp: at(39_000) })
    await api.postEvents(earlier)
    // It was given its id before the other one, and committed after it.
    await sql`update webhook_event set id = ${firstId}::uuid where event_id = ${earlier.webhookEventId}`.execute(
      db,
    )
    expect(await api.processNext()).toBe(false) // one of an address at a time
    await address()
    expect(await first).toBe(true)
    expect(await api.processNext()).toBe(true)
    expect((await api.person('s3')).blocked).toBeInstanceOf(Date)
    const { outcome } = await selectRow(db, 'webhook_event', { event_id: earlier.webhookEventId }, [
      'outcome',
    ])
    expect(outcome).toBe('superseded')
  })

  it('concurrent with a bind applies to the bound subject', async () => {
    const { db } = api.database
    const audit = await holdTransaction(db, (trx) => sql`lock table audit in share mode`.execute(trx))
    const bound = api.call('bindAddress', {
      key: api.keys.administrative,
      id: 'sudden',
      body: { address: 'Usudden' },
    })
    await waitForBlocked(db)
    await api.postEvents(event('unfollow', 'Usudden'))
    const processed = api.processNext()
    await Promise.race([processed, waitForBlocked(db, 2)])
    await audit()
    await Promise.all([bound, processed])
    expect((await api.person('sudden')).blocked).toBeInstanceOf(Date)
  })
})

it('one person’s events are processed in order, by several workers', async () => {
  const events = Array.from({ length: 30 }, (_, n) =>
    event(n % 2 === 0 ? 'unfollow' : 'follow', 'Us1', { timestamp: at(10_000 + n) }),
  )
  await api.happens(...events)
  expect((await api.outcomes()).slice(-30)).not.toContain('superseded')
  expect((await api.person('s1')).blocked).toBeNull()
})

it('an event that fails is deferred, and delays the later ones of its address', async () => {
  const { db } = api.database
  await api.postEvents(event('unfollow', 'Us1', { timestamp: at(20_000) }), event('message', 'Us1'))
  await db.schema.alterTable('audit').renameTo('audit_away').execute()
  expect(await api.processNext()).toBe(true)
  expect(await api.processNext()).toBe(false)
  expect((await api.person('s1')).blocked).toBeNull()
  await db.schema.alterTable('audit_away').renameTo('audit').execute()
  const put = db.updateTable('webhook_event').where('tries', '=', 1).where('done_at', 'is', null)
  await put.set({ next_try_at: new Date(0) }).execute()
  await api.processAll()
  expect((await api.outcomes()).slice(-2)).toEqual(['blocked', 'recorded'])
  await api.happens(event('follow', 'Us1', { timestamp: at(30_000) }))
})
