import type { IncomingHttpHeaders } from 'node:http'

/** A scheme alone: what tools such as the page at /docs send while their field for a token is empty. */
const withoutToken = /^\s*(bearer\s*)?$/i

/** The Authorization header of a request; undefined if it is missing or has no credential. */
export function authorizationOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization === undefined || withoutToken.test(authorization) ? undefined : authorization
}
