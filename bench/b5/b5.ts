import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import { bracket, floorsNote } from '../bracket.ts'
import { approve, shortMessage, submit } from '../message.ts'
import { chatCategory } from '../names.ts'
import { inParallel } from '../parallel.ts'
import { plant, uidOf } from '../people.ts'
import type { Measured } from '../result.ts'
import { openWorld, type World } from '../world.ts'
import { drain } from './drain.ts'
import { measureFloor } from './floor.ts'

/** So many small messages, each to one person, drained to sent. */
export async function measureB5(messages: number): Promise<Measured> {
  const world = await openWorld()
  try {
    await plant(world, messages, false)
    await world.start(simulatorService(world.environment))
    await world.start(apiService(world.environment))
    const { ours, floor, floors } = await bracket(
      () => measureFloor(world, messages),
      () => measureOurs(world, messages),
    )
    return {
      ...{ figure: ours, floor },
      notes: [
        `${messages} messages to one person each, created, submitted and approved over HTTP while no worker ran`,
        '(there are no events yet), then drained; the floor likewise: started with no worker there, then drained',
        floorsNote(floors, '/s'),
      ],
    }
  } finally {
    await world.close()
  }
}

async function measureOurs(world: World, messages: number): Promise<number> {
  const since = new Date()
  await inParallel('creating, submitting, approving', messages, async (n) => {
    const body = shortMessage(chatCategory, { kind: 'individual', uids: [uidOf(n + 1)] })
    await approve(world, await submit(world, body))
  })
  const worker = await world.start(workerService(world.environment))
  const rate = await drain(world.client, { type: 'messageIntent', since, runs: messages, what: 'draining' })
  await world.stop(worker)
  await assertSent(world, messages)
  return rate
}

async function assertSent({ db }: World, messages: number): Promise<void> {
  const { sent } = await db
    .selectFrom('wave')
    .select(({ fn }) => fn.sum<string>('sent').as('sent'))
    .executeTakeFirstOrThrow()
  if (Number(sent) !== messages) throw new Error(`Only ${sent} of ${messages} people were sent to.`)
}
