import type { Trx } from '../../db/connect.ts'
import { insertWave } from '../../db/queries/delivery/wave.ts'
import { reserve } from '../../db/queries/quota/quota.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import { monthOf } from '../../domain/month.ts'
import type { Services } from '../context.ts'
import { monthOfSend } from './snapshot.ts'

/** A channel whose ledger cannot cover a message, and by how many pushes. */
export type Shortage = { channel: Channel; short: number }

/**
 * Makes the waves of a message that is being approved (a reminder has its own, and is missed where its time is past)
 * and reserves on each what the stored snapshot says it will cost. Comes last in its transaction: the ledger is the
 * last lock. On a shortage, part may be reserved already; the caller rolls back.
 */
export async function reserveForApproval(
  zone: Pick<Services, 'quotaTimeZone'>,
  trx: Trx,
  message: MessageRow,
  now: number,
): Promise<Shortage | null> {
  const first = { messageId: message.id, number: 0, month: monthOfSend(zone, message, now) } as const
  const waves = [await waiting(trx, first)]
  if (message.remind_at) {
    const month = monthOf(message.remind_at, zone.quotaTimeZone)
    const reminder = { messageId: message.id, number: 1, month } as const
    if (message.remind_at.getTime() > now) waves.push(await waiting(trx, reminder))
    else await insertWave(trx, { ...reminder, state: 'missed' })
  }

  const costs = Object.entries(message.snapshot?.quota ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, { estimatedPushes: pushes }] of costs) {
    const channel = name as Channel
    for (const { waveId, month } of waves) {
      const result = await reserve(trx, { waveId, unitId: message.unit_id, channel, month, pushes })
      if (!result.ok) return { channel, short: result.short }
    }
  }
  return null
}

async function waiting(trx: Trx, wave: { messageId: string; number: 0 | 1; month: string }) {
  return { waveId: await insertWave(trx, { ...wave, state: 'waiting' }), month: wave.month }
}
