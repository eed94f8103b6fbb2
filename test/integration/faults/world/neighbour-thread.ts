import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { NeighbourOptions, Sample } from './neighbour.ts'

/** The thread of a well-behaved caller: a request every `everyMs`, also while earlier ones wait for their response. */
const { url, key, tag, everyMs }: NeighbourOptions = workerData
const authorization = `Bearer ${key}`
const body = JSON.stringify({
  categoryId: 'notice',
  audience: { kind: 'query', tags: [tag] },
  messages: [{ kind: 'text', text: { 'zh-TW': '開放日', en: 'Open day' } }],
})
const verbs = ['create', 'get', 'list'] as const
let lastId = ''

for (let turn = 0; ; turn++) {
  void sample(lastId === '' ? 'create' : verbs[turn % verbs.length]!)
  await sleep(everyMs)
}

async function sample(verb: (typeof verbs)[number]): Promise<void> {
  const at = Date.now()
  const begun = performance.now()
  let answer = await ask(verb)
  let putOff = 0
  for (; answer.status === 503 && answer.retryAfter !== null; putOff++) {
    await sleep(1_000 * Number(answer.retryAfter))
    answer = await ask(verb)
  }
  const { status, code } = answer
  const told: Sample = { verb, at, ms: performance.now() - begun, status, code, putOff }
  parentPort?.postMessage(told)
}

type Answer = { status: number; code: string; retryAfter: string | null }

async function ask(verb: (typeof verbs)[number]): Promise<Answer> {
  try {
    const response = await fetch(...requestOf(verb))
    const answer = JSON.parse(await response.text())
    const of = { status: response.status, retryAfter: response.headers.get('retry-after') }
    if (verb === 'create' && answer.id) lastId = answer.id
    return { ...of, code: answer.error?.code ?? '' }
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return { status: 0, code: cause?.code ?? String(error), retryAfter: null }
  }
}

function requestOf(verb: (typeof verbs)[number]): [string, RequestInit] {
  if (verb === 'list') return [`${url}/v1/messages?limit=20`, { headers: { authorization } }]
  if (verb === 'get') return [`${url}/v1/messages/${lastId}`, { headers: { authorization } }]
  const headers = { authorization, 'idempotency-key': randomUUID(), 'content-type': 'application/json' }
  return [`${url}/v1/messages`, { method: 'POST', headers, body }]
}
