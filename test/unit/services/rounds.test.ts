import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { scrub } from '../../../src/domain/scrub.ts'
import { startLanes, startRounds } from '../../../src/services/rounds.ts'

test('a round that fails says why and where, without what people wrote, and comes again', async () => {
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

  const running = startRounds({ log, what: 'letters', everyMs: 1 }, async () => {
    rounds += 1
    if (rounds === 1) throw new TypeError('nobody is called "Lin Chia-jung"')
    again.resolve()
    return false
  })
  await again.promise
  await running.stop()

  expect(JSON.parse(lines[0]!)).toMatchObject({
    what: 'letters',
    err: { name: 'TypeError', message: 'nobody is called …' },
  })
  expect(lines[0]).toContain('rounds.test.ts')
  expect(lines[0]).not.toContain('Lin Chia-jung')
})

test('an item that takes long holds up its own lane alone', async () => {
  const held = Promise.withResolvers<void>()
  const others = Promise.withResolvers<void>()
  const left = ['held', ...Array.from({ length: 20 }, () => 'other')]
  const lanes = startLanes({ log: pino({ level: 'silent' }), what: 'x', everyMs: 1, lanes: 2 }, async () => {
    const item = left.shift()
    if (item === 'held') await held.promise
    if (left.length === 0) others.resolve()
    return item !== undefined
  })
  await others.promise
  held.resolve()
  await lanes.stop()
  expect(left).toEqual([])
})

test('lanes begin nothing any more once they are stopped, and end what they have begun', async () => {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  let ended = 0
  const lanes = startLanes({ log: pino({ level: 'silent' }), what: 'x', everyMs: 1, lanes: 1 }, async () => {
    begun.resolve()
    await end.promise
    ended += 1
    return true
  })
  await begun.promise
  const stopped = lanes.stop()
  end.resolve()
  await stopped
  expect(ended).toBe(1)
})
