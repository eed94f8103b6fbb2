import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWebhooks } from '../../../src/services/webhooks/sweep.ts'
import { eventually } from '../../harness/eventually.ts'
import { event, openToldWorld, type ToldWorld } from './webhook-fixture.ts'

let world: ToldWorld
beforeAll(async () => {
  world = await openToldWorld()
})
afterAll(() => world.close())

it('a worker works off what comes until it is stopped', async () => {
  const sweep = startWebhooks({ db: world.database.db, log: pino({ level: 'silent' }) })
  await world.tell(...['Us1', 'Us2', 'Us3'].map((id) => event('unfollow', id)))
  await eventually(async () => expect(await world.outcomes()).toEqual(['blocked', 'blocked', 'blocked']))
  await sweep.stop()
  await world.tell(event('follow', 'Us1'))
  expect((await world.person('s1')).blocked).toBeInstanceOf(Date)
})
