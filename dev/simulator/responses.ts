import type { Detail } from './check-message.ts'

/** A response of the provider. */
export type Reply = { status: number; body: unknown; headers?: Record<string, string> }

/** The provider's error messages (LINE Messaging API reference, Error messages). */
export const providerTexts = {
  badToken: 'Authentication failed. Confirm that the access token in the authorization header is valid.',
  tooLarge: 'Request entity too large',
  notJson: 'The request body could not be parsed as JSON (line: -, column: -)',
  badProperty: (property: string) =>
    `The property, '${property}', in the request body is invalid (line: -, column: -)`,
  badReplyToken: 'Invalid reply token',
  badRetryKey: 'The retry key is invalid',
  repeatedKey: 'The retry key is already accepted',
  tooFast: 'The API rate limit has been exceeded. Try again later.',
  monthIsOver: 'You have reached your monthly limit.',
  notFound: 'Not found',
} as const

/** A rejection with a message only. */
export function refusal(status: number, message: string): Reply {
  return { status, body: { message } }
}

/** A rejection of a body with all its errors. */
export function badBody(details: Detail[]): Reply {
  return { status: 400, body: { message: `The request body has ${details.length} error(s)`, details } }
}

/** The default message for a status. */
export function defaultText(status: number): { message: string } {
  const usual: Record<number, string> = {
    400: 'The request body has 1 error(s)',
    401: providerTexts.badToken,
    403: 'Access to this API is not available for your account',
    404: providerTexts.notFound,
    413: providerTexts.tooLarge,
    429: providerTexts.tooFast,
  }
  return { message: usual[status] ?? (status < 500 ? 'Bad request' : 'Internal Server Error') }
}
