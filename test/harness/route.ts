import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * The state of the route to a server. `open`; `mute`: requests arrive, responses do not; `silent`: nothing arrives in
 * either direction (a half-open connection); `gone`: connections are closed, new ones refused.
 */
export type RouteState = 'open' | 'mute' | 'silent' | 'gone'

/** A TCP proxy on 127.0.0.1 in front of a real server. */
export interface Route {
  port: number
  /** Sets the state of existing and new connections. A muted or silent connection never recovers. */
  set(state: RouteState): void
  /** Closes the connections, and leads new ones to another server on 127.0.0.1. */
  lead(targetPort: number): void
  /** Bytes written to connections on which no response will come. */
  unanswered(): number
  close(): Promise<void>
}

export async function openRoute(firstTarget: number): Promise<Route> {
  let targetPort = firstTarget
  let state: RouteState = 'open'
  let unanswered = 0
  const pairs = new Set<Pair>()
  const server = createServer((client) => {
    if (state === 'gone') return void client.destroy()
    const pair = join(client, targetPort, state)
    client.on('data', (bytes) => {
      if (!pair.isOpen()) unanswered += bytes.length
    })
    pairs.add(pair)
    pair.ended.then(() => pairs.delete(pair))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address !== 'object') throw new Error('The proxy does not listen on a port')
  return {
    port: address.port,
    set(next) {
      state = next
      if (next === 'open') return
      for (const pair of pairs) pair.set(next)
    },
    lead(port) {
      targetPort = port
      for (const pair of pairs) pair.set('gone')
    },
    unanswered: () => unanswered,
    async close() {
      for (const pair of pairs) pair.set('gone')
      server.close()
    },
  }
}

type Pair = { isOpen(): boolean; set(state: RouteState): void; ended: Promise<unknown> }

function join(client: Socket, targetPort: number, first: RouteState): Pair {
  let state = first
  const target = connect(targetPort, '127.0.0.1')
  const end = () => {
    client.destroy()
    target.destroy()
  }
  client.on('data', (bytes) => void (state !== 'silent' && target.write(bytes)))
  target.on('data', (bytes) => void (state === 'open' && client.write(bytes)))
  for (const socket of [client, target]) {
    socket.on('error', () => {})
    socket.on('close', () => state === 'open' && end())
  }
  return {
    isOpen: () => state === 'open',
    set(next) {
      state = next
      if (next === 'gone') end()
    },
    // The server may keep a connection that its client has closed, or refuse it.
    ended: new Promise((resolve) => target.once('close', resolve)),
  }
}
