import { CarillonError, errorOf } from './error.ts'

export type CarillonOptions = {
  /** Where the service stands: `https://hub.example.org`. */
  baseUrl: string
  /** A producer key: `hub_<id>_<secret>`. */
  key: string
  /** Another fetch than the platform's. */
  fetch?: typeof fetch
  /** How long a call may take, answer included. 30 s unless said. */
  timeoutMs?: number
}

export type RequestOptions = {
  /** Values of the query; a list is repeated, what is undefined is left out. */
  query?: Record<string, unknown>
  body?: unknown
  /** JSON as it is to be sent, instead of `body`: what is signed must not be written anew. */
  text?: string
  headers?: Record<string, string>
  /** Ends the call early. */
  signal?: AbortSignal
}

/** Makes one request and answers the JSON of a success. @throws CarillonError */
export type Send = <T>(method: string, path: string, options?: RequestOptions) => Promise<T>

/** The way to one service with one key. */
export function connectTo({ baseUrl, key, timeoutMs = 30_000, ...options }: CarillonOptions): Send {
  const base = baseUrl.replace(/\/+$/, '')
  const doFetch = options.fetch ?? fetch

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
        authorization: `Bearer ${key}`,
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

/** No answer. Whether the service acted is not known: repeat a create with the same idempotency key. */
function silence(cause: unknown, late: boolean, timeoutMs: number): CarillonError {
  return late
    ? new CarillonError(`The service did not answer within ${timeoutMs} ms.`, {
        code: 'timeout',
        status: 0,
        cause,
      })
    : new CarillonError('The service cannot be reached. Is baseUrl right?', {
        code: 'unreachable',
        status: 0,
        cause,
      })
}
