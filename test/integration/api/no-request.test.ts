import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
beforeAll(async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' })
})

/** The response to these bytes on a separate connection. */
function answerTo(bytes: string): Promise<string> {
  const { port } = api.app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    let all = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    socket.on('error', reject)
    socket.on('data', (data) => {
      all += data
    })
    socket.on('close', () => resolve(all))
  })
}

const head = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'

describe('an invalid request', () => {
  it.each([
    ['not HTTP', 'NONSENSE\r\n\r\n'],
    ['without a host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['with a host that is none', 'GET /docs/ HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['with a path for a host', 'GET /docs/ HTTP/1.1\r\nHost: x/y\r\nConnection: close\r\n\r\n'],
    ['for a tunnel', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['with headers that are too long', `${head}X: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['with a NUL character in a header', `${head}X: \u0000\r\n\r\n`],
    ['with a path that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['with two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['with a length, in chunks', `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
    ['with an unknown method', 'FOO /livez HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('is answered in the error format: %s', async (_, bytes) => {
    const text = await answerTo(bytes)
    expect(text).toMatch(/^HTTP\/1.1 400 /)
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).error.code).toBe('validation_error')
  })

  it('an unknown expectation is ignored', async () => {
    expect(await answerTo(`${head}Expect: the unexpected\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /)
  })

  it.each(['/nowhere', '/v1', '/v1/messages/%zz', '/v1/messages/a/b/c', '//'])(
    'and an unknown path is not found: %s',
    async (url) => {
      const response = await api.app.inject({ url, method: 'POST', payload: {} })
      expect([response.statusCode, response.json().error.code]).toEqual([404, 'not_found'])
    },
  )
})
