import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostileCaller, HostileRequest } from './caller.ts'
import type { Outcome } from './connections.ts'

/** Abuse of connections rather than of requests, while `meanwhile` lasts. */
export type SocketLimit = (
  url: string,
  caller: HostileCaller,
  connections: number,
  meanwhile: () => Promise<void>,
) => Promise<Outcome[]>

export const socketLimits: Record<string, SocketLimit> = {
  'slow bodies': slowBodies,
  'cut bodies': cutBodies,
  'idle connections': idleConnections,
  pipelining: pipelining,
}

const idle = 500
const pipelined = 50
const drip = { bytes: 10, everyMs: 50 }

/** Each connection claims a long body and sends some bytes of it at a time. */
async function slowBodies(
  url: string,
  caller: HostileCaller,
  connections: number,
  meanwhile: () => Promise<void>,
): Promise<Outcome[]> {
  const requests = longBodies(caller)
  let over = false
  const connection = async (first: number) => {
    for (let n = first; !over; n += connections) {
      const { socket, outcome } = await open(url, requests[n % requests.length]!.operation)
      socket.write(head(requests[n % requests.length]!))
      while (!over && !socket.destroyed && outcome().status === 0) {
        socket.write(' '.repeat(drip.bytes))
        await sleep(drip.everyMs)
      }
      outcomes.push(outcome())
      socket.destroy()
    }
  }
  const outcomes: Outcome[] = []
  const all = Promise.all(Array.from({ length: connections }, (_, n) => connection(n)))
  await meanwhile()
  over = true
  await all
  return outcomes
}

/** Sends a part of a body, of every operation that has one, and ends the connection. */
async function cutBodies(url: string, caller: HostileCaller, connections: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const next = longBodies(caller).values()
  const connection = async () => {
    for (const request of next) {
      const { socket, outcome } = await open(url, request.operation)
      await new Promise<void>((done) => {
        socket.once('close', () => done())
        socket.write(head(request) + ' '.repeat(300_000), () => socket.destroy())
      })
      outcomes.push(outcome())
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return outcomes
}

/** Connections that send nothing, half a request line, or half of the headers. */
async function idleConnections(
  url: string,
  _caller: HostileCaller,
  _connections: number,
  meanwhile: () => Promise<void>,
): Promise<Outcome[]> {
  const starts = ['', 'GET /v1/mess', 'GET /v1/messages HTTP/1.1\r\nhost: a\r\nx-lo']
  const opened = await Promise.all(
    Array.from({ length: idle }, async (_, n) => {
      const connection = await open(url, 'idle')
      connection.socket.write(starts[n % starts.length]!)
      return connection
    }),
  )
  await meanwhile()
  for (const { socket } of opened) socket.destroy()
  return opened.map(({ outcome }) => outcome())
}

/** Many requests in one write; every second connection never reads a response. */
async function pipelining(
  url: string,
  caller: HostileCaller,
  connections: number,
  meanwhile: () => Promise<void>,
): Promise<Outcome[]> {
  const reads = caller.operations
    .filter(({ endpoint }) => endpoint.method === 'GET')
    .map((operation) => caller.request(operation, 'pipelined'))
  const opened = await Promise.all(
    Array.from({ length: connections }, async (_, n) => {
      const connection = await open(url, `pipelined over connection ${n}`)
      if (n % 2 === 1) connection.socket.pause()
      const mine = Array.from({ length: pipelined }, (_, at) => reads[(n + at) % reads.length]!)
      connection.socket.write(mine.map((request) => `${head(request)}`).join(''))
      return connection
    }),
  )
  await meanwhile()
  for (const { socket } of opened) socket.destroy()
  return opened.flatMap(({ outcomes }) => outcomes())
}

function longBodies(caller: HostileCaller): HostileRequest[] {
  return caller.operations
    .filter(({ endpoint }) => endpoint.body !== undefined || endpoint.upload !== undefined)
    .map((operation) => {
      const type = Object.keys(operation.endpoint.upload ?? {})[0] ?? 'application/json'
      const headers = { 'content-type': type, 'content-length': '1000000' }
      return caller.request(operation, 'slow or cut', { headers })
    })
}

function head({ method, path, headers }: HostileRequest): string {
  const lines = Object.entries({ host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

async function open(url: string, name: string) {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (part) => {
    text += part
  })
  socket.on('error', () => {}) // a connection that the server ends is an outcome
  await new Promise<void>((done) => {
    socket.once('connect', done)
    socket.once('close', done)
  })
  const outcomes = () =>
    text
      .split(/HTTP\/1\.1 (?=\d{3} )/)
      .slice(1)
      .map((answer) => ({
        name,
        status: Number(answer.slice(0, 3)),
        code: /"code":"(\w+)"/.exec(answer)?.[1] ?? '',
        message: /"message":"([^"]*)"/.exec(answer)?.[1] ?? '',
        retryAfter: /^retry-after: (\S+)/im.exec(answer)?.[1] ?? null,
        ms: 0,
      }))
  const none = { name, status: 0, code: 'cut', message: '', retryAfter: null, ms: 0 }
  return { socket, outcomes, outcome: (): Outcome => outcomes()[0] ?? none }
}
