import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { checkPorts, freePort } from '../../../dev/ports.ts'

it('names every busy port with its setting', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as { port: number }
  const free = await freePort()
  const check = checkPorts([
    { what: 'the API', port, setting: 'PORT' },
    { what: 'Postgres', port: free, setting: 'POSTGRES_PORT' },
  ])
  await expect(check).rejects.toThrow(
    `Port ${port} (the API) is used by another process. Set PORT to a free port, or PORT_BASE, such as PORT_BASE=5600, to move all.`,
  )
  server.close()
})

it('rejects one port for two processes', async () => {
  const port = await freePort()
  const check = checkPorts([
    { what: 'the API', port, setting: 'PORT' },
    { what: 'Postgres', port, setting: 'POSTGRES_PORT' },
  ])
  await expect(check).rejects.toThrow('Set POSTGRES_PORT to another')
})

/** Of about 12,000: without an agreement, some of so many are the same. */
const many = 300
const portsFile = resolve(import.meta.dirname, '../../../dev/ports.ts')
const ofAnotherProcess = `
  const { freePort } = await import(${JSON.stringify(portsFile)})
  const ports = await Promise.all(Array.from({ length: ${many} }, freePort))
  console.log(JSON.stringify(ports))`

it('gives a port to one process only, and none that the system hands out', async () => {
  const ours = await Promise.all(Array.from({ length: many }, freePort))
  const args = ['--input-type=module', '--eval', ofAnotherProcess]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const ports = [...ours, ...(JSON.parse(stdout) as number[])]
  expect(new Set(ports).size).toBe(2 * many)
  expect(Math.max(...ports)).toBeLessThan(32_768)
})
