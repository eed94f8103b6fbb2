import type { OperationId } from '../../../../../src/contract/endpoints.ts'
import { limits } from '../../../../../src/contract/limits.ts'
import type { HostileCaller, HostileRequest, Parts } from './caller.ts'

/** What the requests of a limit need to exist: it is made before the limit is measured. */
export type Make = (operation: OperationId, body: object, at?: string) => Promise<string | undefined>

/** Requests that no schema describes, by the limit they are at. */
export type HandmadeLimit = (
  caller: HostileCaller,
  make: Make,
  uids: string[],
  room: number,
) => Promise<Generator<HostileRequest>>

export const handmadeLimits: Record<string, HandmadeLimit> = {
  templates: templates,
  'rendered templates': renderedTemplates,
  audiences: audiences,
  'lists of members': members,
  uploads: uploads,
  events: events,
  webhooks: webhooks,
  pages: pages,
}

/** Of a text in a template, within today's limits of a body and beyond any that one might have. */
const textBytes = [99_000, 101_000, 1_800_000]

/** Liquid that costs more than its length. */
const costly: Record<string, (bytes: number) => string> = {
  variables: (bytes) => fill(bytes, (n) => `{{ v${n % limits.variablesPerTemplate} }}`),
  'undeclared variables': (bytes) => fill(bytes, (n) => `{{ x${n} }}`),
  paths: (bytes) => `{{ v0${fill(bytes, () => '.a')} }}`,
  filters: (bytes) => `{{ v0${fill(bytes, () => ' | append: v1')} }}`,
  assignments: (bytes) =>
    `{% assign a = "aaaaaaaaaa" %}${fill(bytes, () => '{% assign a = a | append: a %}')}{{ a }}`,
  conditions: (bytes) => nest(bytes, '{% if v0 %}', '{% endif %}'),
  'a long condition': (bytes) => `{% if v0 ${fill(bytes, () => 'and v1 ')}%}a{% endif %}`,
  loops: (bytes) => nest(Math.min(bytes, 500), '{% for i in (1..1000) %}', '{% endfor %}'),
  'many loops': (bytes) => fill(bytes, () => '{% for i in (1..100000) %}a{% endfor %}'),
  'unclosed outputs': (bytes) => fill(bytes, () => '{{ '),
  'unclosed tags': (bytes) => fill(bytes, () => '{% if v0 '),
  braces: (bytes) => fill(bytes, () => '{ { % '),
  raw: (bytes) => fill(bytes, () => '{% raw %}'),
  'a quoted text': (bytes) => `{{ "${'a'.repeat(bytes)} }}`,
  spaces: (bytes) => `{{${' '.repeat(bytes)}v0 }}`,
  'control of spaces': (bytes) => `a${' '.repeat(bytes)}{{- v0 -}}`,
}

async function templates(caller: HostileCaller): Promise<Generator<HostileRequest>> {
  return (function* () {
    for (const [name, textOf] of Object.entries(costly))
      for (const bytes of textBytes)
        for (const id of ['createTemplate', 'createTemplateVersion'] as const)
          yield by(caller, id, `${name}, ${bytes} bytes`, () => templateOf(id, [textOf(bytes)]))
    for (const id of ['createTemplate', 'createTemplateVersion'] as const)
      yield by(caller, id, 'as many messages as are allowed', () =>
        templateOf(id, Array(limits.messagesPerIntent).fill('{{ v0 }}'.repeat(12))),
      )
  })()
}

/** Previews, dry-runs and submits of messages from every costly template that is accepted, with long variables. */
async function renderedTemplates(caller: HostileCaller, make: Make): Promise<Generator<HostileRequest>> {
  const messages: string[] = []
  for (const textOf of Object.values(costly)) {
    const templateId = await make('createTemplate', templateOf('createTemplate', [textOf(textBytes[0]!)]))
    if (templateId === undefined) continue
    const variables = Object.fromEntries(
      variablesOf('a'.repeat(1_000)).map(({ name }) => [name, 'a'.repeat(5_000)]),
    )
    const id = await make('createMessage', { ...message, messages: undefined, templateId, variables })
    if (id !== undefined) messages.push(id)
  }
  return (function* () {
    for (const id of messages) {
      const at = `/v1/messages/${id}`
      for (const locale of ['zh-TW', 'en'])
        yield by(caller, 'previewMessage', 'costly template', () => ({ locale, channel: 'chat' }), {
          path: `${at}/preview`,
        })
      yield by(caller, 'dryRunMessage', 'costly template', undefined, { path: `${at}/dry-run` })
      yield by(caller, 'submitMessage', 'costly template', undefined, { path: `${at}/submit` })
      yield by(caller, 'getMessage', 'costly template', undefined, { path: at })
    }
  })()
}

/** Entries of one list of an audience; the largest that is accepted is counted. */
const listSizes = [100_000, 6_700, 5_000, 1_000, 50]
const repeats = 5

async function audiences(
  caller: HostileCaller,
  make: Make,
  uids: string[],
): Promise<Generator<HostileRequest>> {
  const group = await make('createGroup', { name: 'All', kind: 'dynamic', query: { stages: ['member'] } })
  const received = { kind: 'received', messageId: caller.ids.get('/v1/messages') }
  const lists: Record<string, (n: number) => unknown> = {
    orgUnits: (n) => `unit ${n}`,
    classIds: (n) => `class ${n}`,
    tags: (n) => `tag:${n}`,
    groups: () => group,
    history: () => received,
  }
  const kinds: Record<string, (count: number) => object> = {
    ...Object.fromEntries(
      Object.entries(lists).map(([name, entry]) => [
        name,
        (count) => query({ [name]: listOf(count, entry) }),
      ]),
    ),
    'excluded tags': (count) => query({ stages: ['member'], exclude: { tags: listOf(count, lists.tags!) } }),
    'every list': (count) =>
      query(
        Object.fromEntries(Object.entries(lists).map(([name, entry]) => [name, listOf(count / 8, entry)])),
      ),
    individuals: (count) => ({ kind: 'individual', uids: listOf(count, (n) => uids[n] ?? `nobody-${n}`) }),
  }
  const counted: string[] = []
  for (const audienceOf of Object.values(kinds))
    for (const size of listSizes) {
      const id = await make('createMessage', { ...message, audience: audienceOf(size) })
      if (id !== undefined) counted.push(id)
      if (id !== undefined) break
    }
  return (function* () {
    for (const [name, audienceOf] of Object.entries(kinds))
      for (const size of listSizes)
        yield by(caller, 'createMessage', `${size} ${name}`, () => ({
          ...message,
          audience: audienceOf(size),
        }))
    for (let n = 0; n < repeats; n++)
      for (const id of counted)
        yield by(caller, 'dryRunMessage', 'long audience', undefined, { path: `/v1/messages/${id}/dry-run` })
    for (const id of counted)
      yield by(caller, 'submitMessage', 'long audience', undefined, { path: `/v1/messages/${id}/submit` })
  })()
}

async function members(
  caller: HostileCaller,
  make: Make,
  uids: string[],
  room: number,
): Promise<Generator<HostileRequest>> {
  const own = await make('createGroup', { name: 'List', kind: 'static', legalBasis: 'consent' })
  const strangers = '01939a2e-0000-7000-8000-00000000dead'
  const long = (count: number, length: number) => listOf(count, (n) => `${n}`.padEnd(length, '-'))
  const json: Record<string, () => object> = {
    'people that exist': () => ({ add: uids }),
    'people that exist, removed': () => ({ remove: uids }),
    '100,000 strangers': () => ({ add: long(100_000, 10) }),
    '100,000 and 100,000': () => ({ add: long(100_000, 6), remove: long(100_000, 6) }),
    'as many as fit': () => ({ add: long(room / 4, 1) }),
    'long uids': () => ({ add: long(9_000, 200) }),
    'empty uids': () => ({ add: Array(500_000).fill('') }),
  }
  const lines: Record<string, () => string> = {
    lines: () => uids.join('\n'),
    '100,000 lines': () => long(100_000, 10).join('\n'),
    'no line ends': () => 'a'.repeat(8 * room),
    'quoted lines without line ends': () => `"${'a'.repeat(8 * room)}`,
    'empty lines': () => '\n'.repeat(2 * room),
    'one-letter lines': () => 'a\n'.repeat(room),
    'carriage returns': () => 'a\r'.repeat(room),
  }
  return (function* () {
    for (const id of [own, strangers]) {
      const path = `/v1/groups/${id}/members`
      for (const [name, body] of Object.entries(json)) yield by(caller, 'changeMembers', name, body, { path })
      for (const [name, body] of Object.entries(lines))
        for (const type of ['application/x-ndjson', 'application/json'])
          yield by(caller, 'changeMembers', `${name} as ${type}`, body, {
            path,
            headers: { 'content-type': type },
          })
    }
  })()
}

async function uploads(
  caller: HostileCaller,
  _make: Make,
  _uids: string[],
  room: number,
): Promise<Generator<HostileRequest>> {
  const large = 8 * room
  const lines = (line: string) => line.repeat(large / 8 / line.length)
  const files: Record<string, [string, () => string | Buffer]> = {
    'no line ends': ['application/x-ndjson', () => 'a'.repeat(large)],
    'one long object': ['application/x-ndjson', () => `{"uid":"${'a'.repeat(large)}"}`],
    'nested lines': ['application/x-ndjson', () => `${'['.repeat(60_000)}\n`.repeat(20)],
    'empty lines': ['application/x-ndjson', () => '\n'.repeat(2 * room)],
    'lines that are not JSON': ['application/x-ndjson', () => lines('a\n')],
    'lines of people': [
      'application/x-ndjson',
      () => listOf(10_000, (n) => `{"uid":"intruder-${n}"}`).join('\n'),
    ],
    'an open quote': ['text/csv', () => `uid,stage\n"${'a'.repeat(large)}`],
    quotes: ['text/csv', () => `uid,stage\n${'"",'.repeat(large / 3)}`],
    'one long cell': ['text/csv', () => `uid,stage\n${'a'.repeat(large)}`],
    'many cells': ['text/csv', () => `uid,stage\n${','.repeat(large)}`],
    'a long header': ['text/csv', () => `${'uid,'.repeat(large / 4)}\n`],
    'short records': ['text/csv', () => `uid,stage\n${lines('a,b\n')}`],
    'no file': ['text/csv', () => ''],
    zeros: ['text/csv', () => Buffer.alloc(large)],
  }
  return (function* () {
    for (const { id, endpoint } of caller.operations.filter(({ endpoint }) => endpoint.upload))
      for (const [name, [type, body]] of Object.entries(files))
        for (const path of [endpoint.path, `${endpoint.path}?dryRun=true`])
          yield by(caller, id as OperationId, name, body, { path, headers: { 'content-type': type } })
  })()
}

async function events(caller: HostileCaller, make: Make, uids: string[]): Promise<Generator<HostileRequest>> {
  const source = 'intruder'
  const type = 'large'
  const templateId = await make('createTemplate', templateOf('createTemplate', ['{{ v0 }}']))
  await make('createEventBinding', {
    ...{ source, type, categoryId, templateId },
    audience: { kind: 'event_subjects' },
  })
  let n = 0
  const event = (subjectUids: string[], data: object = { v0: 'a' }) => ({
    ...{ eventId: `large-${n++}`, type, occurredAt: '2026-11-20T09:00:00+08:00', subjectUids, data },
  })
  const strangers = listOf(5_000, (at) => `stranger-${at}`)
  const single: Record<string, () => object> = {
    '5,000 people': () => event(uids.slice(0, 5_000)),
    '5,001 people': () => event([...strangers, 'a']),
    'as many people as fit': () => event(listOf(150_000, (at) => `s${at}`)),
    '5,000 strangers': () => event(strangers),
    'one person 5,000 times': () => event(Array(5_000).fill(uids[0])),
    'long data': () => event(uids.slice(0, 1), { v0: 'a'.repeat(1_900_000) }),
    'wide data': () => event(uids.slice(0, 1), Object.fromEntries(listOf(150_000, (at) => [`k${at}`, 1]))),
  }
  const batches: Record<string, () => object> = {
    '100 events': () => ({ events: listOf(100, (at) => event([uids[at]!])) }),
    '100 events of 500': () => ({ events: listOf(100, () => event(uids.slice(0, 500))) }),
    '101 events': () => ({ events: listOf(101, () => event(['a'])) }),
    '10,000 events': () => ({ events: listOf(10_000, () => event(['a'])) }),
    'one event 100 times': () => ({ events: Array(100).fill(event(['a'])) }),
  }
  return (function* () {
    for (const [name, body] of Object.entries(single))
      yield by(caller, 'receiveEvent', name, body, { path: `/v1/events/${source}` })
    for (const [name, body] of Object.entries(batches))
      yield by(caller, 'receiveEvents', name, body, { path: `/v1/events/${source}/batch` })
  })()
}

async function webhooks(caller: HostileCaller): Promise<Generator<HostileRequest>> {
  const lists: Record<string, () => object> = {
    '1,000 events': () => ({ events: listOf(1_000, (n) => ({ type: 'follow', webhookEventId: `h-${n}` })) }),
    '1,000 bounces': () => ({
      events: listOf(1_000, (n) => ({ id: `b-${n}`, type: 'bounce', address: `${n}@example.org` })),
    }),
    '1,001 events': () => ({ events: listOf(1_001, () => ({ type: 'follow' })) }),
    '100,000 nulls': () => ({ events: Array(100_000).fill(null) }),
    '1,000 unreadable ones': () => ({ events: listOf(1_000, (n) => ({ type: n, long: 'a'.repeat(1_500) })) }),
    'one long event': () => ({ events: [{ type: 'message', message: { text: 'a'.repeat(1_900_000) } }] }),
  }
  return (function* () {
    for (const { id } of caller.operations.filter(({ endpoint }) => endpoint.auth.includes('adapter')))
      for (const [name, body] of Object.entries(lists)) yield by(caller, id as OperationId, name, body)
  })()
}

/** What is served outside the table, without credentials. */
async function pages(): Promise<Generator<HostileRequest>> {
  const paths = [
    '/',
    '/docs',
    '/docs/',
    '/openapi.json',
    '/metrics',
    '/l/',
    '/l/a',
    `/l/${'a.'.repeat(6_000)}`,
    '/none',
  ]
  return (function* () {
    for (const path of paths)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])
        for (const body of [undefined, () => 'wanted=on&'.repeat(12_000), () => 'c=a&'.repeat(600_000)]) {
          const headers = { 'content-type': 'application/x-www-form-urlencoded' }
          if (!body || method === 'POST')
            yield { operation: method, edge: path.slice(0, 20), method, path, headers, body }
        }
  })()
}

const categoryId = 'campus-events'
const message = {
  categoryId,
  audience: { kind: 'query', stages: ['member'] },
  messages: [{ kind: 'text', text: { 'zh-TW': 'a' } }],
}

function by(
  caller: HostileCaller,
  id: OperationId,
  edge: string,
  body: (() => object | string) | undefined,
  parts: Parts = {},
): HostileRequest {
  const operation = caller.operations.find((one) => one.id === id)!
  const raw = body && (() => textOf(body()))
  return caller.request(operation, edge, { ...parts, body: raw })
}

function textOf(body: object | string): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
}

function templateOf(id: OperationId, texts: string[]): object {
  const messages = texts.map((text) => ({ kind: 'text', text: { 'zh-TW': text } }))
  const content = { messages, variables: variablesOf('a') }
  return id === 'createTemplate' ? { name: 'Costly', categoryId, ...content } : content
}

function variablesOf(value: string): { name: string; default: string }[] {
  return listOf(limits.variablesPerTemplate, (n) => ({ name: `v${n}`, default: value }))
}

function query(dimensions: object): object {
  return { kind: 'query', ...dimensions }
}

function listOf<Item>(count: number, item: (n: number) => Item): Item[] {
  return Array.from({ length: Math.floor(count) }, (_, n) => item(n))
}

function fill(bytes: number, part: (n: number) => string): string {
  return listOf(bytes / part(100).length, part).join('')
}

function nest(bytes: number, open: string, close: string): string {
  const depth = Math.floor(bytes / (open.length + close.length))
  return `${open.repeat(depth)}a${close.repeat(depth)}`
}
