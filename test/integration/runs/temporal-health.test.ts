import { createServer } from 'node:http2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { openTemporal } from '../../../src/temporal/client.ts'
import { temporalHealth } from '../../../src/temporal/health.ts'
import { openEnd, passCall, refuseCall } from '../../fixtures/grpc-pass.ts'
import { freshNamespace } from '../../harness/namespace.ts'

/** A way to the server that refuses calls of these methods, as Temporal Cloud refuses to add search attributes. */
const refused = new Set<string>()
const permissionDenied = '7'
let end: Awaited<ReturnType<typeof openEnd>>
let place: Awaited<ReturnType<typeof freshNamespace>>
beforeAll(async () => {
  place = await freshNamespace()
  end = await openEnd(createServer(), place.address, (upstream, stream, headers) => {
    const method = String(headers[':path']).split('/').at(-1)!
    if (refused.has(method)) refuseCall(stream, permissionDenied)
    else passCall(upstream, stream, headers)
  })
})
afterAll(() => end.close())

async function healthAt(address: string, namespace: string): Promise<string> {
  const temporal = openTemporal({ address, namespace })
  try {
    return await temporalHealth(temporal)
  } finally {
    await temporal.close()
  }
}

describe('the health of Temporal', () => {
  it('is down where nothing answers', async () => {
    expect(await healthAt(`127.0.0.1:${await freePort()}`, place.namespace)).toBe('down')
  })

  it('is misconfigured where the namespace does not exist', async () => {
    expect(await healthAt(end.address, 'nowhere')).toBe('misconfigured')
  })

  it('is misconfigured where the caller is rejected', async () => {
    refused.add('ListSearchAttributes')
    expect(await healthAt(end.address, place.namespace)).toBe('misconfigured')
    refused.clear()
  })

  it('is misconfigured while search attributes are missing that Carillon may not add', async () => {
    refused.add('AddSearchAttributes')
    expect(await healthAt(end.address, place.namespace)).toBe('misconfigured')
    refused.clear()
    expect(await healthAt(end.address, place.namespace)).toBe('ok')
    refused.add('AddSearchAttributes')
    expect(await healthAt(end.address, place.namespace)).toBe('ok')
    refused.clear()
  })
})
