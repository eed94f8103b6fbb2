import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  currentTraceparent,
  inSpan,
  joinTrace,
  recordSpans,
  type SpanOptions,
  stopTracing,
} from '../../../src/tracing.ts'

const traceparent = (trace: string, span: string) => `00-${trace.repeat(32)}-${span.repeat(16)}-01`

type Started = SpanOptions & { name: string; links: string[]; failed?: string; ended: boolean }

/** Records spans in this array. A span without a parent begins trace `a`; the spans of a trace are numbered. */
function record(): Started[] {
  const started: Started[] = []
  recordSpans({
    start(name, options) {
      const span: Started = { name, ...options, links: [], ended: false }
      started.push(span)
      const trace = options.parent?.slice(3, 35) ?? 'a'.repeat(32)
      return {
        traceparent: `00-${trace}-${String(started.length).repeat(16)}-01`,
        set() {},
        link: (to) => void span.links.push(to),
        fail: (type) => {
          span.failed = type
        },
        end: () => {
          span.ended = true
        },
      }
    },
    shutdown: async () => {},
  })
  return started
}

describe('while spans are recorded', () => {
  let started: Started[]
  beforeEach(() => {
    started = record()
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
