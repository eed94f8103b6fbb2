import { gzipSync } from 'node:zlib'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { controlRoutes } from '../control.ts'
import { type Numbered, openJournal } from '../journal.ts'
import { type Effect, ProducerFault, producerFaults } from './faults.ts'
import { tourOn } from './tours.ts'
import { refusalOf } from './verify.ts'

/** One Lookup as received. `refusal`: why it was answered with 401; null if its signature is Carillon's. */
export type ReceivedLookup = Numbered & {
  method: string
  path: string
  query: string
  headers: Record<string, unknown>
  body: string
  refusal: string | null
}

/** `port` 0 selects a free one; `dir` holds the journal; `keys`: the secrets of signing keys, by id. */
export type ProducerOptions = { port: number; dir: string; keys: ReadonlyMap<string, string> }

/** What a Lookup finds that is not about tours. */
const order = { id: 'A-1001', status: 'shipped', total: 1280, items: ['書', 'pen'] }

/**
 * Starts a producer's system on 127.0.0.1: it answers Lookups on `/lookups/tours` with the campus tour of a day, and on
 * other `/lookups/…` with an order. It has a journal and queued faults.
 */
export async function startProducer({ port, dir, keys }: ProducerOptions) {
  const faults = producerFaults()
  const journal = await openJournal<ReceivedLookup>(dir, () => {})
  const app = fastify({ forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.register(async (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
    controlRoutes(scope, { journal, faults, schema: ProducerFault })
  })
  app.register(async (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    scope.route({ method: ['GET', 'POST'], url: '/lookups/*', handler: answer })
  })

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const [path = '', query = ''] = request.raw.url!.split(/\?(.*)/s)
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const { method, headers } = request
    const target = `${method} http://${headers.host}${method === 'GET' ? path : request.raw.url}`
    const refusal = refusalOf(keys, { headers, content: method === 'GET' ? query : body, target })
    journal.append({ method, path, query, headers, body: body.toString(), refusal })
    if (refusal) return reply.code(401).send({ refusal })
    const tour = path === '/lookups/tours' ? tourOn(query) : undefined
    if (path === '/lookups/tours' && !tour) return reply.code(404).send({ message: 'No tour on this day.' })
    send(reply, tour ? { tour } : { order }, faults.take())
    return reply
  }

  const url = await app.listen({ port, host: '127.0.0.1' })
  return {
    url,
    async close() {
      await app.close()
      journal.close()
    },
  }
}

/** Sends the answer, past the framework: what is wrong with it is wrong byte for byte. */
function send(reply: FastifyReply, answer: object, effect: Effect): void {
  const { raw } = reply.hijack()
  const content = contentOf(answer, effect)
  const begin = () => {
    if (effect.cut === 'before-reply') return raw.destroy()
    raw.writeHead(effect.status ?? 200, {
      'content-type': 'application/json',
      ...(effect.compressed && { 'content-encoding': 'gzip' }),
      // A byte more than what is sent before the cut.
      ...(effect.cut && { 'content-length': content.length }),
      ...effect.headers,
    })
    if (effect.cut) raw.write(content.subarray(0, content.length - 1), () => raw.destroy())
    else if (effect.dripMs !== undefined) drip(content, effect.dripMs, 0)
    else raw.end(content)
  }
  const drip = (bytes: Buffer, ms: number, at: number) => {
    raw.flushHeaders()
    setTimeout(() => {
      if (raw.destroyed) return
      if (at === bytes.length) raw.end()
      else raw.write(bytes.subarray(at, at + 1), () => drip(bytes, ms, at + 1))
    }, ms)
  }
  if (effect.delayMs === undefined) begin()
  else setTimeout(begin, effect.delayMs)
}

function contentOf(answer: object, { body, bytes, compressed }: Effect): Buffer {
  const filling =
    bytes === undefined ? {} : { filling: 'x'.repeat(bytes - sizeOf({ ...answer, filling: '' })) }
  const content = body ?? JSON.stringify({ ...answer, ...filling })
  return compressed ? gzipSync(content) : Buffer.from(content)
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
