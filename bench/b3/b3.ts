import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { apiService } from '../../dev/services.ts'
import { startFloorServer } from '../http/floor-server.ts'
import { post, type Request } from '../http/load.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { shortMessage } from '../message.ts'
import { chatCategory } from '../names.ts'
import type { Measured } from '../result.ts'
import { alternate } from '../rounds.ts'

/** Measures creating messages over 50 connections, each under its own idempotency key. Creating starts no run. */
export async function measureB3(count: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    const { environment } = installation
    const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
    await installation.start(apiService({ ...environment, variables }))
    const bare = await startFloorServer(installation, join(import.meta.dirname, 'floor-server.ts'))
    const load = { status: 201, count, newRequest: () => newMessage(installation) }
    const rounds = await alternate(
      () => post(installation, { ...load, what: 'floor', origin: bare }),
      () => post(installation, { ...load, what: 'creating', origin: environment.addresses.api }),
    )
    return { rounds, notes: [`${count} messages a round over 50 connections, the rate limit off`] }
  } finally {
    await installation.close()
  }
}

function newMessage({ credentials }: BenchInstallation): Request {
  return {
    path: '/v1/messages',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${credentials.key}`,
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(shortMessage(chatCategory, { kind: 'all' })),
  }
}
