import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { findFailures } from '../../../../src/db/queries/callback/failures.ts'
import { type Claim, claimBatch, whenClaimable } from '../../../../src/db/queries/delivery/batch.ts'
import {
  endBatch,
  endEmptyBatch,
  halveBatch,
  settleMembers,
  skipMembers,
  splitBatch,
} from '../../../../src/db/queries/delivery/batch-outcome.ts'
import { callsOf, storeCall } from '../../../../src/db/queries/delivery/call.ts'
import { countPeople, takeFinished } from '../../../../src/db/queries/delivery/counters.ts'
import { countWaveRecipients, insertFallback } from '../../../../src/db/queries/delivery/deliveries.ts'
import { repeatUnknown, reviveRefused } from '../../../../src/db/queries/delivery/move-mails.ts'
import { probeNow, putOffBatches } from '../../../../src/db/queries/delivery/parking.ts'
import { failedDeliveriesOf } from '../../../../src/db/queries/delivery/shortfall.ts'
import { countUncountedMembers, lockWave } from '../../../../src/db/queries/delivery/wave.ts'
import { markUnknown, skipFreeBatches } from '../../../../src/db/queries/delivery/wave-end.ts'
import { perKey } from '../planted/people.ts'
import { batches, firstOpen, perBatch } from '../planted/waves.ts'
import type { Act } from './act.ts'

const rules = { categoryId: 'news', layer: 'service' as const, consentScope: null, topicId: null }
const clock = { quotaTimeZone: 'UTC', server: null, paced: false }
const open = batches - firstOpen

/** Has a batch of the wave, open and held, with its members pending. */
async function held({ db, planted }: Parameters<Act['act']>[0], number: number): Promise<Claim> {
  const claim = { waveId: planted.waveId, channel: 'email' as const, number, claimId: randomUUID() }
  await sql`
    update batch set state = 'open', claimed_by = ${claim.claimId} where wave_id = ${claim.waveId} and number = ${number}`.execute(
    db,
  )
  return claim
}

async function membersOf({ db }: Parameters<Act['act']>[0], { waveId, number }: Claim): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select subject_id as id from delivery where wave_id = ${waveId} and batch = ${number} and state = 'pending'`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const settled = (ids: string[]) =>
  ids.map((subjectId) => ({ subjectId, address: 'a@example.edu', state: 'sent' as const, reason: null }))
const reasons = (ids: string[]) => ids.map((subjectId) => ({ subjectId, reason: 'blocked' }))

/** What is done with the batches of a wave, in an order in which each finds its own. */
export const waveActs: Record<string, Act> = {
  'claims a batch': {
    about: 1,
    async act(world, watch) {
      const claim = { waveId: world.planted.waveId, channel: 'email' as const, claimId: randomUUID() }
      await watch(() => claimBatch(world.db, claim, { runId: 'r', activityId: 'a', attempt: 1 }, clock))
    },
  },
  'stores the call of a batch': {
    about: perBatch,
    async act(world, watch) {
      const claim = await held(world, firstOpen + 1)
      await watch(() => storeCall(world.db, claim, { callNumber: 0, retryKey: randomUUID() }, rules))
      await watch(() => callsOf(world.db, claim))
    },
  },
  'ends a batch': {
    about: perBatch,
    async act(world, watch) {
      const claim = await held(world, firstOpen + 1)
      const ending = { callNumber: 0, call: 'accepted', deliveries: 'sent', pushes: perBatch } as const
      await watch(() => endBatch(world.db, claim, ending))
    },
  },
  'settles the members of a batch': {
    about: perBatch,
    async act(world, watch) {
      const claim = await held(world, firstOpen + 2)
      const members = settled(await membersOf(world, claim))
      const outcomes = {
        callNumber: 0,
        call: 'accepted',
        settled: members,
        paid: members,
        done: true,
      } as const
      await watch(() => settleMembers(world.db, claim, outcomes))
    },
  },
  'skips members of a batch, and ends it if it is empty': {
    about: perBatch,
    async act(world, watch) {
      const claim = await held(world, firstOpen + 3)
      const members = reasons(await membersOf(world, claim))
      await watch(() => world.db.transaction().execute((trx) => skipMembers(trx, claim, members)))
      await watch(() => world.db.transaction().execute((trx) => endEmptyBatch(trx, claim)))
    },
  },
  'leaves members of a batch unknown': {
    about: perBatch,
    async act(world, watch) {
      const claim = await held(world, firstOpen + 4)
      const members = reasons(await membersOf(world, claim))
      await watch(() => world.db.transaction().execute((trx) => markUnknown(trx, claim, members)))
    },
  },
  'splits a batch': {
    about: perBatch,
    async act(world, watch) {
      const claim = await held(world, firstOpen + 5)
      const movers = (await membersOf(world, claim)).slice(0, 4)
      await watch(() => world.db.transaction().execute((trx) => splitBatch(trx, claim, movers, null)))
    },
  },
  'halves a batch': {
    about: perBatch,
    async act(world, watch) {
      const claim = await held(world, firstOpen + 6)
      await watch(() => world.db.transaction().execute((trx) => halveBatch(trx, claim, 0)))
    },
  },
  'falls back': {
    about: perBatch,
    async act(world, watch) {
      const claim = await held(world, firstOpen + 7)
      const subjectIds = await membersOf(world, claim)
      const fallback = { waveId: claim.waveId, channel: 'chat' as const, locale: 'zh-TW', subjectIds }
      await watch(() => world.db.transaction().execute((trx) => insertFallback(trx, fallback, perBatch)))
    },
  },
  'reads who failed in a batch': {
    about: perBatch,
    async act({ db, planted }, watch) {
      await watch(() => findFailures(db, [{ waveId: planted.waveId, channel: 'email', number: 7 }]))
    },
  },
  'takes the finished batches': {
    about: 6,
    async act({ db, planted: { waveId } }, watch) {
      await sql`
        update batch set state = 'done' where wave_id = ${waveId} and number between 1 and 6`.execute(db)
      await watch(() =>
        db.transaction().execute(async (trx) => takeFinished(trx, await lockWave(trx, waveId))),
      )
    },
  },
  'ends free batches': {
    about: 20 * perBatch,
    async act({ db, planted: { waveId } }, watch) {
      await watch(() => db.transaction().execute((trx) => skipFreeBatches(trx, waveId, 'stopped', 20)))
    },
  },
  'looks at the open batches': {
    about: open,
    async act({ db, planted: { waveId } }, watch) {
      const wave = { waveId, channel: 'email' as const }
      await watch(() => whenClaimable(db, wave, { runId: 'r', quotaTimeZone: 'Asia/Taipei', server: null }))
      await watch(() => db.transaction().execute((trx) => putOffBatches(trx, wave, 1_000)))
      await watch(() => db.transaction().execute((trx) => probeNow(trx, waveId)))
    },
  },
  'reads a wave whole': {
    about: perKey,
    async act({ db, planted: { waveId } }, watch) {
      await watch(() => db.transaction().execute((trx) => countWaveRecipients(trx, waveId)))
      await watch(() => db.transaction().execute((trx) => countUncountedMembers(trx, waveId)))
      await watch(() => db.transaction().execute((trx) => countPeople(trx, waveId)))
      await watch(() => failedDeliveriesOf(db, waveId))
    },
  },
  'sends mails again': {
    about: perKey,
    async act({ db, planted: { waveId } }, watch) {
      await watch(() => db.transaction().execute((trx) => repeatUnknown(trx, waveId, perBatch)))
      await watch(() => db.transaction().execute((trx) => reviveRefused(trx, waveId, perBatch)))
    },
  },
}
