import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type AllowedTarget, readAllowedTarget } from '../../../src/domain/lib/allowed-target.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { hostResolver, type Resolve } from '../../../src/services/outbound/resolve-host.ts'
import { openReceiver } from '../../fixtures/callback-receiver.ts'
import { eventually } from '../../harness/eventually.ts'

/** Longer than any of these calls takes. */
const call = { headers: {}, body: '{}', timeoutMs: 60_000 }
/** A Lookup passes the same guard. */
const question = { method: 'GET', headers: {} } as const

function outbound(options: { allow?: AllowedTarget[]; resolve?: Resolve } = {}) {
  const opened = openOutbound({ allow: [], ...options })
  onTestFinished(() => opened.close())
  return opened
}

/** A name server that gives these answers, one after another. */
function answering(...answers: string[][]): Resolve {
  return async () => {
    const addresses = answers.shift() ?? []
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
}

const loopback = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '127%2e0%2e0%2e1',
  'localhost',
  'localhost.',
  'LOCALHOST',
  '0.0.0.0',
  '0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
]

it.each(loopback)('the loopback written as %s is not called', async (host) => {
  const canary = await openReceiver()
  const { post, ask } = outbound()
  const url = `https://${host}:${canary.port}/`
  expect(await post(url, call)).toEqual({ status: null, code: 'address_refused' })
  expect(await ask(url, question)).toEqual({ status: null, code: 'address_refused' })
  expect(canary.counted.connections).toBe(0)
})

const elsewhere = [
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '127.0.0.2',
  '127.255.255.254',
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.64.0.1',
  '100.100.100.200',
  '0.1.2.3',
  '192.0.0.8',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::10.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::]',
  '[2001:0:7f00:1::]',
  '[2001:db8::1]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[fc00::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
]

it.each(elsewhere)('%s is rejected at registration and at delivery', async (host) => {
  const { faultOf, post, ask } = outbound()
  expect(faultOf(`https://${host}/`)).toMatchObject({ rule: 'not_public' })
  expect(await post(`https://${host}/`, call)).toEqual({ status: null, code: 'address_refused' })
  expect(await ask(`https://${host}/`, question)).toEqual({ status: null, code: 'address_refused' })
})

it.each(elsewhere)('a name that resolves to %s is rejected', async (host) => {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const { faultOf, post, ask } = outbound({ resolve: answering([address], [address]) })
  const url = 'https://hooks.example.edu/'
  expect(faultOf(url)).toBeNull()
  expect(await post(url, call)).toEqual({ status: null, code: 'address_refused' })
  expect(await ask(url, question)).toEqual({ status: null, code: 'address_refused' })
})

it('a name with one private address among public ones is rejected', async () => {
  const canary = await openReceiver()
  const { post } = outbound({ resolve: answering(['93.184.215.14', '127.0.0.1']) })
  const attempt = await post(`https://two.example.edu:${canary.port}/`, call)
  expect(attempt).toEqual({ status: null, code: 'address_refused' })
  expect(canary.counted.connections).toBe(0)
})

it('a name that resolves to a public address first and to a private one later is not called', async () => {
  const canary = await openReceiver()
  // No server listens there, on any network.
  const { post } = outbound({ resolve: answering(['1.0.0.0'], ['127.0.0.1'], ['127.0.0.1']) })
  const url = `https://rebound.example.edu:${canary.port}/`
  expect(await post(url, { ...call, timeoutMs: 200 })).toMatchObject({ status: null })
  expect(await post(url, call)).toEqual({ status: null, code: 'address_refused' })
  expect(canary.counted.connections).toBe(0)
})

it.each(['http://localhost', 'http://[::1]', 'http://169.254.169.254', 'http://127.1'])(
  'a redirect to %s is not followed',
  async (target) => {
    const [front, canary] = [await openReceiver(), await openReceiver()]
    front.answer({ status: 307, headers: { location: `${target}:${canary.port}/` } })
    const { post } = outbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
    expect(await post(front.url, call)).toEqual({ status: 307, code: null })
    expect(canary.counted.connections).toBe(0)
  },
)

it('only https is called, and no URL with a password in it', () => {
  const { faultOf } = outbound()
  expect(faultOf('http://hooks.example.edu/')).toMatchObject({ rule: 'not_https' })
  expect(faultOf('https://me:secret@hooks.example.edu/')).toMatchObject({ rule: 'has_credentials' })
  expect(faultOf('https://hooks.example.edu/')).toBeNull()
})

it('an allowed host is called at any address and without TLS, and in no other spelling', async () => {
  const receiver = await openReceiver()
  const { post } = outbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
  expect(await post(receiver.url, call)).toEqual({ status: 204, code: null })
  const other = receiver.url.replace('127.0.0.1', 'localhost')
  expect(await post(other, call)).toEqual({ status: null, code: 'address_refused' })
  expect(receiver.received).toHaveLength(1)
})

it('an allowed host is called at its port only, or at every port if so allowed', async () => {
  const [open, other] = [await openReceiver(), await openReceiver()]
  const only = outbound({ allow: [{ host: '127.0.0.1', port: open.port }] })
  expect(await only.post(open.url, call)).toEqual({ status: 204, code: null })
  expect(only.faultOf(other.url)).not.toBeNull()
  expect(await only.post(other.url, call)).toEqual({ status: null, code: 'address_refused' })
  const secure = other.url.replace('http:', 'https:')
  expect(await only.post(secure, call)).toEqual({ status: null, code: 'address_refused' })
  const alone = outbound({ allow: [readAllowedTarget('127.0.0.1')!] })
  expect(await alone.post(open.url, call)).toEqual({ status: null, code: 'address_refused' })
  const every = outbound({ allow: [readAllowedTarget('127.0.0.1:*')!] })
  expect(await every.post(other.url, call)).toEqual({ status: 204, code: null })
  expect(other.received).toHaveLength(1)
})

it('a name that is allowed at one port may be private at that port only', async () => {
  const receiver = await openReceiver()
  const resolve = answering(['127.0.0.1'])
  const { post } = outbound({ allow: [{ host: 'hooks.example.edu', port: 1 }], resolve })
  const attempt = await post(`https://hooks.example.edu:${receiver.port}/`, call)
  expect(attempt).toEqual({ status: null, code: 'address_refused' })
  expect(receiver.counted.connections).toBe(0)
})

it('a timeout and an unreachable server have different codes', async () => {
  const { post } = outbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  expect(await post(url, { ...call, timeoutMs: 100 })).toEqual({ status: null, code: 'timeout' })
  expect(await post('http://127.0.0.1:1/', call)).toEqual({ status: null, code: 'no_connection' })
})

/** A name server on this machine; `answer` makes the reply to a question, or null for none. Counts the questions. */
async function nameServer(answer: (question: Buffer) => Buffer | null) {
  const socket = createSocket('udp4')
  const counted = { questions: 0 }
  socket.on('message', (question, from) => {
    counted.questions += 1
    const reply = answer(question)
    if (reply) socket.send(reply, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { resolve: hostResolver([`127.0.0.1:${socket.address().port}`]), counted }
}

const [flagsAt, answersAt] = [2, 6]
/** "No such name" (NXDOMAIN). */
function noSuchName(question: Buffer): Buffer {
  const reply = Buffer.from(question)
  reply.writeUInt16BE(0x8183, flagsAt)
  return reply
}
/** This address for a question about IPv4, and none for others. */
function hasAddress(...bytes: number[]): (question: Buffer) => Buffer {
  return (question) => {
    const reply = Buffer.from(question)
    reply.writeUInt16BE(0x8180, flagsAt)
    // Behind the name, which ends with a zero byte, stands the type: 1 for IPv4.
    if (question.readUInt16BE(question.indexOf(0, 12) + 1) !== 1) return reply
    reply.writeUInt16BE(1, answersAt)
    return Buffer.concat([reply, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...bytes])])
  }
}

it('a name that does not exist and a private one are answered the same', async () => {
  const missing = await nameServer(noSuchName)
  const inner = await nameServer(hasAddress(10, 0, 0, 1))
  for (const { resolve, counted } of [missing, inner]) {
    const { post } = outbound({ resolve })
    expect(await post('https://payroll.inner.example.edu/', call)).toEqual({
      status: null,
      code: 'address_refused',
    })
    expect(counted.questions).toBeGreaterThan(0)
  }
})

it('a name with a public address is resolved by the name server', async () => {
  const { resolve } = await nameServer(hasAddress(93, 184, 215, 14))
  expect(await resolve('hooks.example.edu')).toEqual([{ address: '93.184.215.14', family: 4 }])
})

it('name servers that do not answer end the call, and hold up nothing else in the process', async () => {
  const { resolve, counted } = await nameServer(() => null)
  const { post } = outbound({ resolve })
  const ended: string[] = []
  const calls = Array.from({ length: 16 }, (_, n) =>
    post(`https://hooks-${n}.example.edu/`, call).then(({ code }) => ended.push(code ?? 'answered')),
  )
  await eventually(() => expect(counted.questions).toBeGreaterThanOrEqual(32))
  await readFile(import.meta.filename)
  expect(ended).toEqual([])
  await Promise.all(calls)
  expect(ended).toEqual(Array(16).fill('address_refused'))
})
