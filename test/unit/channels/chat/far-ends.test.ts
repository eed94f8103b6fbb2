import { describe, expect, it } from 'vitest'
import { outcomeOf } from '../../../../src/channels/chat/answers.ts'
import type { ChatEndpoint } from '../../../../src/channels/chat/endpoint.ts'

const reference = 'https://developers.line.biz/en/reference/messaging-api/'
const openApi = 'github.com/line/line-openapi messaging-api.yml'
const page429 = 'https://developers.line.biz/en/docs/messaging-api/handling-http-429-errors/'

/** `one`: this recipient is refused. `all`: the call is, for its content. */
type Means = 'sent' | `one ${string}` | `all ${string}` | 'limit' | 'slower' | 'account' | 'unclear' | 'later'
type Row = [endpoint: ChatEndpoint, status: number, body: unknown, means: Means]

const message = (text: string) => ({ message: text })
const invalid = (property: string) =>
  message(`The property, '${property}', in the request body is invalid (line: -, column: -)`)

/** What the chat provider answers, by the source that documents it, and what each answer means. */
const farEnd: Record<string, Row[]> = {
  [reference]: [
    ['push', 200, { sentMessages: [{ id: '461230966842064897', quoteToken: 'IStG5h1Tz7b' }] }, 'sent'],
    ['multicast', 200, {}, 'sent'],
    [
      'push',
      400,
      {
        message: 'The request body has 2 error(s)',
        details: [{ message: 'May not be empty', property: 'messages[0].text' }],
      },
      'all invalid_message',
    ],
    ['push', 400, message('A message (messages[0]) in the request body is invalid'), 'all invalid_message'],
    ['push', 400, invalid('to'), 'one invalid_recipient'],
    ['multicast', 400, invalid('to[1]'), 'one invalid_recipient'],
    ['push', 400, message('Failed to send messages'), 'all unreachable_recipient'],
    ['reply', 400, message('Invalid reply token'), 'all invalid_reply_token'],
    [
      'push',
      400,
      message('The request body could not be parsed as JSON (line: 1, column: 2)'),
      'all rejected',
    ],
    [
      'push',
      401,
      message(
        'Authentication failed due to the following reason: invalid token. Confirm that the access token in the authorization header is valid.',
      ),
      'account',
    ],
    ['push', 403, message('Access to this API is not available for your account'), 'account'],
    ['push', 404, message('Not found'), 'account'],
    ['push', 413, message('The request exceeds the maximum size'), 'all too_large'],
    ['push', 415, message("The content type, 'text/plain', is not supported"), 'account'],
    ['push', 500, message('The API has an internal error'), 'unclear'],
  ],
  [openApi]: [
    ['push', 409, message('The retry key is already accepted'), 'sent'],
    ['multicast', 409, message('The retry key is already accepted'), 'sent'],
  ],
  [page429]: [
    ['push', 429, message('The API rate limit has been exceeded. Try again later.'), 'slower'],
    ['push', 429, message('You have reached your monthly limit.'), 'limit'],
    ['push', 429, message('You have exceeded the target limit for additional messages.'), 'limit'],
    ['push', 429, undefined, 'slower'],
  ],
}

const to: Record<ChatEndpoint, string[]> = { push: ['Ua'], reply: ['Ua'], multicast: ['Ua', 'Ub'] }

function meaningOf(endpoint: ChatEndpoint, status: number, body: unknown): Means {
  const outcome = outcomeOf({ endpoint, to: to[endpoint] }, { status, headers: {}, body })
  switch (outcome.kind) {
    case 'accepted':
      return 'sent'
    case 'refused':
      return outcome.failed ? `one ${outcome.code}` : `all ${outcome.code}`
    case 'quota':
      return 'limit'
    case 'throttled':
      return 'slower'
    case 'misconfigured':
      return 'account'
    case 'unavailable':
      return outcome.certain ? 'later' : 'unclear'
    default:
      return 'later'
  }
}

describe.each(Object.entries(farEnd))('the chat provider, as %s has it', (_, rows) => {
  it.each(rows)('answers a %s with %i %j', (endpoint, status, body, means) => {
    expect(meaningOf(endpoint, status, body)).toBe(means)
  })
})

it.each([400, 402, 418, 422, 451, 599])(
  'an answer %i that no row knows suppresses nobody and settles one call',
  (status) => {
    const outcome = outcomeOf(
      { endpoint: 'push', to: ['Ua'] },
      { status, headers: {}, body: message('Something new') },
    )
    expect(outcome).not.toHaveProperty('failed')
    expect(outcome.kind).not.toBe('accepted')
  },
)
