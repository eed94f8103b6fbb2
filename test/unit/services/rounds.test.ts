import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { scrub } from '../../../src/domain/scrub.ts'
import { startRounds } from '../../../src/services/rounds.ts'

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
