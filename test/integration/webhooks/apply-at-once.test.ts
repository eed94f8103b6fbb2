import { sql } from 'kysely'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { lockFollows } from '../../../src/db/queries/event/webhook.ts'
import { createApplyAtOnce } from '../../../src/services/webhooks/apply-at-once.ts'
import { makeConversation, tapOf } from '../../fixtures/conversations.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { event, startWebhookApi } from '../../fixtures/webhooks.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { holdTransaction, waitForBlocked } from '../../harness/lock-waits.ts'

/** How the API applies what it has stored. */
let applyAtOnce: (stored: number) => void
let woken: unknown[][] = []
const api = forFile(() =>
  startWebhookApi({
    applyAtOnce: (stored) => applyAtOnce(stored),
    wake: (...told: unknown[]) => void woken.push(told),
  }),
)
beforeEach(() => {
  applyAtOnce = createApplyAtOnce(api.services)
  woken = []
})

const pending = async () => (await api.outcomes()).filter((outcome) => outcome === null).length
const untilApplied = () => eventually(async () => expect(await pending()).toBe(0))

describe('webhook events in the process that took them', () => {
  it('are applied without a worker: a tap answers its question, and the run is told which turn it answers', async () => {
    const { db } = api.database
    const run = await makeConversation(api.database)
    await advanceRun(api.services, run.id)
    const outcome = { state: 'sent' as const, closed_at: new Date(), first_try_at: new Date() }
    await db.updateTable('turn').set(outcome).where('run_id', '=', run.id).execute()
    await advanceRun(api.services, run.id)
    const { type, postback } = tapOf(run.id, '0')
    await api.postEvents(event(type, run.address, { postback }))
    await untilApplied()
    const { unit_id: unitId } = await selectRow(db, 'scenario_run', { id: run.id }, ['unit_id'])
    expect(woken).toEqual([['scenario', run.id, [{ name: 'answered', turn: 1 }], unitId]])
  })

  it('are applied one after the other for an address, and all of a post', async () => {
    const many = Array.from({ length: 12 }, (_, n) => event('follow', `Umany${n}`))
    await api.postEvents(event('follow', 'Uone'), event('unfollow', 'Uone'), event('follow', 'Uone'), ...many)
    await untilApplied()
    const { rows } = await sql<{ type: string }>`
      select type from webhook_event where address = 'Uone' order by done_at`.execute(api.database.db)
    expect(rows.map(({ type }) => type)).toEqual(['follow', 'unfollow', 'follow'])
  })

  it('are applied that waited in the line of their address while its first one was in hand', async () => {
    const { db } = api.database
    const release = await holdTransaction(db, (trx) => lockFollows(trx, 'Uheld'))
    onTestFinished(async () => void (await release()))
    await api.postEvents(event('follow', 'Uheld'), event('unfollow', 'Uheld'), event('follow', 'Uheld'))
    await waitForBlocked(db)
    await api.postEvents(event('follow', 'Ufree'))
    await eventually(async () => expect(await pending()).toBe(3)) // the other lanes have found nothing else
    await release()
    await untilApplied()
  })

  it('are applied four at a time at most, and the post does not wait for it', async () => {
    const { db } = api.database
    const release = await holdTransaction(db, (trx) =>
      sql`lock table webhook_event in exclusive mode`.execute(trx),
    )
    onTestFinished(async () => void (await release()))
    applyAtOnce(10)
    await waitForBlocked(db, 4)
    applyAtOnce(10)
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows).toHaveLength(4)
  })

  it('wait for a worker where they cannot be applied', async () => {
    const noted: string[] = []
    const { db, drop } = await freshDatabase()
    await drop()
    const log = { ...api.services.log, debug: (_: object, words: string) => void noted.push(words) }
    applyAtOnce = createApplyAtOnce({ ...api.services, db, log: log as never })
    await api.postEvents(event('follow', 'Uleft'))
    await eventually(() =>
      expect(noted).toEqual(['Webhook events were not applied at once; a worker applies them']),
    )
    expect(await pending()).toBe(1)
    await api.processAll()
    expect(await pending()).toBe(0)
  })
})
