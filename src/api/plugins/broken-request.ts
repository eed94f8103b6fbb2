import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { bodyOf } from './errors.ts'

/**
 * What Node cannot read as HTTP (a broken request line, headers without end) gets an answer of our shape, then the
 * end.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) refuse(socket)
  else socket.destroy()
}

/**
 * Answers what Node would answer with a bare status, or not at all: no Host (the server is to be told to let that through),
 * an expectation nobody knows, which may be ignored (RFC 9110, 10.1.1), and CONNECT.
 */
export function answerBareRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1')
      throw new ServiceError('validation_error', 'Send a Host header, as HTTP/1.1 asks for.')
  })
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => refuse(socket))
}

function refuse(socket: Duplex): void {
  const { status, ...answer } = refusal
  const body = JSON.stringify(bodyOf(answer))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

const { code, message, details, status } = new ServiceError(
  'validation_error',
  'This is no HTTP request we can read.',
)
const refusal = { code, message, details, status }
