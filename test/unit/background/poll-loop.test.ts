import { Writable } from 'node:stream'
import { pino } from 'pino'
import { register } from 'prom-client'
import { expect, test } from 'vitest'
import { pollLoop } from '../../../src/background/poll-loop.ts'
import { scrub } from '../../../src/domain/lib/scrub.ts'

const silent = pino({ level: 'silent' })

test('a failed round logs the error and its location, without personal data, and runs again', async () => {
  const lines: string[] = []
  const to = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line))
      done()
    },
  })
  const log = pino({ serializers: { err: scrub } }, to)
  const again = Promise.withResolvers<void>()
  let rounds = 0

  const run = async () => {
    rounds += 1
    if (rounds === 1) throw new TypeError('nobody is called "Lin Chia-jung"')
    again.resolve()
    return false
  }
  const running = pollLoop({ name: 'letter-write', everyMs: 1, run }, log)
  await again.promise
  await running.stop()

  expect(JSON.parse(lines[0]!)).toMatchObject({
    task: 'letter-write',
    err: { name: 'TypeError', message: 'nobody is called …' },
  })
  expect(lines[0]).toContain('poll-loop.test.ts')
  expect(lines[0]).not.toContain('Lin Chia-jung')
  expect(await register.metrics()).toContain('carillon_background_failures_total{task="letter-write"} 1')
})

test('a slow item delays only its own lane', async () => {
  const held = Promise.withResolvers<void>()
  const others = Promise.withResolvers<void>()
  const left = ['held', ...Array.from({ length: 20 }, () => 'other')]
  const run = async () => {
    const item = left.shift()
    if (item === 'held') await held.promise
    if (left.length === 0) others.resolve()
    return item !== undefined
  }
  const lanes = pollLoop({ name: 'x', everyMs: 1, lanes: 2, run }, silent)
  await others.promise
  held.resolve()
  await lanes.stop()
  expect(left).toEqual([])
})

test('stopped lanes start nothing more, and finish what they have started', async () => {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  let ended = 0
  const run = async () => {
    begun.resolve()
    await end.promise
    ended += 1
    return true
  }
  const lanes = pollLoop({ name: 'x', everyMs: 1, lanes: 1, run }, silent)
  await begun.promise
  const stopped = lanes.stop()
  end.resolve()
  await stopped
  expect(ended).toBe(1)
})

test('a round that leaves work is followed at once, and a failed one after its own pause', async () => {
  const at: number[] = []
  const fourth = Promise.withResolvers<void>()
  const run = async () => {
    at.push(performance.now())
    if (at.length === 2) throw new Error('refused')
    if (at.length === 4) fourth.resolve()
    return at.length === 1
  }
  const running = pollLoop({ name: 'x', everyMs: 200, afterFailureMs: 20, run }, silent)
  await fourth.promise
  await running.stop()
  expect(at[2]! - at[1]!).toBeGreaterThanOrEqual(19)
  expect(at[3]! - at[2]!).toBeGreaterThanOrEqual(199)
  expect(at[1]! - at[0]!).toBeLessThan(at[3]! - at[2]!)
})

test('work that a round has started without awaiting it is awaited at the end', async () => {
  const ended: string[] = []
  const run = async () => false
  const finish = async () => void ended.push('the tries under way')
  await pollLoop({ name: 'x', everyMs: 1, run, finish }, silent).stop()
  expect(ended).toEqual(['the tries under way'])
})
