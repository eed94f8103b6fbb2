import { randomUUID } from 'node:crypto'
import { apiService } from '../../dev/services.ts'
import type { CreateMessage } from '../../src/contract/create-message.ts'
import { bracket, floorsNote } from '../bracket.ts'
import { measureFloor } from '../http/floor.ts'
import { postsPerSecond } from '../http/load.ts'
import { shortMessage } from '../message.ts'
import { chatCategory } from '../names.ts'
import { costOf } from '../process-cost.ts'
import type { Measured } from '../result.ts'
import { openWorld, type World } from '../world.ts'

/** So many messages created over 50 connections, each under a key of its own. Creating starts no run. */
export async function measureB3(messages: number): Promise<Measured> {
  const world = await openWorld()
  try {
    const { environment } = world
    const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0' }
    const api = await world.start(apiService({ ...environment, variables }))
    const { ours, floor, floors } = await bracket(
      () => measureFloor(world, { path: '/messages', count: messages, bodyOf: newMessage }),
      () => measureOurs(world, messages),
    )
    return {
      ...{ figure: ours, floor },
      beside: [{ what: 'CPU of the API, its start included', figure: costOf(api.pid).cpuSeconds, unit: 's' }],
      notes: [`${messages} messages over 50 connections, the limit off`, floorsNote(floors, '/s')],
    }
  } finally {
    await world.close()
  }
}

function newMessage(): CreateMessage {
  return shortMessage(chatCategory, { kind: 'all' })
}

function measureOurs({ environment, credentials }: World, count: number): Promise<number> {
  const origin = environment.addresses.api
  return postsPerSecond('creating', { origin, status: 201, count }, () => ({
    path: '/v1/messages',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${credentials.key}`,
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(newMessage()),
  }))
}
