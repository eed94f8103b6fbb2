import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { type ApprovalKind, type CompositionKind, keysOf } from '../../../src/contract/enums.ts'
import { makeOccurrence } from '../../../src/services/schedules/make-occurrence.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newPattern, newPatternVersion } from '../../fixtures/new-pattern.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { newSchedule } from '../../fixtures/new-schedule.ts'
import { textOf } from '../../fixtures/pages.ts'
import { pathsServed } from '../../fixtures/routes.ts'
import { makeDueAt } from '../../fixtures/schedule-rows.ts'
import { type SignInFixture, startSignIn } from '../../fixtures/sign-in.ts'
import { signedIn } from '../../fixtures/sign-in-browser.ts'
import { beginWriting, ownOrigin, press } from '../../fixtures/written-form.ts'
import { forFile } from '../../harness/for-file.ts'

/**
 * Whose words stand in what is approved: each kind, by each path on which it can be decided, written in part by each caller
 * in each way. A new kind has to say here how it is written (docs/design/approvals.md).
 */

const fixture = forFile(startSignIn)
let api: SignInFixture['api']
beforeAll(async () => {
  ;({ api } = fixture)
  const { db } = api.database
  await sql`update person set language = 'en'`.execute(db)
  await sql`update quota_default set monthly_limit = 1000000`.execute(db)
  await sql`insert into member (unit_id, person_id, role) select ${api.units.a}, id, role
    from person, unnest(array['approver', 'editor']) as role where name = 'Other approver'`.execute(db)
  await sql`delete from member where unit_id = ${api.units.b}`.execute(db)
})
afterAll(() => {
  process.stdout.write(`approved by whom: ${visited} cells of kind, path, way and writer\n`)
})
let visited = 0

/** Who writes: the approver who then decides, and others. `nobody`: a key that has no part in any decision. */
const writers = {
  'the approver': () => ({ session: api.sessions.approver }),
  'another approver': () => ({ session: api.sessions.otherApprover }),
  'an editor': () => ({ session: api.sessions.editor }),
  'a key of the unit': () => ({ key: api.keys.a }),
} satisfies Record<string, () => CallOptions>
const nobody = (): CallOptions => ({ key: api.keys.individual })
const approver = writers['the approver']

/**
 * What has been written waits for the approver; its id. `by`: who wrote the part that the cell is about. `byPeople`: it
 * is written in a browser, where keys do not write.
 */
type Make = ((by: CallOptions) => Promise<string>) & { byPeople?: true }

/** Through which doors something was written: operations, and the forms of pages. */
const doors = new Set<string>()
/** How they took part. An empty list: there is no such way. */
type Ways = Record<
  | 'wrote it'
  | 'wrote what was edited since'
  | 'edited it'
  | 'edited it, which was reverted'
  | 'wrote what it is a copy of'
  | 'asked for the approval'
  | 'wrote what was rejected'
  | 'wrote what it is made of'
  | 'wrote what was approved since',
  Make[]
>

async function done(operation: OperationId, options: CallOptions) {
  doors.add(operation)
  const { status, body } = await api.call(operation, options)
  if (status >= 400) throw new Error(`${operation}: ${JSON.stringify(body)}`)
  return body
}

/** Somebody approves or rejects who wrote no part of it. */
async function decided(kind: ApprovalKind, verb: 'approve' | 'reject', id: string, by: CallOptions) {
  const [first, second] = [approver(), writers['another approver']()]
  const body = { version: (await read(kind, id)).version, ...(verb === 'reject' && { reason: 'no' }) }
  await done(operations[kind][verb], { ...(by.session === first.session ? second : first), id, body })
}

const words = (text: string) => [{ kind: 'text', text: { 'zh-TW': text } }]

const draft = async (by: CallOptions, parts: object = {}): Promise<string> => {
  const body = { ...newMessage, categoryId: 'manual', ...parts }
  return (await done('createMessage', { ...by, headers: { 'idempotency-key': randomUUID() }, body })).id
}
const submitted = async (id: string, by = nobody()) => {
  await done('submitMessage', { ...by, id })
  return id
}
const rewritten = async (id: string, by: CallOptions, text: string) => {
  await done('editMessage', { ...by, id, body: { messages: words(text) } })
  return id
}
const copied = async (id: string): Promise<string> =>
  (await done('copyMessage', { ...nobody(), headers: { 'idempotency-key': randomUUID() }, id })).id

const template = async (by: CallOptions): Promise<string> =>
  (
    await done('createTemplate', {
      ...by,
      body: { name: randomUUID(), categoryId: 'news', messages: words('您好') },
    })
  ).id
const version = async (id: string, by: CallOptions, text: string) => {
  await done('createTemplateVersion', { ...by, id, body: { messages: words(text) } })
  return id
}
const approvedTemplate = async (by: CallOptions) => {
  const id = await template(by)
  await decided('template', 'approve', id, by)
  return id
}

const toQuery = (...roles: string[]) => ({ audience: { kind: 'query', roles } })
const toSubjects = { audience: { kind: 'event_subjects' } }
const binding = async (by: CallOptions, parts: object = toQuery('student')): Promise<string> => {
  const content = 'scenarioId' in parts ? {} : { templateId: api.templates.approved }
  const body = { source: 'sis', type: randomUUID(), categoryId: 'news', ...content, ...parts }
  return (await done('createEventBinding', { ...by, body })).id
}
const rebound = async (id: string, by: CallOptions, body: object) => {
  await done('updateEventBinding', { ...by, id, body })
  return id
}

const scenario = async (by: CallOptions, parts: object = {}): Promise<string> =>
  (await done('createScenario', { ...by, body: newScenario({ categoryId: 'manual', ...parts }) })).id
const writeScenario = async (id: string, by: CallOptions, parts: object) => {
  await done('putScenario', { ...by, id, body: newScenario({ categoryId: 'manual', ...parts }) })
  return id
}
const activated = async (id: string, by = nobody()) => {
  await done('putScenario', { ...by, id, body: { state: 'active' } })
  return id
}
const pattern = (by: CallOptions): Promise<{ id: string; scenarioId: string }> =>
  done('createPattern', { ...by, body: newPattern({ categoryId: 'manual' }) })

type Typed = Record<string, string | string[]>
/** A visit of somebody to what is written in a browser, and what they type there. */
type Visit = [by: CallOptions, typed: Typed]

const browserOf = ({ session }: CallOptions) => signedIn(session!)

/** Begins to write, types in one visit after the other, and submits; the id of what was made. */
async function typed(
  form: Record<string, string>,
  visits: Visit[],
  submits: CallOptions = writers['an editor'](),
) {
  doors.add('POST /compose').add('POST /compose/:id')
  let page = await beginWriting(browserOf(visits[0]![0]), fixture.baseUrl, { unit: api.units.a, ...form })
  for (const [by, fields] of visits) {
    const browser = browserOf(by)
    page = await press(browser, await browser.open(page.url), 'check', fields)
  }
  const browser = browserOf(submits)
  const result = await press(browser, await browser.open(page.url), 'submit')
  const [, id] = /\/(?:messages|patterns|templates)\/([0-9a-f-]{36})/.exec(result.url) ?? []
  if (id === undefined) throw new Error(`not submitted: ${result.url} ${textOf(result)}`)
  return id
}

/** Sends a form of the page of a message or a pattern; the id of what it leads to. */
async function sent(
  by: CallOptions,
  kind: 'messages' | 'patterns',
  id: string,
  form: Record<string, string>,
) {
  doors.add(`POST /${kind}/:id`)
  const headers = ownOrigin(fixture.baseUrl)
  const init = { method: 'POST', headers, body: new URLSearchParams(form) }
  const { response, text } = await browserOf(by).ask(`${fixture.baseUrl}/${kind}/${id}`, init)
  const [, newId] = /([0-9a-f-]{36})\?done=/.exec(response.headers.get('location') ?? '') ?? []
  if (newId === undefined) throw new Error(`${response.status} ${text}`)
  return newId
}

/** What a kind is written with in a browser, and what is changed in it. */
type Form = { form: Record<string, string>; whole: Typed; change: Typed; back: Typed }
const forms = {
  message: {
    form: {},
    whole: { categoryId: 'manual', 'messages.0.text.zh-TW': '校園開放日', 'audience.roles[]': ['student'] },
    change: { 'messages.0.text.zh-TW': '校園開放' },
    back: { 'messages.0.text.zh-TW': '校園開放日' },
  },
  template: {
    form: { type: 'template' },
    whole: { categoryId: 'news', 'messages.0.text.zh-TW': '您好' },
    change: { 'messages.0.text.zh-TW': '大家好' },
    back: { 'messages.0.text.zh-TW': '您好' },
  },
  pattern: {
    form: { type: 'registration' },
    whole: { categoryId: 'manual', 'title.zh-TW': '校友茶會', deadline: '2098-12-18T18:00' },
    change: { 'title.zh-TW': '茶會' },
    back: { 'title.zh-TW': '校友茶會' },
  },
} satisfies Record<CompositionKind, Form>

const inBrowser = (make: (by: CallOptions) => Promise<string>): Make =>
  Object.assign(make, { byPeople: true as const })

/** The ways to take part in what is written in a browser. `idOf`: of what is approved. */
function typedWays(kind: CompositionKind, idOf = async (id: string) => id) {
  const { form, whole, change, back } = forms[kind]
  const named = () => ({ ...whole, ...(kind === 'template' && { name: randomUUID() }) })
  const editor = writers['an editor']
  const compose = (visits: (by: CallOptions) => Visit[], submits?: (by: CallOptions) => CallOptions) =>
    inBrowser(async (by) => idOf(await typed(form, visits(by), submits?.(by))))
  return {
    'wrote it': compose((by) => [[by, named()]]),
    'wrote what was edited since': compose((by) => [
      [by, named()],
      [editor(), change],
    ]),
    'edited it': compose((by) => [
      [editor(), named()],
      [by, change],
    ]),
    'edited it, which was reverted': compose((by) => [
      [editor(), named()],
      [by, change],
      [editor(), back],
    ]),
    'asked for the approval': compose(
      () => [[editor(), named()]],
      (by) => by,
    ),
  }
}

const typedMessage = typedWays('message')
const typedTemplate = typedWays('template')
const scenarioOfPattern = async (id: string): Promise<string> =>
  (await done('getPattern', { ...nobody(), id })).scenarioId
const typedPattern = typedWays('pattern', scenarioOfPattern)

/** An invitation, which begins with the words of its pattern, and which an editor submits. */
const invitation = async (patternId: string) =>
  typed({ pattern: patternId }, [
    [writers['an editor'](), { ...forms.message.whole, 'messages.0.text.zh-TW': '來吧' }],
  ])

const kinds = {
  message: {
    'wrote it': [
      async (by) => submitted(await draft(by)),
      async (by) => {
        const body = { ...newSchedule, message: { ...newMessage, categoryId: 'manual' } }
        const { id } = await done('createSchedule', { ...by, body })
        await makeDueAt(api.database.db, id, new Date())
        await makeOccurrence(api.services, id)
        return (await done('listOccurrences', { ...nobody(), id })).items[0].messageId
      },
      typedMessage['wrote it'],
      async (by) => {
        const id = await submitted(await draft(by))
        await done('withdrawMessage', { ...nobody(), id })
        return submitted(id)
      },
    ],
    'wrote what was edited since': [
      async (by) => submitted(await rewritten(await draft(by), nobody(), '校園開放日。')),
      async (by) => {
        const body = { ...newSchedule, message: { ...newMessage, categoryId: 'manual' } }
        const { id } = await done('createSchedule', { ...by, body })
        const message = { ...newMessage, categoryId: 'manual', messages: words('校園開放日。') }
        await done('editSchedule', { ...nobody(), id, body: { message } })
        await makeDueAt(api.database.db, id, new Date())
        await makeOccurrence(api.services, id)
        return (await done('listOccurrences', { ...nobody(), id })).items[0].messageId
      },
      typedMessage['wrote what was edited since'],
    ],
    'edited it': [
      async (by) => submitted(await rewritten(await draft(nobody()), by, '開放')),
      typedMessage['edited it'],
      inBrowser(async (by) =>
        typed({ message: await draft(nobody(), { messages: words('校園開放日') }) }, [
          [by, forms.message.change],
        ]),
      ),
      inBrowser(async (by) => {
        const editor = writers['an editor']()
        const browser = browserOf(editor)
        const page = await beginWriting(browser, fixture.baseUrl, { unit: api.units.a })
        const whole = await press(browser, page, 'check', forms.message.whole)
        await sql`update person set subject_uid = 's1' where name = 'Editor'`.execute(api.database.db)
        const tested = await press(browser, whole, 'test')
        const other = browserOf(by)
        const changed = await press(other, await other.open(tested.url), 'check', forms.message.change)
        const result = await press(browser, await browser.open(changed.url), 'submit')
        return /\/messages\/([0-9a-f-]{36})/.exec(result.url)![1]!
      }),
    ],
    'edited it, which was reverted': [
      typedMessage['edited it, which was reverted'],
      async (by) => {
        const id = await rewritten(await draft(nobody()), by, '開放')
        return submitted(await rewritten(id, nobody(), '校園開放日'))
      },
    ],
    'wrote what it is a copy of': [
      inBrowser(async (by) => {
        const id = await draft(by)
        const { version } = await read('message', id)
        const form = { act: 'copy', key: randomUUID(), version: String(version) }
        return submitted(await sent(writers['an editor'](), 'messages', id, form))
      }),
      async (by) => submitted(await copied(await draft(by))),
      async (by) => submitted(await copied(await copied(await draft(by)))),
      async (by) => submitted(await rewritten(await copied(await draft(by)), nobody(), '校園開放日。')),
    ],
    'asked for the approval': [
      async (by) => submitted(await draft(nobody()), by),
      typedMessage['asked for the approval'],
    ],
    'wrote what was rejected': [
      async (by) => {
        const id = await submitted(await draft(by), by)
        await decided('message', 'reject', id, by)
        return submitted(await copied(id))
      },
    ],
    'wrote what it is made of': [
      async (by) => submitted(await draft(nobody(), { messages: undefined, templateId: await template(by) })),
      async (by) => {
        const templateId = await version(await template(by), nobody(), '您好！')
        return submitted(await draft(nobody(), { messages: undefined, templateId }))
      },
      inBrowser(async (by) => invitation((await pattern(by)).id)),
    ],
    'wrote what was approved since': [
      inBrowser(async (by) => {
        const { id, scenarioId } = await pattern(by)
        await decided('scenario', 'approve', await activated(scenarioId, by), by)
        return invitation(id)
      }),
      async (by) => {
        const id = await submitted(await draft(by), by)
        await decided('message', 'approve', id, by)
        return submitted(await copied(id))
      },
      async (by) => {
        const templateId = await approvedTemplate(by)
        return submitted(await draft(nobody(), { messages: undefined, templateId }))
      },
    ],
  },
  template: {
    'wrote it': [template, typedTemplate['wrote it']],
    'wrote what was edited since': [
      async (by) => version(await template(by), nobody(), '您好。'),
      typedTemplate['wrote what was edited since'],
    ],
    'edited it': [
      async (by) => version(await template(nobody()), by, '大家好'),
      typedTemplate['edited it'],
      inBrowser(async (by) => {
        const id = await template(nobody())
        return typed({ template: id }, [
          [by, forms.template.change],
          [writers['an editor'](), { 'messages.0.text.zh-TW': '大家好。' }],
        ])
      }),
    ],
    'edited it, which was reverted': [
      typedTemplate['edited it, which was reverted'],
      async (by) => version(await version(await template(nobody()), by, '大家好'), nobody(), '您好'),
    ],
    'wrote what it is a copy of': [],
    'asked for the approval': [typedTemplate['asked for the approval']],
    'wrote what was rejected': [
      async (by) => {
        const id = await template(by)
        await decided('template', 'reject', id, by)
        return version(id, nobody(), '您好。')
      },
    ],
    'wrote what it is made of': [],
    'wrote what was approved since': [async (by) => version(await approvedTemplate(by), nobody(), '您好。')],
  },
  event_binding: {
    'wrote it': [binding],
    'wrote what was edited since': [
      async (by) => rebound(await binding(by), nobody(), toQuery('student', 'staff')),
    ],
    'edited it': [
      async (by) => rebound(await binding(nobody()), by, toQuery('staff')),
      async (by) => {
        const id = await binding(nobody())
        await decided('event_binding', 'approve', id, by)
        return rebound(await rebound(id, by, { enabled: false }), nobody(), {
          enabled: true,
          ...toQuery('staff'),
        })
      },
    ],
    'edited it, which was reverted': [
      async (by) =>
        rebound(await rebound(await binding(nobody()), by, toQuery('staff')), nobody(), toQuery('student')),
    ],
    'wrote what it is a copy of': [],
    'asked for the approval': [],
    'wrote what was rejected': [
      async (by) => {
        const id = await binding(by)
        await decided('event_binding', 'reject', id, by)
        return rebound(id, nobody(), toQuery('student', 'staff'))
      },
    ],
    'wrote what it is made of': [
      async (by) => binding(nobody(), { ...toSubjects, templateId: await template(by) }),
      async (by) => {
        const scenarioId = await activated(await scenario(by, { categoryId: 'news' }))
        return binding(nobody(), { ...toSubjects, scenarioId })
      },
    ],
    'wrote what was approved since': [
      async (by) => {
        const id = await binding(by)
        await decided('event_binding', 'approve', id, by)
        return rebound(id, nobody(), toQuery('student', 'staff'))
      },
      async (by) => binding(nobody(), { ...toQuery('student'), templateId: await approvedTemplate(by) }),
    ],
  },
  scenario: {
    'wrote it': [
      async (by) => activated(await scenario(by)),
      async (by) => activated((await pattern(by)).scenarioId),
      typedPattern['wrote it'],
    ],
    'wrote what was edited since': [
      typedPattern['wrote what was edited since'],
      async (by) => activated(await writeScenario(await scenario(by), nobody(), { name: 'Tour' })),
      async (by) => {
        const id = await activated(await scenario(by, { categoryId: 'news' }))
        return activated(await writeScenario(id, nobody(), { name: 'Tour' }))
      },
    ],
    'edited it': [
      typedPattern['edited it'],
      async (by) => activated(await writeScenario(await scenario(nobody()), by, { name: 'Tour' })),
      inBrowser(async (by) => {
        const { id, scenarioId } = await pattern(nobody())
        await sent(by, 'patterns', id, { act: 'change', deadline: '2099-01-01T00:00' })
        return activated(scenarioId)
      }),
      async (by) => {
        const { id, scenarioId } = await pattern(nobody())
        await activated(scenarioId)
        await done('patchPattern', { ...by, id, body: { deadline: '2099-01-01T00:00:00Z' } })
        return scenarioId
      },
      async (by) => {
        const { id, scenarioId } = await pattern(nobody())
        const body = newPatternVersion({ categoryId: 'manual', name: 'Tour' })
        await done('createPatternVersion', { ...by, id, body })
        return activated(scenarioId)
      },
      inBrowser(async (by) => {
        const { id, scenarioId } = await pattern(nobody())
        await typed({ change: id }, [[by, forms.pattern.change]])
        return scenarioId
      }),
    ],
    'edited it, which was reverted': [
      typedPattern['edited it, which was reverted'],
      async (by) => {
        const id = await writeScenario(await scenario(nobody()), by, { name: 'Tour' })
        return activated(await writeScenario(id, nobody(), {}))
      },
    ],
    'wrote what it is a copy of': [
      async (by) =>
        scenarioOfPattern(
          await typed({ copy: (await pattern(by)).id }, [[writers['an editor'](), forms.pattern.change]]),
        ),
    ],
    'asked for the approval': [
      async (by) => activated(await scenario(nobody()), by),
      typedPattern['asked for the approval'],
    ],
    'wrote what was rejected': [
      async (by) => {
        const id = await activated(await scenario(by), by)
        await decided('scenario', 'reject', id, by)
        return activated(id)
      },
    ],
    'wrote what it is made of': [],
    'wrote what was approved since': [
      async (by) => {
        const id = await activated(await scenario(by), by)
        await decided('scenario', 'approve', id, by)
        return activated(await writeScenario(id, nobody(), { name: 'Tour' }))
      },
    ],
  },
} satisfies Record<ApprovalKind, Ways>

type Operations = Record<'get' | 'approve' | 'reject', OperationId>
const operations = {
  message: { get: 'getMessage', approve: 'approveMessage', reject: 'rejectMessage' },
  template: { get: 'getTemplate', approve: 'approveTemplate', reject: 'rejectTemplate' },
  event_binding: {
    ...{ get: 'getEventBinding', approve: 'approveEventBinding', reject: 'rejectEventBinding' },
  },
  scenario: { get: 'getScenario', approve: 'approveScenario', reject: 'rejectScenario' },
} satisfies Record<ApprovalKind, Operations>

/** The version that waits, and what its approver may do about it. */
async function read(kind: ApprovalKind, id: string, as = approver()) {
  const { newest, version = newest.version, allowed } = await done(operations[kind].get, { ...as, id })
  return { version, allowed }
}

type Answer = 'approved' | 'self_approval'
/** The ways to decide. No command decides (test/unit/structure/decisions.test.ts). */
const paths = {
  async api(kind, id) {
    const { version } = await read(kind, id)
    const { status, code } = await api.call(operations[kind].approve, {
      ...approver(),
      id,
      body: { version },
    })
    return status === 200 ? 'approved' : code
  },
  async page(kind, id) {
    const { version } = await read(kind, id)
    const body = new URLSearchParams({ version: String(version), decision: 'approve' })
    const headers = ownOrigin(fixture.baseUrl)
    const url = `${fixture.baseUrl}/approvals/${kind}/${id}`
    doors.add('POST /approvals/:kind/:id')
    const { response, text } = await signedIn(api.sessions.approver).ask(url, {
      method: 'POST',
      body,
      headers,
    })
    if (response.status === 303) return 'approved'
    return text.includes('so another approver has to approve it') ? 'self_approval' : text
  },
} satisfies Record<string, (kind: ApprovalKind, id: string) => Promise<Answer | string | null>>

const ways = keysOf(kinds.message)
const cells = keysOf(kinds).flatMap((kind) =>
  ways.flatMap((way) =>
    kinds[kind][way].flatMap((make: Make, n: number) =>
      keysOf(writers)
        .filter((writer) => !make.byPeople || writer !== 'a key of the unit')
        .flatMap((writer) => keysOf(paths).map((path) => ({ kind, way, n, make, writer, path }))),
    ),
  ),
)

describe.each(keysOf(kinds))('an approver decides about a %s', (kind) => {
  it.each(ways.filter((way) => kinds[kind][way].length > 0))('unless it was they who %s', async (way) => {
    const answers = []
    const expected = []
    for (const { make, writer, path, n } of cells.filter((cell) => cell.kind === kind && cell.way === way)) {
      const id = await make(writers[writer]())
      const { allowed } = await read(kind, id)
      const answer = await paths[path](kind, id)
      const says = allowed.approve.allowed ? 'approved' : allowed.approve.code
      answers.push([writer, path, n, says, answer])
      const own = writer === 'the approver' && way !== 'wrote what was approved since'
      const right: Answer = own ? 'self_approval' : 'approved'
      expected.push([writer, path, n, right, right])
      visited++
    }
    expect(answers).toEqual(expected)
  })
})

it('nobody but its authors is barred, and every cell is visited', () => {
  expect(visited).toBe(cells.length)
})

/** Doors by which text comes in that no approver of a unit decides about, and why. */
const others: Record<string, string> = {
  ...reasonOf('nothing of it is stored', [
    ...[
      'dryRunUnsaved',
      'previewUnsaved',
      'previewMessage',
      'previewTemplate',
      'simulateContent',
      'simulateScenario',
      'POST /language',
      'POST /unit',
      ...['POST /messages/:id/answers', 'POST /patterns/:id/answers'],
    ],
  ]),
  ...reasonOf('a name in lists and settings, in no text that waits', ['createTopic', 'editTopic']),
  ...reasonOf('about a person themself', [
    'updateSubject',
    'putPreferences',
    'editSession',
    'POST /mail-settings',
  ]),
  ...reasonOf('words of a member to one person', ['replyInHandoff', 'POST /handoffs/:id']),
  ...reasonOf('system administrators, who answer for it', [
    ...['adminCreateUnit', 'adminEditUnit', 'adminCreatePerson', 'adminEditPerson'],
    ...['adminCreateCategory', 'adminEditCategory', 'adminSetValueNames'],
  ]),
}

function reasonOf(reason: string, doors: string[]): Record<string, string> {
  return Object.fromEntries(doors.map((door) => [door, reason]))
}

it('every door by which text comes in is one of these, or says why it is none', () => {
  const texts = Object.entries<Endpoint>(endpoints).flatMap(([operation, { method, body }]) =>
    method !== 'GET' && body && takesText(body) ? [operation] : [],
  )
  const pages = pathsServed(api.app, 'POST').flatMap((path) =>
    path.startsWith('/v1/') ? [] : [`POST ${path}`],
  )
  expect(pages).toContain('POST /compose/:id')
  const unlisted = [...texts, ...pages].filter((door) => !doors.has(door) && !(door in others))
  expect(unlisted).toEqual([])
  expect(
    Object.keys(others).filter((door) => doors.has(door) || ![...texts, ...pages].includes(door)),
  ).toEqual([])
})

/** Whether people may read a text that this body carries: it has one in the languages of texts. */
function takesText(body: z.ZodType): boolean {
  return JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).includes('"zh-TW"')
}
