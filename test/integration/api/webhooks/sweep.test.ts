import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTask } from '../../../../src/background/start.ts'
import { webhookApply } from '../../../../src/background/tasks.ts'
import { eventually } from '../../../harness/eventually.ts'
import { event, openToldWorld, type ToldWorld } from './told-world.ts'

let world: ToldWorld
beforeAll(async () => {
  world = await openToldWorld()
})
afterAll(() => world.close())

it('a worker works off what comes until it is stopped', async () => {
  const log = pino({ level: 'silent' })
  const sweep = startTask(webhookApply({ db: world.database.db, log }), log)
  await world.tell(...['Us1', 'Us2', 'Us3'].map((id) => event('unfollow', id)))
  await eventually(async () => expect(await world.outcomes()).toEqual(['blocked', 'blocked', 'blocked']))
  await sweep.stop()
  await world.tell(event('follow', 'Us1'))
  expect((await world.person('s1')).blocked).toBeInstanceOf(Date)
})
