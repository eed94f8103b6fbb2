import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Received = { headers: IncomingHttpHeaders; body: string }

/** A server of a unit's own on this machine: keeps what it was sent, and answers as told. */
export async function openReceiver() {
  const received: Received[] = []
  const answers: { status: number; headers?: Record<string, string> }[] = []
  const counted = { connections: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    const { status, headers } = answers.shift() ?? { status: 204 }
    response.writeHead(status, headers).end()
  })
  server.on('connection', () => counted.connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    counted,
    /** How the next requests are answered, one after another; later ones by 204. */
    answer: (...next: typeof answers) => void answers.push(...next),
  }
}
