import { expect, it } from 'vitest'
import { lockMessage } from '../../../src/services/messages/move.ts'
import { createDraft, makeMessageFixture } from '../../fixtures/message-fixture.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'

const database = forFile(freshDatabase)
const fixture = forFile(() => makeMessageFixture(database.db))

it('who waits for a message that is being approved gets the wave of the approval, with its instants', async () => {
  const { db } = fixture
  const id = await createDraft(fixture)
  const locked = await commitWhileBlocked(
    db,
    async (trx) => {
      await trx
        .updateTable('message')
        .set((eb) => ({ state: 'approved', version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      await trx
        .insertInto('wave')
        .values({ message_id: id, month: '2026-11-01', due_at: new Date('2026-11-27T08:00:00Z') })
        .execute()
    },
    () => db.transaction().execute((trx) => lockMessage(trx, id)),
  )
  const wave = await db.selectFrom('wave').selectAll().where('message_id', '=', id).executeTakeFirstOrThrow()
  expect(locked.message.state).toBe('approved')
  expect(locked.wave).toEqual(wave)
  expect(locked.now).toBeGreaterThan(wave.created_at.getTime())
})
