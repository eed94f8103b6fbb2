import { spawn } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { type LookupCall, lookUp } from '../../../src/services/lookups/look-up.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { hasPython } from '../../fixtures/python.ts'
import { eventKeys } from '../../fixtures/services.ts'
import { temporaryDir } from '../../fixtures/simulator.ts'
import { eventually } from '../../harness/eventually.ts'

const root = resolve(import.meta.dirname, '../../..')
const page = join(root, 'docs/api/lookups.md')

/** The server of the page in a language, as a process; returns its address. */
async function serve(language: 'ts' | 'python', command: string): Promise<string> {
  const blocks = (await readFile(page, 'utf8')).matchAll(new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 'gs'))
  const code = [...blocks].map(([, text]) => text).join('\n\n\n')
  const folder = await temporaryDir()
  const file = join(folder, language === 'ts' ? 'server.ts' : 'server.py')
  await writeFile(file, code)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules')) // where it finds the client
  const port = await freePort()
  const SIGNING_KEYS = JSON.stringify(Object.fromEntries(eventKeys))
  const ORIGIN = `http://127.0.0.1:${port}`
  const env = { ...process.env, PORT: String(port), ORIGIN, SIGNING_KEYS }
  const child = spawn(command, [file], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  await eventually(
    () =>
      new Promise<void>((done, fail) => {
        const socket = createConnection(port, '127.0.0.1', () => socket.end(done))
        socket.on('error', fail)
      }),
  )
  return `${ORIGIN}/orders`
}

const subject = '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f'
const key = { id: 'new', secret: eventKeys.get('new')! }

describe.each([
  ['ts', process.execPath, true],
  ['python', 'python3', hasPython()],
] as const)('the server of docs/api/lookups.md in %s', (language, command, installed) => {
  it.skipIf(!installed)('answers signed Lookups, and no others', async () => {
    const url = await serve(language, command)
    const hosts = ['127.0.0.1', 'localhost']
    const outbound = openOutbound({ allow: hosts.map((host) => ({ host, port: '*' as const })) })
    onTestFinished(() => outbound.close())
    const look = (method: LookupCall['method'], parts: Partial<LookupCall> = {}) =>
      lookUp(outbound, { method, url, subject, variables: { orderId: 'A 1&書' }, key, ...parts })
    const order = { id: 'A 1&書', status: 'shipped' }
    for (const method of ['GET', 'POST'] as const) {
      expect(await look(method)).toEqual({ outcome: 'found', fields: { order }, dropped: 0 })
      expect(await look(method, { key: { ...key, secret: 'another' } })).toEqual({ outcome: 'status' })
      expect(await look(method, { key: { ...key, id: 'gone' } })).toEqual({ outcome: 'status' })
      // The address is the server's, by a name that it does not know to be its own.
      const elsewhere = url.replace('127.0.0.1', 'localhost')
      expect(await look(method, { url: elsewhere })).toEqual({ outcome: 'status' })
    }
    for (const method of ['GET', 'POST'])
      expect((await fetch(url, { method, ...(method === 'POST' && { body: '{}' }) })).status).toBe(401)
  })
})
