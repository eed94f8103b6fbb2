import { CarillonError, errorOf } from './error.ts'
import { type RepeatOptions, repeat } from './repeat.ts'

/**
 * Who calls: a system, by its producer key `hub_<id>_<secret>`; or a person, by the value of the cookie `hub_session` that
 * signing in to the console sets. Browsers do not let a script set a cookie header, so a session is for servers and
 * command lines.
 */
export type Credential = { key: string; session?: undefined } | { session: string; key?: undefined }

/** How to reach the service, and as whom. */
export type CarillonOptions = Credential & {
  /** The URL of the service: `https://hub.example.org`. */
  baseUrl: string
  /** Replaces the platform's fetch, to go through a proxy or to record calls in a test. */
  fetch?: typeof fetch | undefined
  /** The timeout of a request including its response, in ms; each retry has its own. Default: 30,000. */
  timeoutMs?: number | undefined
  /** How often a request that may be repeated is repeated. 0: never. Default: 3. */
  maxRetries?: number | undefined
  /**
   * How long one call waits between its attempts, all together, in ms. A service that asks for more (Retry-After) is left
   * alone: the error says for how long in `retryAfter`. Default: 5,000.
   */
  maxWaitMs?: number | undefined
}

/** What a request sends beside its method and path. */
export type RequestOptions = {
  /** Query parameters. Arrays become repeated parameters; undefined values are omitted. */
  query?: Record<string, unknown> | undefined
  /** Sent as JSON. */
  body?: unknown
  /**
   * Sent unchanged instead of `body`: a signature covers exactly this text. A Blob is a file, with its `content-type`
   * in `headers`.
   */
  raw?: string | Blob | undefined
  headers?: Record<string, string> | undefined
  /**
   * Whether a repeat does no harm, so that a lost answer and a 503 are repeated. Default: true for GET, and with the header
   * Idempotency-Key.
   */
  repeatable?: boolean | undefined
  /** Aborts the request and its retries. */
  signal?: AbortSignal | undefined
}

/** For methods that know the state a lost attempt leaves behind; see `RepeatOptions`. */
type CallOptions<T> = RequestOptions & Pick<RepeatOptions<T>, 'doneBefore'>

/** Makes one request, again if that is safe and may help, and returns the JSON of a success. @throws CarillonError */
export type Send = <T>(method: string, path: string, options?: CallOptions<T>) => Promise<T>

/**
 * A `Send` for one service and caller.
 * @throws TypeError if the options cannot be used; it does not repeat them, since a key is among them
 */
export function connectTo({
  baseUrl,
  timeoutMs = 30_000,
  maxRetries = 3,
  maxWaitMs = 5_000,
  fetch: doFetch = fetch,
  ...caller
}: CarillonOptions): Send {
  const base = baseOf(baseUrl)
  const credential = headersOf(caller)

  return async (method, path, { doneBefore, signal, repeatable, ...options } = {}) => {
    const content = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const headers = new Headers(credential)
    if (content !== undefined) headers.set('content-type', 'application/json')
    for (const [name, value] of Object.entries(options.headers ?? {})) setHeader(headers, name, value)
    const request: RequestInit = { method, headers, redirect: 'manual' } // a key is for one host
    if (content !== undefined) request.body = content
    const url = `${base}${path}${queryOf(options.query)}`
    return repeat(() => exchange(doFetch, url, request, { timeoutMs, signal }), {
      repeatable: repeatable ?? (method === 'GET' || headers.has('idempotency-key')),
      maxRetries,
      maxWaitMs,
      signal,
      ...(doneBefore && { doneBefore }),
    })
  }
}

/** One attempt. */
async function exchange<T>(
  doFetch: typeof fetch,
  url: string,
  request: RequestInit,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<T> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const response = await doFetch(url, {
      ...request,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
    const answer = parsed(await response.text())
    if (!response.ok || answer === undefined) throw errorOf(response, answer)
    return answer as T
  } catch (cause) {
    if (cause instanceof CarillonError || signal?.aborted) throw cause
    throw silence(cause, deadline.aborted, timeoutMs)
  }
}

function baseOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url && /\/v1\/*$/.test(url.pathname))
    throw new TypeError('baseUrl must not end in /v1: the library adds it to each path.')
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '')
    return baseUrl.replace(/(?<!\/)\/+$/, '')
  throw new TypeError('baseUrl must be the URL of the service, such as https://hub.example.org.')
}

/** A value that no header can carry would be shown by the error of the platform. */
function headersOf({ key, session }: Credential): Record<string, string> {
  const credential = key ?? session
  if (!credential)
    throw new TypeError('Pass key, a producer key, or session, the value of the cookie hub_session.')
  if (!/^[\x21-\x7e]+$/.test(credential))
    throw new TypeError(
      'The key or session has a space, a line break or another character that none has. Check how it is read.',
    )
  return key === undefined ? { cookie: `hub_session=${session}` } : { authorization: `Bearer ${key}` }
}

/** Sets a header, however its name is written. What the platform refuses would look like a service that is unreachable. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value)
  } catch {
    // The error of the platform may show the value.
    const message = 'has a line break, or a character outside of ISO 8859-1, which no header can carry'
    throw new CarillonError(`The header ${name} ${message}.`, {
      ...{
        code: 'validation_error',
        status: 0,
        details: { issues: [{ path: name, message, rule: 'invalid' }] },
      },
    })
  }
}

function queryOf(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined)
      .map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** There was no response, so the outcome is unknown. */
function silence(cause: unknown, late: boolean, timeoutMs: number): CarillonError {
  return late
    ? new CarillonError(`The service did not respond within ${timeoutMs} ms.`, {
        code: 'timeout',
        status: 0,
        cause,
      })
    : new CarillonError('The service is unreachable. Check baseUrl.', {
        code: 'unreachable',
        status: 0,
        cause,
      })
}
