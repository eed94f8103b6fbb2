import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCarillon } from '../../fixtures/carillon.ts'
import {
  approved,
  crowd,
  detail,
  fresh,
  makeScene,
  type Planned,
  type Scene,
} from '../../fixtures/delivery.ts'
import { goOn } from '../../fixtures/run-steps.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'

let database: FreshDatabase
let shared: Scene
beforeAll(async () => {
  database = await freshDatabase()
  shared = await makeScene(database.db)
})
afterAll(() => database.drop())

const carillon = (...args: string[]) => runCarillon({ DATABASE_URL: database.url }, ...args)

/** A send to 1,200 of whom 500 are told when the provider begins to refuse. */
async function parked(): Promise<{ scene: Scene; planned: Planned }> {
  const scene = fresh(shared)
  const planned = await approved(scene, await crowd(database.db, 1_200))
  scene.provider.next(() => undefined)
  scene.provider.always({ kind: 'quota' }, 100)
  expect(await goOn(scene, planned.id)).toMatchObject({ do: 'wait', for: 'provider' })
  scene.provider.recover()
  return { scene, planned }
}

async function expectEnd({ scene, planned }: Awaited<ReturnType<typeof parked>>, ...told: unknown[]) {
  expect(await goOn(scene, planned.id)).toMatchObject({ do: 'end' })
  const { message, wave } = await detail(scene, planned)
  expect([message.state, wave.sent, wave.skipped]).toEqual(told)
  const { actor } = await database.db
    .selectFrom('audit')
    .select('actor')
    .where('object_id', '=', planned.id)
    .where('action', 'in', ['stop', 'retry', 'skip'])
    .executeTakeFirstOrThrow()
  expect(actor).toBe('operator:cli')
}

it('lets a parked send try again, and the runs see it', async () => {
  const parts = await parked()
  const { id } = parts.planned
  expect(await carillon('retry', id)).toMatchObject({ code: 0, out: 'It tries again now.\n' })
  const { version, acked_version } = (await detail(parts.scene, parts.planned)).message
  expect(version).toBeGreaterThan(acked_version)
  await expectEnd(parts, 'sent', 1_200, {})
})

it('gives up who is left of it', async () => {
  const parts = await parked()
  const { id } = parts.planned
  expect((await carillon('retry', id, '--skip')).out).toBe('Whoever is left is skipped.\n')
  await expectEnd(parts, 'sent', 500, { parked: 700 })
})

it('stops a send', async () => {
  const parts = await parked()
  const answer = await carillon('--json', 'stop', parts.planned.id)
  expect(JSON.parse(answer.out)).toEqual({ id: parts.planned.id, state: 'stopped' })
  await expectEnd(parts, 'stopped', 500, { stopped: 700 })
})

it('says what stands in the way', async () => {
  const { id } = await approved(fresh(shared), await crowd(database.db, 2))
  expect(await carillon('stop', id)).toMatchObject({ code: 1, err: expect.stringContaining('approved') })
  expect(await carillon('retry', id)).toMatchObject({ code: 1 })
  expect(await carillon('retry', 'x')).toMatchObject({ code: 2, err: expect.stringContaining('x is no') })
})
