import { randomUUID } from 'node:crypto'
import type { Channel } from '../../../src/contract/enums.ts'
import { ensureDeliveryPartition } from '../../../src/db/queries/delivery/rows.ts'
import type { World } from './world.ts'

export type Delivered = { id: string; waveId: string }

/** A message that has gone out to everybody it names, by these channels, as the rows then say. */
export async function delivered(
  world: World,
  body: object,
  { channels = ['chat'] }: { channels?: Channel[] } = {},
): Promise<Delivered> {
  const { db } = world.database
  const headers = { 'idempotency-key': randomUUID() }
  const { id } = (await world.call('createMessage', { key: world.keys.a, headers, body })).body
  await world.call('submitMessage', { key: world.keys.a, id })
  const wave = await db
    .insertInto('wave')
    .values({
      message_id: id,
      month: '2026-11-01',
      state: 'sent',
      started_at: new Date(),
      expected: 3,
      sent: 3,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ensureDeliveryPartition(db, wave.id)
  const people = await db.selectFrom('subject').select('id').execute()
  const rows = people.flatMap((person) =>
    channels.map((channel) => ({
      wave_id: wave.id,
      subject_id: person.id,
      channel,
      batch: 0,
      state: 'sent' as const,
      reason: null,
    })),
  )
  await db.insertInto('delivery').values(rows).execute()
  await db.updateTable('message').set({ state: 'sent' }).where('id', '=', id).execute()
  return { id, waveId: wave.id }
}
