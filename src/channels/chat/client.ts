import { type Dispatcher, Pool } from 'undici'

/**
 * How to connect to the provider. `timeoutMs` limits a whole request, from connecting to the last byte of the answer.
 */
type ChatProvider = { baseUrl: string; token: string; timeoutMs?: number }

/** The provider's answer; `body` is the parsed JSON, undefined if the body is not JSON. */
export type Answer = { status: number; headers: Record<string, string | undefined>; body: unknown }

/** No answer. `certain`: no byte of the request was written; otherwise the provider may have acted on it. */
export type NoResponse = {
  silent: true
  certain: boolean
  code: 'timeout' | 'aborted' | 'no_connection' | 'cut'
}

/** A keep-alive connection pool to the provider. `request` never throws for provider or network errors. */
export type ChatClient = {
  request(request: ChatRequest, signal?: AbortSignal): Promise<Answer | NoResponse>
  close(): Promise<void>
}
export type ChatRequest = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: unknown
}

const connections = 32
const answerBytes = 1024 * 1024

/** Creates the pool; it connects on demand. */
export function connectChat({ baseUrl, token, timeoutMs = 10_000 }: ChatProvider): ChatClient {
  const { origin, pathname } = new URL(baseUrl)
  const pool = new Pool(origin, {
    connections,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: answerBytes,
  })
  return {
    async request({ method, path, headers, body }, signal) {
      const deadline = deadlineIn(timeoutMs, signal)
      const progress = { begun: false }
      try {
        const answer = await Promise.race([
          withWriteFlag(pool, progress, deadline.signal).request({
            method,
            path: `${pathname.replace(/\/$/, '')}${path}`,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
            body: body === undefined ? null : JSON.stringify(body),
            signal: deadline.signal,
          }),
          rejectionAt(deadline.signal),
        ])
        return {
          status: answer.statusCode,
          headers: flat(answer.headers),
          body: parsed(await answer.body.text()),
        }
      } catch {
        return { silent: true, certain: !progress.begun, code: reason(deadline.signal, progress.begun) }
      } finally {
        deadline.clear()
      }
    },
    close: () => pool.destroy(),
  }
}

/**
 * Sets `begun` just before the first byte of the request is written: until then the provider cannot have accepted it.
 */
function withWriteFlag(
  pool: Pool,
  progress: { begun: boolean },
  ended: AbortSignal,
): Dispatcher.ComposedDispatcher {
  return pool.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart(controller, context) {
          if (!ended.aborted) progress.begun = true
          handler.onRequestStart?.(controller, context)
        },
        onResponseStart: handler.onResponseStart?.bind(handler),
        onResponseData: handler.onResponseData?.bind(handler),
        onResponseEnd: handler.onResponseEnd?.bind(handler),
        onResponseError: handler.onResponseError?.bind(handler),
      }),
  )
}

/** Rejects a request that still waits for a connection: undici checks its signal only once it has one. */
function rejectionAt(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function reason({ aborted, reason }: AbortSignal, begun: boolean): NoResponse['code'] {
  if (aborted) return reason === 'timeout' ? 'timeout' : 'aborted'
  return begun ? 'cut' : 'no_connection'
}

function flat(headers: Record<string, string | string[] | undefined>): Answer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Aborts a request when it times out or its caller aborts; the signal's reason is a `DeadlineReason`. Call `clear` when
 * the request is done.
 */
type Deadline = { signal: AbortSignal; clear(): void }
type DeadlineReason = 'timeout' | 'aborted'

/**
 * A deadline in `timeoutMs`. `clear` stops its timer: with thousands of requests a second, timers left to fire would
 * pile up.
 */
function deadlineIn(timeoutMs: number, caller?: AbortSignal): Deadline {
  const ended = new AbortController()
  const end = (reason: DeadlineReason) => ended.abort(reason)
  const giveUp = () => end('aborted')
  const timer = setTimeout(() => end('timeout'), timeoutMs)
  if (caller?.aborted) giveUp()
  caller?.addEventListener('abort', giveUp, { once: true })
  return {
    signal: ended.signal,
    clear() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', giveUp)
    },
  }
}
