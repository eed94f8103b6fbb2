import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { limits } from '../../contract/limits.ts'
import { bareHost } from './address.ts'
import { AddressRefusedError } from './guarded-agent.ts'

/** Why there is no answer: the address is not allowed, or the call failed before its end. */
export type NoResponse = 'address_refused' | 'timeout' | 'no_connection'

/** A request whose answer is read. `body` undefined: none. */
export type Question = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string }

/**
 * The answer to a question. `body` null: it was not read, because the status is not 2xx or the answer is encoded (as a
 * compressed one is). Without a status: why there is no answer.
 */
export type AskResult =
  | { code: null; status: number; body: Buffer | null }
  | { code: NoResponse | 'too_large'; status: null }

/**
 * Asks one question on a connection of its own, so that no connection that the server has closed meanwhile is used, and
 * every address is checked. The name and the connection have `limits.lookupConnectMs`; then the answer has
 * `limits.lookupTimeoutMs` from the last byte of the request to its own last byte, and so has the request before it.
 * Follows no redirects, stores no cookies and uses no proxy. Never throws.
 */
export async function ask(
  connector: buildConnector.connector,
  url: URL,
  question: Question,
): Promise<AskResult> {
  const socket = await connect(connector, url)
  if (typeof socket === 'string') return { code: socket, status: null }
  try {
    return await exchange(socket, url, question)
  } finally {
    socket.destroy()
  }
}

/** A connection to the host of a URL, or why there is none. One that opens too late is closed. */
function connect(
  connector: buildConnector.connector,
  { protocol, hostname, host, port }: URL,
): Promise<Socket | NoResponse> {
  return new Promise((resolve) => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      resolve('no_connection')
    }, limits.lookupConnectMs)
    connector({ protocol, hostname: bareHost(hostname), host, port }, (error, socket) => {
      clearTimeout(timer)
      if (late) socket?.destroy()
      else if (error) resolve(error instanceof AddressRefusedError ? 'address_refused' : 'no_connection')
      else resolve(socket)
    })
  })
}

function exchange(socket: Socket, url: URL, { method, headers, body }: Question): Promise<AskResult> {
  return new Promise((resolve) => {
    const end = (result: AskResult) => {
      clearTimeout(timer)
      resolve(result)
    }
    const fail = (code: NoResponse) => end({ code, status: null })
    const wait = () => setTimeout(() => fail('timeout'), limits.lookupTimeoutMs)
    let timer = wait()

    const path = `${url.pathname}${url.search}`
    const request = httpRequest({
      createConnection: () => socket,
      method,
      path,
      headers: { host: url.host, ...headers },
    })
    // The system has all of the request.
    request.on('finish', () => {
      clearTimeout(timer)
      timer = wait()
    })
    request.on('response', (response) => read(response, end))
    request.on('error', () => fail('no_connection'))
    request.on('close', () => fail('no_connection'))
    request.end(body)
  })
}

/** Reads an answer up to the limit, if it is 2xx and not encoded. One that breaks off ends with its request. */
function read(response: IncomingMessage, end: (result: AskResult) => void): void {
  const { statusCode: status = 0, headers } = response
  const encoding = headers['content-encoding'] ?? 'identity'
  if (status < 200 || status > 299 || encoding.trim().toLowerCase() !== 'identity') {
    end({ code: null, status, body: null })
    return
  }
  const chunks: Buffer[] = []
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > limits.lookupAnswerBytes) end({ code: 'too_large', status: null })
  })
  response.on('error', () => {})
  response.on('end', () => {
    if (response.complete) end({ code: null, status, body: Buffer.concat(chunks) })
  })
}
