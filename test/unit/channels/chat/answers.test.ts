import { describe, expect, it } from 'vitest'
import { outcomeOf, retryAfterMs, type SentCall } from '../../../../src/channels/chat/answers.ts'
import { endpointFor } from '../../../../src/channels/chat/endpoint.ts'

const to = ['Ua', 'Ub', 'Uc']
const answered = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  outcomeOf({ endpoint: 'multicast', to }, { status, headers, body })
const withMessage = (message: string) => ({ message })

describe('an answer of the provider', () => {
  it('is accepted only by the provider’s own body: a 200 of a gateway proves nothing', () => {
    expect(answered(200, {})).toEqual({ kind: 'accepted' })
    expect(answered(200, undefined)).toMatchObject({ kind: 'unavailable', certain: false })
    const push = (body: unknown) =>
      outcomeOf({ endpoint: 'push', to: ['Ua'] }, { status: 200, headers: {}, body })
    expect(push({ sentMessages: [{ id: '1' }] })).toEqual({ kind: 'accepted' })
    expect(push({})).toMatchObject({ kind: 'unavailable', certain: false })
  })

  it('keeps the request id; for a repeated key that of the accepted try', () => {
    expect(answered(200, {}, { 'x-line-request-id': 'r1' })).toEqual({ kind: 'accepted', requestId: 'r1' })
    const headers = { 'x-line-request-id': 'r2', 'x-line-accepted-request-id': 'r1' }
    expect(answered(409, withMessage('The retry key is already accepted'), headers)).toEqual({
      kind: 'accepted',
      requestId: 'r1',
    })
  })

  it('does not count every 409 as accepted', () => {
    expect(answered(409, withMessage('Conflict'))).toMatchObject({ kind: 'unavailable', certain: false })
  })

  it('distinguishes the two meanings of 429 by the message', () => {
    expect(answered(429, withMessage('You have reached your monthly limit.'))).toEqual({ kind: 'quota' })
    const busy = withMessage('The API rate limit has been exceeded. Try again later.')
    expect(answered(429, busy, { 'retry-after': '3' })).toEqual({ kind: 'throttled', retryAfterMs: 3_000 })
    expect(answered(429, undefined)).toEqual({ kind: 'throttled' })
  })

  it('returns the recipients that a rejection names, in details or in its message', () => {
    const details = [
      { message: 'Not a user', property: 'to[2]' },
      { property: 'to[0]' },
      { property: 'to[9]' },
    ]
    expect(answered(400, { ...withMessage('The request body has 3 error(s)'), details })).toEqual({
      kind: 'refused',
      code: 'invalid_recipient',
      failed: ['Uc', 'Ua'],
    })
    const property = withMessage("The property, 'to[1]', in the request body is invalid (line: -, column: -)")
    expect(answered(400, property)).toMatchObject({ failed: ['Ub'] })
    const push: SentCall = { endpoint: 'push', to: ['Ua'] }
    const alone = withMessage("The property, 'to', in the request body is invalid (line: -, column: -)")
    expect(outcomeOf(push, { status: 400, headers: {}, body: alone })).toMatchObject({ failed: ['Ua'] })
  })

  it.each([
    ['Invalid reply token', 'invalid_reply_token'],
    ['The retry key is invalid', 'invalid_retry_key'],
    ['Failed to send messages', 'unreachable_recipient'],
    ["The property, 'to', in the request body is invalid (line: -, column: -)", 'invalid_recipient'],
    ['A message (messages[0]) in the request body is invalid', 'invalid_message'],
    ['The request body has 2 error(s)', 'invalid_message'],
    ['Something new', 'rejected'],
  ])('gives the rejection «%s» the code %s', (message, code) => {
    expect(answered(400, withMessage(message))).toEqual({ kind: 'refused', code })
  })

  it('does not blame recipients for a 400 with another cause', () => {
    expect(answered(400, '<html>')).toMatchObject({
      kind: 'unavailable',
      code: 'unexpected_answer',
      certain: true,
    })
  })

  it.each([301, 401, 403, 404, 410, 415])('with status %i needs a person', (status) => {
    expect(answered(status, withMessage('no'))).toEqual({ kind: 'misconfigured', code: `http_${status}` })
  })

  it.each([500, 502, 503, 504])('with status %i is unclear: it may have been accepted', (status) => {
    expect(answered(status, '<html>', { 'retry-after': '1' })).toEqual({
      kind: 'unavailable',
      code: `http_${status}`,
      certain: false,
      retryAfterMs: 1_000,
    })
  })

  it('is definite for a request that was too large or never arrived in full', () => {
    expect(answered(413, withMessage('Too large'))).toEqual({ kind: 'refused', code: 'too_large' })
    expect(answered(408, undefined)).toEqual({ kind: 'unavailable', code: 'http_408', certain: true })
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T10:00:00Z')

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s is %s ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms)
  })
})

describe('the call for a number of people', () => {
  it('is push for one, multicast up to 500, and none beyond', () => {
    expect([1, 2, 500].map(endpointFor)).toEqual(['push', 'multicast', 'multicast'])
    expect(() => endpointFor(501)).toThrow(RangeError)
    expect(() => endpointFor(0)).toThrow(RangeError)
  })
})
