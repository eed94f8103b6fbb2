import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { exclusions, lookupErrors } from '../../../src/contract/enums.ts'

const root = resolve(import.meta.dirname, '../../..')
const page = readFileSync(resolve(root, 'docs/api/reasons.md'), 'utf8')
/** Every code in the first column of a table. */
const pageCodes = new Set(
  [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, code]) => code!),
  ),
)

/** Where reasons are written, and what stands around them there. */
const sources: [file: string, pattern: RegExp][] = [
  ['src/domain/audience/audience.ts', /SkipReason = .*/g],
  ['src/db/queries/delivery/wave-end.ts', /RemainingSkipReason = .*/g],
  ['src/activities/delivery/fallback.ts', /reason = '\w+'/g],
  ['src/activities/delivery/recipient-batch.ts', /reason: '\w+'/g],
  ['src/domain/message/settlement.ts', /reason: '\w+'/g],
  ['src/channels/chat/answers.ts', /(code: |\/i, )'\w+'/g],
  ['src/channels/chat/client.ts', /code: ('\w+' \| )+'\w+'/g],
  ['src/channels/email/replies.ts', /\['(deferred|refused|unavailable)', '\w+'\]/g],
  ['src/channels/email/mailing.ts', /code: '\w+'/g],
  ['src/channels/email/failure.ts', /NoResponseCode = .*/g],
  ['src/domain/scenario/choose-way.ts', /(reason: |unknown\(|pushesSpent = )'\w+'/g],
  ['src/domain/scenario/advance.ts', /reason: '\w+'/g],
  ['src/domain/scenario/walk.ts', /reason: '\w+'/g],
  ['src/domain/scenario/jumps.ts', /jumpCircle = '\w+'/g],
]

it.each(sources)('the page of reasons explains each of %s', (file, pattern) => {
  const codes = [...readFileSync(resolve(root, file), 'utf8').matchAll(pattern)].flatMap(([text]) =>
    [...text.matchAll(/'(\w+)'/g)].map(([, code]) => code!),
  )
  expect(codes.length, 'the pattern finds none').toBeGreaterThan(0)
  const kinds = ['deferred', 'refused', 'unavailable']
  expect(codes.filter((code) => !pageCodes.has(code) && !kinds.includes(code))).toEqual([])
})

it('the page of reasons explains exclusions and failed Lookups', () => {
  for (const code of [...exclusions, ...lookupErrors]) expect(pageCodes).toContain(code)
})
