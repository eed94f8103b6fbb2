import { Agent, type IncomingMessage, request } from 'node:http'
import type { HostileRequest } from './caller.ts'

/** What a hostile request was answered. `status` 0: nothing, for the reason in `code`. */
export type Outcome = {
  name: string
  status: number
  code: string
  message: string
  retryAfter: string | null
  ms: number
  /** Of an outcome that can be had again. */
  request?: HostileRequest
}

/** How long a hostile connection waits for a response before it is cut (ms). */
const givesUpMs = 90_000

/** Sends requests over so many connections at once, each connection one after the other. */
export async function sendAll(
  url: string,
  requests: Iterable<HostileRequest>,
  connections: number,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const next = requests[Symbol.iterator]()
  const connection = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let step = next.next(); !step.done; step = next.next())
      outcomes.push(await send(url, step.value, agent))
    agent.destroy()
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return outcomes
}

function send(url: string, hostile: HostileRequest, agent: Agent): Promise<Outcome> {
  const { operation, edge, method, path, body } = hostile
  const name = `${operation}, ${edge}`
  const bytes = Buffer.from(body?.() ?? '')
  const begun = performance.now()
  const ms = () => Math.round(performance.now() - begun)
  const headers = { ...hostile.headers, ...hostile.sign?.(bytes) }
  return new Promise((resolve) => {
    const unanswered = (error: NodeJS.ErrnoException) =>
      resolve({ name, status: 0, code: error.code ?? error.message, message: '', retryAfter: null, ms: ms() })
    const length = bytes.length > 0 && !headers['transfer-encoding'] ? { 'content-length': bytes.length } : {}
    // `path` in the options, and not in a URL: that would be normalised.
    const { hostname, port } = new URL(url)
    const sent = request(
      { hostname, port, path, method, agent, headers: { ...headers, ...length } },
      (response) => {
        read(response).then(
          (text) => resolve({ name, ...judge(response, text), ms: ms(), request: hostile }),
          unanswered,
        )
      },
    )
    sent.setTimeout(givesUpMs, () => sent.destroy(new Error('no response in time')))
    sent.on('error', unanswered)
    sent.end(bytes)
  })
}

async function read(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const part of response) if (text.length < 10_000) text += part
  return text
}

function judge(
  { statusCode = 0, headers }: IncomingMessage,
  text: string,
): Omit<Outcome, 'name' | 'ms' | 'request'> {
  const { error } = statusCode >= 400 ? errorIn(text) : { error: undefined }
  const retryAfter = headers['retry-after'] ?? null
  return { status: statusCode, code: error?.code ?? '', message: error?.message ?? '', retryAfter }
}

/** The error of a response; a page has none. */
function errorIn(text: string): { error?: { code: string; message: string } } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/**
 * The server errors that are not honest. Honest is a 503 that says what this installation lacks, or one with
 * Retry-After whose request is not answered so again when it is repeated with nothing beside it.
 */
export async function dishonestOf(url: string, outcomes: Outcome[]): Promise<Outcome[]> {
  const errors = outcomes.filter(({ status, code }) => status >= 500 && code !== 'not_configured')
  const dishonest = errors.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const { request } of errors.filter((error) => !dishonest.includes(error))) {
    if (!request) continue
    const repeated = await send(url, request, agent)
    if (repeated.status >= 500) dishonest.push(repeated)
  }
  agent.destroy()
  return dishonest.map(({ request: _, ...outcome }) => outcome)
}
