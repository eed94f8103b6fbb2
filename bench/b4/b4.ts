import { apiService } from '../../dev/services.ts'
import { bracket, floorsNote } from '../bracket.ts'
import { measureFloor } from '../http/floor.ts'
import { postsPerSecond } from '../http/load.ts'
import { plant } from '../people.ts'
import { costOf } from '../process-cost.ts'
import type { Measured } from '../result.ts'
import { openWorld, type World } from '../world.ts'
import { bindEvents, eventOf, signedEvent } from './event.ts'

/** So many signed events about one person each, every one of which becomes an approved message before it is answered. */
export async function measureB4(events: number): Promise<Measured> {
  const world = await openWorld()
  try {
    await plant(world, 1, false)
    const { environment } = world
    const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0' }
    const api = await world.start(apiService({ ...environment, variables }))
    await bindEvents(world)
    const { ours, floor, floors } = await bracket(
      () => measureFloor(world, { path: '/events', count: events, bodyOf: eventOf }),
      () => measureOurs(world, events),
    )
    await assertApproved(world, events)
    return {
      ...{ figure: ours, floor },
      beside: [
        { what: 'CPU of the API, its start included', figure: costOf(api.pid).cpuSeconds, unit: 's' },
        {
          what: 'CPU of Temporal, in which each event starts a run; the floor starts none',
          figure: costOf(world.temporal.pid).cpuSeconds,
          unit: 's',
        },
      ],
      notes: [
        `${events} events over 50 connections, no worker running, the limit off; answered once the message is approved`,
        floorsNote(floors, '/s'),
      ],
    }
  } finally {
    await world.close()
  }
}

function measureOurs({ environment }: World, count: number): Promise<number> {
  const [key] = environment.secrets.eventKeys
  const origin = environment.addresses.api
  return postsPerSecond('events', { origin, status: 202, count }, () => signedEvent(key!))
}

async function assertApproved({ db }: World, atLeast: number): Promise<void> {
  const { approved } = await db
    .selectFrom('message')
    .select(({ fn }) => fn.countAll<number>().as('approved'))
    .where('origin', '=', 'event')
    .where('state', '=', 'approved')
    .executeTakeFirstOrThrow()
  if (Number(approved) < atLeast) throw new Error(`Only ${approved} of ${atLeast} events became messages.`)
}
