import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { broken } from '../../contract/rules.ts'
import { requestError } from '../../services/validation-error.ts'
import { bodyOf } from './errors.ts'

/**
 * Answers a request that Node cannot parse (a broken request line, endless headers) with an error body, then closes the
 * connection.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) refuse(socket)
  else socket.destroy()
}

/**
 * Answers what Node would answer with a bare status, or not at all: a missing Host (`requireHostHeader: false` lets it
 * through), one that names no host (RFC 9112, 3.2), an unknown expectation, which a server may ignore (RFC 9110, 10.1.1),
 * and CONNECT.
 */
export function answerBareRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, host }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1')
      throw requestError('Send a Host header, as HTTP/1.1 requires.', {
        path: 'headers.host',
        ...broken('missing'),
      })
    if (host && !isHost(host))
      throw requestError('The Host header names no host. Send that of this service.', {
        path: 'headers.host',
        ...broken('wrong_format', { format: 'host' }),
      })
  })
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => refuse(socket))
}

function isHost(text: string): boolean {
  return !/[\s/?#@\\]/.test(text) && URL.canParse(`http://${text}/`)
}

function refuse(socket: Duplex): void {
  const { status, ...answer } = refusal
  const body = JSON.stringify(bodyOf(answer))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

const { code, message, details, status } = requestError(
  'The HTTP request is malformed. Check the request line and the headers.',
  { path: '', ...broken('wrong_format', { format: 'http' }) },
)
const refusal = { code, message, details, status }
