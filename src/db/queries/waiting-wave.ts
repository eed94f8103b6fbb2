import type { Trx } from '../connect.ts'

/**
 * The wave that will send a message (0) or remind of it (1), waiting for its time, or `missed` where that is past. After
 * a drift the wave that was there is used again. `month` is that of the send, `YYYY-MM-01`. Answers the wave's id.
 */
export async function insertWave(
  trx: Trx,
  wave: { messageId: string; number: 0 | 1; month: string; state: 'waiting' | 'missed' },
): Promise<string> {
  const { messageId, number, month, state } = wave
  const { id } = await trx
    .insertInto('wave')
    .values({ message_id: messageId, number, month, state })
    .onConflict((conflict) => conflict.columns(['message_id', 'number']).doUpdateSet({ state, month }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
