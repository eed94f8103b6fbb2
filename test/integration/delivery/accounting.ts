import { sql } from 'kysely'
import { expect } from 'vitest'
import { getMessage } from '../../../src/services/messages/read.ts'
import type { DeliveryFixture } from '../../fixtures/delivery.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import type { PlannedSend } from '../../fixtures/sends.ts'

/** Invariants of a wave and of the whole database between any two steps. */
export async function expectAccounted(fixture: DeliveryFixture, planned: PlannedSend): Promise<void> {
  const broken = await brokenInvariants(fixture.db)
  // There are no runs here that could observe their rows.
  expect(broken.filter(({ name }) => name !== 'runs-on-time')).toEqual([])
  expectSentOnce(await fixture.sentAddresses(), await outcomes(fixture, planned))
  await expectPeopleCounted(fixture, planned)
}

/** Once the message is closed, its stats count every person of the wave once, by their best delivery. */
async function expectPeopleCounted({ db, services, producer }: DeliveryFixture, { id, waveId }: PlannedSend) {
  const { stats, closedAt } = await getMessage(services, producer, id)
  if (closedAt === null) return
  const { rows } = await sql<{ best: string; n: number }>`
    select best, count(*)::integer as n from (
      select (array_agg(state order by array_position(array['sent', 'unknown', 'failed', 'skipped'], state)))[1] as best
      from delivery where wave_id = ${waveId} group by subject_id) as person
    group by best`.execute(db)
  const { sent: reached = 0, ...others } = Object.fromEntries(rows.map(({ best, n }) => [best, n]))
  expect(stats!.people).toEqual({ unknown: 0, failed: 0, skipped: 0, pending: 0, reached, ...others })
}

type Fate = { state: string; reason: string | null; address: string }

/** The outcome of every recipient, by current address. */
export async function outcomes({ db }: DeliveryFixture, { waveId }: PlannedSend): Promise<Fate[]> {
  const { rows } = await sql<Fate>`
    select state, reason, address from delivery join address using (subject_id, channel) where wave_id = ${waveId}
  `.execute(db)
  return rows
}

/**
 * For a message of one call: no recipient twice; recipients with state sent received it, skipped and failed ones did
 * not.
 */
function expectSentOnce(sentAddresses: string[], rows: Fate[]): void {
  const reached = new Set(sentAddresses)
  expect(reached.size).toBe(sentAddresses.length)
  const decided = rows.filter(({ state }) => state !== 'pending' && state !== 'unknown')
  expect(decided.filter(({ state, address }) => (state === 'sent') !== reached.has(address))).toEqual([])
}
