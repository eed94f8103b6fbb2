import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { openTemporal } from '../../../src/temporal/client.ts'
import { temporalServerOf } from '../../../src/temporal/server.ts'
import { type Identity, makeAuthority } from '../../fixtures/certificates.ts'
import { insertMessageRows, messageRow } from '../../fixtures/message-rows.ts'
import { startTlsEnd, type TlsEnd } from '../../fixtures/tls-end.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { freshNamespace } from '../../harness/namespace.ts'
import { spawnProcess } from '../../harness/spawn.ts'

const [authority, other] = [makeAuthority('ours'), makeAuthority('another')]
const client = authority.issue('carillon')
const withoutKeys = { TEMPORAL_TLS_CERT: '', TEMPORAL_TLS_KEY: '', TEMPORAL_API_KEY: '' }
const certificateOf = ({ certificate, key }: Identity) => ({
  TEMPORAL_TLS_CERT: certificate,
  TEMPORAL_TLS_KEY: key,
})
let database: FreshDatabase
let end: TlsEnd
let settings: Record<string, string>
beforeAll(async () => {
  const place = await freshNamespace()
  database = await freshDatabase()
  const apiKey = 'key-of-carillon'
  const identity = authority.issue('temporal.test')
  end = await startTlsEnd({ server: place.address, identity, clients: authority, apiKey })
  settings = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: end.address,
    TEMPORAL_NAMESPACE: place.namespace,
    TEMPORAL_TLS: 'true',
    TEMPORAL_TLS_CA: authority.certificate,
    TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
    TEMPORAL_TLS_CERT: client.certificate,
    TEMPORAL_TLS_KEY: client.key.replaceAll('\n', '\\n'),
    TEMPORAL_API_KEY: apiKey,
  }
})
afterAll(async () => {
  await end.close()
  await database.drop()
})

describe('a Temporal server that asks for a client certificate and an API key', () => {
  it('is used by worker and API', async () => {
    const worker = await spawnProcess('worker', ['src/worker.ts'], settings)
    const id = await insertMessageRows(database.db, { state: 'submitted', expireIn: 1 })
    await eventually(async () => expect((await messageRow(database.db, id)).state).toBe('expired'))
    await worker.stop()
    const api = await spawnProcess('api', ['src/server.ts'], { ...settings, PORT: '0' })
    await api.logged(/Server listening at/)
    const [, url] = /Server listening at (http:[^"]+)/.exec(api.log())!
    const health = await (await fetch(`${url}/v1/health`)).json()
    expect(health).toMatchObject({ temporal: 'ok' })
    await api.stop()
    expect(worker.log() + api.log()).not.toMatch(/key-of-carillon|PRIVATE KEY/)
  })

  it('is not reached by processes that lack or mistake one of them', async () => {
    const before = end.passed()
    const unencrypted = {
      TEMPORAL_TLS: '',
      TEMPORAL_TLS_CA: '',
      TEMPORAL_TLS_SERVER_NAME: '',
      ...withoutKeys,
    }
    const mistakes = [
      unencrypted,
      { TEMPORAL_TLS_CERT: '', TEMPORAL_TLS_KEY: '' },
      certificateOf(other.issue('carillon')),
      { TEMPORAL_TLS_CA: other.certificate },
      { TEMPORAL_TLS_SERVER_NAME: 'elsewhere.test' },
      { TEMPORAL_API_KEY: 'key-of-another' },
    ]
    await Promise.all(
      mistakes.map(async (mistake) => {
        const server = temporalServerOf(readConfig({ ...settings, ...mistake }))
        const name = JSON.stringify(Object.keys(mistake))
        const temporal = openTemporal(server)
        const ask = () => temporal.connection.workflowService.getSystemInfo({})
        await expect(temporal.withDeadline(2_000, ask), name).rejects.toThrow()
        await temporal.close()
        const { address, tls, apiKey } = server
        await expect(NativeConnection.connect({ address, tls, apiKey }), name).rejects.toThrow()
      }),
    )
    expect(end.passed()).toBe(before)
  })
})
