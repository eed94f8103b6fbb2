import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ChannelActivities, MainActivities } from '../../../src/activities/index.ts'
import { look } from '../../../src/activities/look.ts'
import type { Channel, Move, WaveState } from '../../../src/contract/enums.ts'
import type { Db } from '../../../src/db/connect.ts'
import { parkWave, probeEveryMs, unparkWave } from '../../../src/db/queries/delivery/parking.ts'
import { closeMessage } from '../../../src/db/queries/message/message.ts'
import { isOpen } from '../../../src/domain/waves.ts'
import { applyMove, lockMessage, wavesOf, waveUp } from '../../../src/services/messages/move.ts'

/** How the stand-in for the provider behaves; tests change it as they go. */
export type Provider = {
  batches: number
  /** How long a slice takes, and what it sent: one entry for each batch, in order. */
  sliceMs: number
  /** So many more slices may send; the others stay under way until a test raises this. */
  mayPass: number
  /** Slices that are asleep or held so in this process now. */
  underWay: number
  sent: { messageId: string; batch: number; at: number }[]
  /** Thrown by `start`, where set. */
  fails?: Error
  /** `start` finds that the audience has outgrown what was approved. */
  drifts?: boolean
  /** `start` leaves everything as it was. */
  stalls?: boolean
  /** A slice finds the provider down, parks the wave and asks to come back for the probe. */
  parks?: boolean
  /** Slices send nothing and ask to come back after so many ms. */
  waitMs?: number
}

/** How often a slice that is held looks whether it may go on. */
const heldMs = 10

type Steps = Pick<MainActivities, 'start' | 'writeRows' | 'finish'> & ChannelActivities

/**
 * The delivery's steps on real rows without people: they make the same moves, and a batch is sent when its row says so.
 * What a run does with them is what is tested here; the real steps have tests of their own.
 */
export function fakeDelivery(db: Db, provider: Provider): Steps {
  /** A move of the run, where the wave that is up is in this state. */
  async function moved(messageId: string, from: WaveState, move: Move) {
    return db.transaction().execute(async (trx) => {
      const locked = await lockMessage(trx, messageId)
      if (waveUp(locked)?.state !== from) return false
      const result = { sent: 1, unknown: 0, failed: 0, expired: 0 }
      await applyMove(trx, locked, move, { actor: 'system:run', byRun: true, result })
      return true
    })
  }

  /** False where the provider is down: then the wave is parked. */
  async function goesOn(waveId: string): Promise<boolean> {
    const { parked, message_id: messageId } = await db
      .selectFrom('wave')
      .selectAll()
      .where('id', '=', waveId)
      .executeTakeFirstOrThrow()
    const wave = { waveId, messageId: messageId! }
    const park = provider.parks === true
    if (!park && parked === null) return true
    await db.transaction().execute(async (trx) => {
      await lockMessage(trx, wave.messageId)
      await (park ? parkWave(trx, wave, { problem: 'provider', gate: true }) : unparkWave(trx, wave))
    })
    return !park
  }

  const steps: Steps = {
    async start(messageId) {
      if (provider.fails) throw provider.fails
      if (provider.drifts) {
        await moved(messageId, 'waiting', 'drift')
        return { started: false }
      }
      return { started: !provider.stalls && (await moved(messageId, 'waiting', 'start')) }
    },

    async writeRows(waveId) {
      const batch = (number: number) => ({ number, wave_id: waveId, channel: 'chat' as const, size: 1 })
      const numbers = Array.from({ length: provider.batches }, (_, index) => index)
      await db
        .insertInto('batch')
        .values(numbers.map((number) => ({ ...batch(number), locale: 'en' as const })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await db.updateTable('wave').set({ expected: provider.batches }).where('id', '=', waveId).execute()
      return undefined as never
    },

    async sendSlice(waveId: string, channel: Channel) {
      provider.underWay += 1
      await sleep(provider.sliceMs)
      while (provider.mayPass <= 0) await sleep(heldMs)
      provider.mayPass -= 1
      provider.underWay -= 1
      if (provider.waitMs) return { more: true, waitMs: provider.waitMs, counts: {} } as never
      if (!(await goesOn(waveId))) return { more: true, waitMs: probeEveryMs, counts: {} } as never
      const { rows } = await sql<{ number: number; message_id: string; now: Date }>`
        update batch set state = 'folded' from wave
        where wave.id = wave_id and wave.state = 'sending' and (wave_id, channel, batch.number) = (
          select wave_id, channel, number from batch where wave_id = ${waveId} and channel = ${channel}
            and state = 'open' order by number limit 1 for update skip locked)
        returning batch.number, wave.message_id, clock_timestamp() as now`.execute(db)
      for (const { number, message_id, now } of rows)
        provider.sent.push({ messageId: message_id, batch: number, at: now.getTime() })
      await sql`update wave set claimed = true, sent = sent + ${rows.length} where id = ${waveId}`.execute(db)
      return { more: rows.length > 0, waitMs: 0, counts: {} } as never
    },

    async express(messageId, channel) {
      if ((await steps.start(messageId)).started) {
        const waveId = await db
          .transaction()
          .execute(async (trx) => waveUp(await lockMessage(trx, messageId))!.id)
        await steps.writeRows(waveId)
        while ((await steps.sendSlice(waveId, channel)).more);
        await steps.finish(messageId)
      }
      return look(db, messageId)
    },

    async finish(messageId) {
      await moved(messageId, 'sending', 'finish')
      return db.transaction().execute(async (trx) => {
        const over = wavesOf(await lockMessage(trx, messageId)).every(({ state }) => !isOpen(state))
        if (over) await closeMessage(trx, messageId)
        return { more: false, closed: over }
      })
    },
  }
  return steps
}
