import { createServer } from 'node:http'
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
    `Port ${port} (the API) is used by another process. Set PORT to a free port, e.g. PORT=${port + 1000}.`,
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
