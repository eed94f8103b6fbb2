import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ServiceError } from '../../contract/errors.ts'
import { bodyOf } from './errors.ts'

/**
 * What Node cannot read as HTTP (a broken request line, headers without end) gets an answer of our shape, then the
 * end.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (!socket.writable) {
    socket.destroy()
    return
  }
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
