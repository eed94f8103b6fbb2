import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../contract/enums.ts'
import { insertDeliveries } from '../../db/queries/delivery/rows.ts'
import { takeCapTurn, upWaveBrief, type WaveBrief } from '../../db/queries/delivery/wave.ts'
import type { Services } from '../../services/context.ts'
import { lockMessage } from '../../services/messages/move.ts'
import { accountForSlice } from './account.ts'
import { beating, type Delivery, type Step } from './delivery.ts'
import { close } from './finish-wave.ts'
import { noCounts, sendBatches } from './send-slice.ts'
import { countNow, isDue, startOrDrift } from './start-wave.ts'
import { account, batchSizes, tryAgainMs, writeRows } from './write-rows.ts'

/** `more`: come again after `waitMs`. Neither more nor closed: the message must be looked at. */
export type Express = { more: boolean; waitMs: number; closed: boolean }

/**
 * A small wave on one channel, from its time to its end: begun with its rows in one transaction, sent, counted
 * and closed in another. Broken off anywhere, the next attempt finds in the rows where to go on.
 */
export async function express(
  delivery: Delivery,
  step: Step,
  messageId: string,
  channel: Channel,
): Promise<Express> {
  const { services, senders } = delivery
  const wave = await upWaveBrief(services.db, messageId)
  if (!wave || !senders[channel]) return { more: false, waitMs: 0, closed: false }
  const counts = { ...noCounts }
  return beating(step, counts, async () => {
    await begin(delivery, step, wave)
    const rest = await sendBatches(delivery, step, { wave, channel }, counts)
    if (rest.more) {
      await accountForSlice(services, wave)
      return { ...rest, closed: false }
    }
    const end = await services.db.transaction().execute((trx) => close(trx, messageId, wave))
    return { more: false, waitMs: 0, closed: end === 'closed' }
  })
}

/** Begins a wave that is due, and writes its rows, in one transaction; what an earlier attempt has done stays. */
async function begin(delivery: Delivery, step: Step, wave: WaveBrief): Promise<void> {
  const { services } = delivery
  if (wave.state !== 'waiting') return writeRows(delivery, step, wave.waveId)
  while ((await beginOnce(services, wave)) === 'busy') await sleep(tryAgainMs)
}

async function beginOnce(services: Services, wave: WaveBrief): Promise<'busy' | 'over'> {
  const counted = await countNow(services, wave)
  return services.db.transaction().execute(async (trx) => {
    if (!(await takeCapTurn(trx, wave))) return 'busy'
    const locked = await lockMessage(trx, wave.messageId)
    if (isDue(locked, wave) && (await startOrDrift(services, trx, locked, wave, counted)))
      await account(services, trx, locked, wave, await insertDeliveries(trx, wave.waveId, wave, batchSizes))
    return 'over'
  })
}
