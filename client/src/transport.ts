import { CarillonError, errorOf } from './error.ts'

/**
 * Who calls: a system, by its producer key `hub_<id>_<secret>`; or a person, by the value of the cookie `hub_session` that
 * signing in to the console sets. Browsers do not let a script set a cookie header, so a session is for servers and
 * command lines.
 */
export type Credential = { key: string; session?: undefined } | { session: string; key?: undefined }

export type CarillonOptions = Credential & {
  /** The URL of the service: `https://hub.example.org`. */
  baseUrl: string
  /** Replaces the platform's fetch. */
  fetch?: typeof fetch
  /** The timeout of a request including its response, in ms. Default: 30,000. */
  timeoutMs?: number
}

export type RequestOptions = {
  /** Query parameters. Arrays become repeated parameters; undefined values are omitted. */
  query?: Record<string, unknown>
  body?: unknown
  /** Serialised JSON, sent unchanged instead of `body`: a signature covers exactly this text. */
  text?: string
  headers?: Record<string, string>
  /** Aborts the request. */
  signal?: AbortSignal
}

/** Makes one request and returns the JSON of a success. @throws CarillonError */
export type Send = <T>(method: string, path: string, options?: RequestOptions) => Promise<T>

/** A `Send` for one service and caller. */
export function connectTo({ baseUrl, timeoutMs = 30_000, ...options }: CarillonOptions): Send {
  const base = baseUrl.replace(/\/+$/, '')
  const doFetch = options.fetch ?? fetch
  const credential = headersOf(options)

  return async <T>(
    method: string,
    path: string,
    { query, body, headers, signal, ...given }: RequestOptions = {},
  ) => {
    const text = given.text ?? (body === undefined ? undefined : JSON.stringify(body))
    const deadline = AbortSignal.timeout(timeoutMs)
    const request: RequestInit = {
      method,
      headers: {
        ...credential,
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    }
    if (text !== undefined) request.body = text
    try {
      const response = await doFetch(`${base}${path}${queryOf(query)}`, request)
      const answer = parsed(await response.text())
      if (!response.ok || answer === undefined) throw errorOf(response, answer)
      return answer as T
    } catch (cause) {
      if (cause instanceof CarillonError || signal?.aborted) throw cause
      throw silence(cause, deadline.aborted, timeoutMs)
    }
  }
}

function headersOf({ key, session }: Credential): Record<string, string> {
  return key === undefined ? { cookie: `hub_session=${session}` } : { authorization: `Bearer ${key}` }
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

/** There was no response, so the outcome is unknown: repeat a create with the same idempotency key. */
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
