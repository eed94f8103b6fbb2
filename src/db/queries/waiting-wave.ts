import type { Trx } from '../connect.ts'

/**
 * The wave that will send a message (0) or remind of it (1), waiting for its time. After a drift the wave that was
 * there is used again. `month` is that of the send, `YYYY-MM-01`. Answers the wave's id.
 */
export async function insertWaitingWave(
  trx: Trx,
  wave: { messageId: string; number: 0 | 1; month: string },
): Promise<string> {
  const { id } = await trx
    .insertInto('wave')
    .values({ message_id: wave.messageId, number: wave.number, month: wave.month })
    .onConflict((conflict) =>
      conflict.columns(['message_id', 'number']).doUpdateSet({ state: 'waiting', month: wave.month }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Ends every wave of a message that is not over, as cancelled. Answers their ids, in the order they were made. */
export async function cancelWaves(trx: Trx, messageId: string): Promise<string[]> {
  const rows = await trx
    .updateTable('wave')
    .set({ state: 'cancelled' })
    .where('message_id', '=', messageId)
    .where('state', 'in', ['waiting', 'sending', 'paused'])
    .returning('id')
    .execute()
  return rows.map(({ id }) => id).sort()
}

/** Stops or restarts the claims of a wave that is being sent; one that still waits goes on waiting. */
export async function setWaveState(trx: Trx, messageId: string, from: 'sending' | 'paused'): Promise<void> {
  await trx
    .updateTable('wave')
    .set({ state: from === 'sending' ? 'paused' : 'sending' })
    .where('message_id', '=', messageId)
    .where('number', '=', 0)
    .where('state', '=', from)
    .execute()
}
