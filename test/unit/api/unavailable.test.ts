import { expect, it } from 'vitest'
import { isUnavailable } from '../../../src/db/unavailable.ts'

const withCode = (code: string) => Object.assign(new Error('x'), { code })

it.each([
  '08006',
  '57P01',
  '57P03',
  '57014',
  '53300',
  '40P01',
  '40001',
  '55P03',
  '25006',
  '58030',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'EAI_FAIL',
])('%s is a temporary failure', (code) => {
  expect(isUnavailable(withCode(code))).toBe(true)
})

it.each(['23505', '22P02', '42P01', '08P01', '25001', '58P01', 'ENOENT'])('%s is not', (code) => {
  expect(isUnavailable(withCode(code))).toBe(false)
})

it('a full pool and a broken connection are temporary failures, though the driver gives them no code', () => {
  expect(isUnavailable(new Error('timeout exceeded when trying to connect'))).toBe(true)
  expect(isUnavailable(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(isUnavailable(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true)
})

it('an error from elsewhere is not', () => {
  for (const thrown of [new TypeError('x is not a function'), 'text', undefined])
    expect(isUnavailable(thrown)).toBe(false)
})
