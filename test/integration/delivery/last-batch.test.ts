import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { finish } from '../../../src/activities/delivery/finish-wave.ts'
import { crowd, detail, makeScene, type Scene, sending, step } from '../../fixtures/delivery.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'

let database: FreshDatabase
let scene: Scene
beforeAll(async () => {
  database = await freshDatabase()
  scene = await makeScene(database.db)
})
afterAll(() => database.drop())

it('a batch that another lane ends while the end is being decided is counted before the message closes', async () => {
  const planned = await sending(scene, await crowd(database.db, 600))
  const { db } = database
  await sql`update batch set state = 'done', sent = size, pushes = size where number = 0`.execute(db)
  // The other lane: it writes its outcome at the moment at which the first batch has been taken for counting.
  await sql`
    create function other_lane() returns trigger language plpgsql as $$ begin
      update batch set state = 'done', sent = size, pushes = size where state = 'open';
      return null;
    end $$`.execute(db)
  await sql`
    create trigger other_lane after update on batch
    for each row when (new.state = 'folded') execute function other_lane()`.execute(db)

  expect(await finish(scene.delivery, step(), planned.id)).toMatchObject({ closed: false })
  expect(await finish(scene.delivery, step(), planned.id)).toMatchObject({ closed: true })
  expect(await detail(scene, planned)).toMatchObject({ message: { state: 'sent' }, wave: { sent: 600 } })
})
