import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { finishWave } from '../../../src/activities/delivery/finish-wave.ts'
import { reserveQuota } from '../../../src/activities/delivery/reserve-quota.ts'
import { resolveAudience } from '../../../src/activities/delivery/resolve-audience.ts'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import { cancelMessage } from '../../../src/services/messages/transitions.ts'
import { forScriptedSends } from '../../fixtures/delivery.ts'
import { activityAttempt, runUntilWait, sendSlices } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { approvedSend, type PlannedSend, rowsOf } from '../../fixtures/sends.ts'
import { expectAccounted } from './accounting.ts'

/** Where a worker may die between the steps of a wave: after its start, and after its deliveries are written. */

const { database, fixture } = forScriptedSends()

const people = 1_200
const approved = async () => approvedSend(fixture, await addRecipients(database.db, people))
const slice = (planned: PlannedSend) => sendSlices(fixture.delivery, activityAttempt(), planned)

/** Each seam: what has happened before the worker died. */
const seams = {
  'its start': ({ id }: PlannedSend) => startWave(fixture.delivery, id),
  'its deliveries': ({ id }: PlannedSend) => resolveAudience(fixture.delivery, activityAttempt(), id),
  'its quota': async ({ id }: PlannedSend) => {
    await resolveAudience(fixture.delivery, activityAttempt(), id)
    await reserveQuota(fixture.delivery, activityAttempt(), id)
  },
}
const names = Object.keys(seams) as (keyof typeof seams)[]

/** Everybody is told once, and the ledger agrees. */
async function expectToldOnce(planned: PlannedSend): Promise<void> {
  expect((await rowsOf(fixture, planned)).wave).toMatchObject({
    state: 'sent',
    expected: people,
    sent: people,
  })
  const told = fixture.provider.journal.flatMap(({ to }) => to)
  expect(told).toHaveLength(people)
  expect(new Set(told).size).toBe(people)
  await expectAccounted(fixture, planned)
}

async function heldOf({ waveId }: PlannedSend): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select coalesce(sum(unit_reserved + pool_reserved), 0)::int as held from quota_reservation
    where wave_id = ${waveId}`.execute(database.db)
  return rows[0]!.held
}

describe('a worker that dies after', () => {
  it.each(names)('%s is continued by the next one', async (seam) => {
    const planned = await approved()
    await seams[seam](planned)
    expect(await runUntilWait(fixture, planned.id)).toMatchObject({ do: 'end' })
    await expectToldOnce(planned)
  })

  it.each(names)('%s leaves a message that can be cancelled, and nothing reserved', async (seam) => {
    const planned = await approved()
    await seams[seam](planned)
    await cancelMessage(fixture.services, fixture.editor, planned.id)
    await reserveQuota(fixture.delivery, activityAttempt(), planned.id)
    expect(await runUntilWait(fixture, planned.id)).toMatchObject({ do: 'end' })
    expect(fixture.provider.tries).toHaveLength(0)
    expect(await heldOf(planned)).toBe(0)
    await expectAccounted(fixture, planned)
  })
})

describe('deliveries whose quota is not reserved', () => {
  it('are claimed by nobody, and do not let the message finish', async () => {
    const planned = await approved()
    await resolveAudience(fixture.delivery, activityAttempt(), planned.id)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    expect(await finishWave(fixture.delivery, activityAttempt(), planned.id)).toEqual({
      more: false,
      closed: false,
    })
    expect((await rowsOf(fixture, planned)).wave).toMatchObject({ unreserved: true, claimed: false })
    expect(fixture.provider.tries).toHaveLength(0)
  })

  it('are paid for in the month in which it is reserved', async () => {
    const planned = await approved()
    await resolveAudience(fixture.delivery, activityAttempt(), planned.id)
    for (const table of ['wave', 'quota_ledger', 'quota_reservation'] as const)
      await sql`update ${sql.table(table)} set month = month - interval '1 month'`.execute(database.db)
    const { month } = (await rowsOf(fixture, planned)).wave
    expect(await runUntilWait(fixture, planned.id)).toMatchObject({ do: 'end' })
    expect((await rowsOf(fixture, planned)).wave.month > month).toBe(true)
    await expectToldOnce(planned)
  })
})
