import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { splitHalves, toCommit } from '../../../src/domain/message/quota.ts'
import { pauseMessage, resumeMessage } from '../../../src/services/messages/transitions.ts'
import { forSends, type ScriptedDelivery, withScriptedProvider } from '../../fixtures/delivery.ts'
import { runNextStep, runUntilWait } from '../../fixtures/delivery-steps.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { byCall, type Send } from '../../fixtures/senders.ts'
import { approvedSend } from '../../fixtures/sends.ts'

/** Tests cannot wait for the end of a month: they move all rows a month back instead. */

let fixture: ScriptedDelivery
const { database, shared } = forSends()
beforeEach(async () => {
  fixture = withScriptedProvider(shared)
  await allot(300)
})

/** The unit's limit in months without a ledger row; the pool has plenty. */
const allot = (limit: number) =>
  setDefaultLimit(database.db, { scope: shared.unit.id, channel: 'chat', limit })

/** In two steps through the last century, so that no month's row collides with that of the month before. */
async function monthEnds(): Promise<void> {
  await database.db.transaction().execute(async (trx) => {
    for (const table of ['wave', 'quota_ledger', 'quota_reservation'] as const) {
      await sql`update ${sql.table(table)} set month = month - interval '1200 months'`.execute(trx)
      await sql`update ${sql.table(table)} set month = month + interval '1199 months'`.execute(trx)
    }
  })
}

/** The month ends while this call, counted from 1, is in flight. */
function endingDuring(call: number): ScriptedDelivery {
  let calls = 0
  const send: Send = async (sent) => {
    calls += 1
    if (calls === call) await monthEnds()
    return fixture.provider.send(sent)
  }
  return { ...fixture, delivery: { ...fixture.delivery, senders: { chat: byCall(send) } } }
}

/** What a message's waves have spent, oldest month first; nothing is left reserved, and all sums agree. */
async function spent(id: string): Promise<{ wave: number; unit: number; pool: number }[]> {
  const broken = await brokenInvariants(database.db, { runs: false })
  expect(broken).toEqual([]) // no runs here
  const { rows } = await sql<{ wave: number; unit: number; pool: number; held: number }>`
    select number as wave, unit_committed as unit, pool_committed as pool, unit_reserved + pool_reserved as held
    from quota_reservation join wave on wave.id = wave_id
    where message_id = ${id} order by quota_reservation.month, number
  `.execute(database.db)
  expect(rows.filter(({ held }) => held > 0)).toEqual([])
  await monthEnds() // the next test finds an untouched month
  return rows.map(({ wave, unit, pool }) => ({ wave, unit, pool }))
}

describe('at the end of a month', () => {
  it('a wave that is being sent counts what is sent before in the old month, the rest in the new one', async () => {
    const { id } = await approvedSend(fixture, await addRecipients(database.db, 1_200))
    expect(await runUntilWait(endingDuring(1), id)).toMatchObject({ do: 'end' })
    expect(await spent(id)).toEqual([
      { wave: 0, unit: 300, pool: 200 },
      { wave: 0, unit: 300, pool: 400 },
    ])
  })

  it('a paused send moves its remaining reservation', async () => {
    const { id } = await approvedSend(fixture, await addRecipients(database.db, 1_200))
    await runNextStep(fixture, id)
    await runNextStep(fixture, id)
    const pausing: Send = async (call) => {
      await pauseMessage(fixture.services, fixture.editor, id)
      return fixture.provider.send(call)
    }
    await runNextStep({ delivery: { ...fixture.delivery, senders: { chat: byCall(pausing) } } }, id)
    await monthEnds()
    await resumeMessage(fixture.services, fixture.editor, id)
    await runUntilWait(fixture, id)
    expect(await spent(id)).toEqual([
      { wave: 0, unit: 300, pool: 200 },
      { wave: 0, unit: 300, pool: 400 },
    ])
  })

  it('a message that was held before its send is counted where it is sent', async () => {
    const { id } = await approvedSend(fixture, await addRecipients(database.db, 400))
    await pauseMessage(fixture.services, fixture.editor, id)
    await monthEnds()
    await resumeMessage(fixture.services, fixture.editor, id)
    await runUntilWait(fixture, id)
    expect(await spent(id)).toEqual([
      { wave: 0, unit: 0, pool: 0 },
      { wave: 0, unit: 300, pool: 100 },
    ])
  })

  it('a send that exceeds the new month’s quota is parked, and continues once there is enough', async () => {
    const { id } = await approvedSend(fixture, await addRecipients(database.db, 1_200))
    const pool = (limit: number) => setDefaultLimit(database.db, { scope: 'pool', channel: 'chat', limit })
    await pool(399)
    expect(await runUntilWait(endingDuring(1), id)).toMatchObject({ do: 'wait', for: 'quota' })
    await pool(10_000_000)
    await sql`update quota_ledger set monthly_limit = 400 where scope = 'pool' and monthly_limit = 399`.execute(
      database.db,
    )
    await sql`update wave set probe_at = now() where message_id = ${id}`.execute(database.db)
    expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'end' })
    expect(await spent(id)).toEqual([
      { wave: 0, unit: 300, pool: 200 },
      { wave: 0, unit: 300, pool: 400 },
    ])
  })
})

describe('a reminder in the next month', () => {
  it('is reserved and counted there', async () => {
    const nextMonth = new Date(Date.now() + 8 * 3_600_000) // the month of Taipei, by which quota is counted
    nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1, 10)
    const { id } = await approvedSend(fixture, await addRecipients(database.db, 400), {
      remindAt: nextMonth.toISOString(),
    })
    await runUntilWait(fixture, id)
    await monthEnds()
    await sql`update message set remind_at = now() where id = ${id}`.execute(database.db)
    expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'end' })
    expect(await spent(id)).toEqual([
      { wave: 0, unit: 300, pool: 100 },
      { wave: 1, unit: 300, pool: 100 },
    ])
  })
})

it('for all limits and any midnight, each half is exact', async () => {
  const night = fc.record({
    people: fc.integer({ min: 1, max: 30 }),
    limit: fc.nat(40),
    newLimit: fc.nat(40),
    during: fc.constantFrom(1, 2, 9),
  })
  await fc.assert(
    fc.asyncProperty(night, async ({ people, limit, newLimit, during }) => {
      fixture = withScriptedProvider(shared)
      await allot(limit)
      const { id } = await approvedSend(fixture, await addRecipients(database.db, people))
      await allot(newLimit)
      await runUntilWait(endingDuring(during), id)

      const calls = [Math.floor(people / 2), Math.ceil(people / 2)].filter((size) => size > 0)
      const before = calls.slice(0, during).reduce((sum, size) => sum + size, 0)
      const old = toCommit(splitHalves(people, Math.min(limit, people), people)!, before)
      const rest = people - before
      const later = splitHalves(rest, Math.min(newLimit, rest), rest)!
      const expected = [old, ...(rest > 0 ? [later] : [])].map((halves) => ({ wave: 0, ...halves }))
      expect(await spent(id)).toEqual(expected)
    }),
    { numRuns: 15 },
  )
})
