import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { currentTraceparent, inSpan, joinTrace, stopTracing } from '../../../src/tracing/spans.ts'
import { type RecordedSpan, recordInMemory } from '../../fixtures/recorded-spans.ts'

const traceparent = (trace: string, span: string) => `00-${trace.repeat(32)}-${span.padStart(16, '0')}-01`

describe('while spans are recorded', () => {
  let started: RecordedSpan[]
  beforeEach(() => {
    started = recordInMemory()
  })
  afterEach(() => stopTracing())

  it('puts a span within the one that surrounds it, unless it names another', async () => {
    await inSpan('outer', {}, async () => {
      await inSpan('inner', {}, async () => expect(currentTraceparent()).toBe(traceparent('a', '2')))
      await inSpan('elsewhere', { parent: traceparent('b', '7') }, async () => {})
      await inSpan('alone', { parent: null }, async () => {})
    })
    expect(started.map(({ name, parent, ended }) => [name, parent, ended])).toEqual([
      ['outer', null, true],
      ['inner', traceparent('a', '1'), true],
      ['elsewhere', traceparent('b', '7'), true],
      ['alone', null, true],
    ])
    expect(currentTraceparent()).toBeNull()
  })

  it('fails a span by the code of an error, never by its text', async () => {
    const errors = [
      Object.assign(new Error('to lin@example.edu'), { code: 'ECONNRESET' }),
      Object.assign(new Error('x'), { code: 'lin@example.edu' }),
      Object.assign(new Error('x'), { type: 'provider_quota', code: 'other' }),
    ]
    for (const error of errors)
      await expect(inSpan('work', {}, () => Promise.reject(error))).rejects.toBe(error)
    expect(started.map(({ failed }) => failed)).toEqual(['ECONNRESET', 'internal', 'provider_quota'])
  })

  it('puts a row into the trace of a change, with a link to the one before; the same trace changes nothing', async () => {
    expect(joinTrace(traceparent('b', '7'))).toBe(traceparent('b', '7'))
    await inSpan('change', {}, async () => {
      expect(joinTrace(null)).toBe(traceparent('a', '1'))
      expect(joinTrace(traceparent('a', '7'))).toBe(traceparent('a', '7'))
      expect(started[0]!.links).toEqual([])
      expect(joinTrace(traceparent('b', '7'))).toBe(traceparent('a', '1'))
    })
    expect(started[0]!.links).toEqual([traceparent('b', '7')])
  })
})

it('does the work, and nothing else, while nothing is recorded', async () => {
  const work = inSpan('work', { parent: traceparent('b', '7') }, async (span) => {
    expect([span, currentTraceparent(), joinTrace(null)]).toEqual([undefined, null, null])
    return 'done'
  })
  expect(await work).toBe('done')
})
