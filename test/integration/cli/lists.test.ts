import { expect, it } from 'vitest'
import type { MessageDetail } from '../../../src/contract/messages/detail.ts'
import { startApi } from '../../fixtures/api.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

type ListPage = { items: Record<string, unknown>[]; nextCursor: string | null }

const carillon = (...args: string[]) => runCarillon({ DATABASE_URL: api.database.url }, ...args)

async function readList(...args: string[]): Promise<ListPage> {
  const { code, out, err } = await carillon('--json', ...args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

it('lists the messages of a unit page by page, without the text of personal ones', async () => {
  const ids: string[] = []
  for (const [place, kind] of (['broadcast', 'personal', 'broadcast'] as const).entries()) {
    const { body } = await api.call('createMessage', {
      key: api.keys.individual,
      headers: { 'idempotency-key': `list-${place}` },
      body: {
        categoryId: 'news',
        audience:
          kind === 'personal' ? { kind: 'individual', uids: ['s1'] } : { kind: 'query', roles: ['student'] },
        messages: [{ kind: 'text', text: { 'zh-TW': `第 ${place} 則` } }],
      },
    })
    ids.unshift((body as { id: string }).id)
  }
  const first = await readList('message', 'list', 'Admissions', '--limit', '2')
  expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first.items.map(({ kind }) => kind)).toEqual(['broadcast', 'personal'])
  expect(JSON.stringify(first.items[1])).not.toContain('第 1 則')
  const rest = await readList('message', 'list', 'Admissions', '--cursor', first.nextCursor!)
  expect(rest).toMatchObject({ items: [{ id: ids[2], state: 'draft' }], nextCursor: null })
  expect((await readList('message', 'list', 'Admissions', '--state', 'sent', 'paused')).items).toEqual([])
  const { out } = await carillon('message', 'list', 'Admissions', '--limit', '1')
  expect(out).toMatch(
    new RegExp(`^ID .* TITLE\n${ids[0]} .* draft .* 第 2 則\nThere are more: --cursor \\S+\n$`),
  )
})

it('shows the control characters of a draft, and lets no title look like another line', async () => {
  const { body } = await api.call('createMessage', {
    key: api.keys.a,
    headers: { 'idempotency-key': 'control' },
    body: {
      categoryId: 'news',
      audience: { kind: 'query', roles: ['student'] },
      subject: { 'zh-TW': 'one\ntwo\u001b[2J' },
      messages: [{ kind: 'text', text: { 'zh-TW': '內容' } }],
    },
  })
  const { out } = await carillon('message', 'list', 'Admissions', '--limit', '1')
  expect(out).toMatch(new RegExp(`^ID .* TITLE\n${body.id} .* draft .* one two\uFFFD\\[2J\n`))
  expect((await carillon('message', 'show', body.id)).out).toContain('one two\uFFFD[2J')
})

it('lists members, quota, events and callbacks of a unit', async () => {
  const { items: members } = await readList('member', 'list', 'Admissions')
  expect(members).toContainEqual(expect.objectContaining({ name: 'Approver', roles: ['approver', 'editor'] }))
  await carillon('quota', 'set', 'Admissions', '500', '--month', '2031-02')
  const { items: accounts } = await readList('quota', 'list', 'Admissions', '--month', '2031-02')
  expect(accounts).toMatchObject([
    { month: '2031-02', channel: 'chat', limit: 500, committed: 0, reserved: 0 },
    { channel: 'email' },
  ])
  expect(await readList('event', 'list', 'Admissions', '--error', 'no_binding')).toEqual({
    items: [],
    nextCursor: null,
  })
  const url = 'https://example.com/carillon'
  await api.call('createCallback', { key: api.keys.a, body: { url } })
  const { items: callbacks } = await readList('callback', 'list', 'Admissions')
  expect(callbacks).toMatchObject([{ url, state: 'active' }])
  expect(JSON.stringify(callbacks)).not.toContain('secret":')
  expect(await carillon('callback', 'list', 'Library')).toMatchObject({ code: 0, out: 'None.\n' })
})

it('shows a message with its counts and moves, and no text of a personal one', async () => {
  const { body } = await api.call('createMessage', {
    key: api.keys.individual,
    headers: { 'idempotency-key': 'show' },
    body: {
      categoryId: 'news',
      audience: { kind: 'individual', uids: ['s1'] },
      messages: [{ kind: 'text', text: { 'zh-TW': '只給你的話' } }],
    },
  })
  const { id } = body as MessageDetail
  await api.call('cancelMessage', { key: api.keys.individual, id })
  const { out } = await carillon('message', 'show', id)
  expect(out).toMatch(new RegExp(`^message +${id}$`, 'm'))
  expect(out).toMatch(/^unit +Admissions \(/m)
  expect(out).toMatch(/^state +cancelled$/m)
  expect(out).toMatch(/^AT +MOVE +BY +REASON$/m)
  expect(out).toMatch(/Z +create .*\n.*Z +individual_targeting .*\n.*Z +cancel /)
  expect(out).not.toContain('只給你的話')
  const detail = JSON.parse((await carillon('--json', 'message', 'show', id)).out)
  expect(detail).toMatchObject({
    ...{ id, state: 'cancelled', kind: 'personal', unit: { name: 'Admissions' }, parked: null },
    timeline: [{ action: 'create' }, { action: 'individual_targeting' }, { action: 'cancel' }],
  })
  expect(JSON.stringify(detail)).not.toMatch(/只給你的話|s1/)
})

it('lists scenarios, and their runs without the people they are with', async () => {
  const { db } = api.database
  const scenario = await insertScenario(db, { unitId: api.units.a, name: '選課' })
  const run = await insertScenarioRun(db, { scenario })
  const { items: scenarios } = await readList('scenario', 'list', 'Admissions', '--state', 'active')
  expect(scenarios).toContainEqual(
    expect.objectContaining({ id: scenario.id, name: '選課', version: 1, inForce: 1 }),
  )
  const { items: runs } = await readList('run', 'list', scenario.id)
  expect(runs).toMatchObject([{ id: run, version: 1, node: 'ask' }])
  expect(JSON.stringify(runs)).not.toMatch(/subject|uid/i)
  expect((await readList('run', 'list', scenario.id, '--node', 'end')).items).toEqual([])
})

it('lists what is parked page by page, longest first', async () => {
  const { db } = api.database
  const scenario = await insertScenario(db, { unitId: api.units.a })
  const parked: string[] = []
  for (const secondsAgo of [30, 10, 10]) {
    const columns = { problem: 'provider', changed_at: new Date(Date.now() - secondsAgo * 1_000) } as const
    parked.push(await insertScenarioRun(db, { scenario, columns }))
  }
  const first = await readList('parked', '--limit', '2')
  const rest = await readList('parked', '--cursor', first.nextCursor!)
  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual([
    parked[0],
    ...parked.slice(1).toSorted(),
  ])
  expect(rest).toMatchObject({ items: [{ kind: 'scenario', problem: 'provider' }], nextCursor: null })
  expect((await carillon('parked')).out).toMatch(/^ID +PROBLEM +SINCE +NEXT TRY +WHAT +UNIT\n\S+ +provider /)
  expect(await carillon('parked', '--cursor', 'x')).toMatchObject({
    out: '',
    err: expect.stringContaining('cursor'),
  })
})

it.each([
  ['unit', 'list'],
  ['key', 'list'],
  ['key', 'list', 'Admissions'],
  ['session', 'list'],
  ['category', 'list'],
])('%s %s is a list of the form of the API as well', async (...args) => {
  const { out } = await carillon(...args)
  const { items, nextCursor } = await readList(...args)
  expect(nextCursor).toBeNull()
  expect(out.split('\n').length - 1).toBe(items.length === 0 ? 1 : items.length + 1)
  expect(out).toMatch(items.length === 0 ? /^None\.$/m : /^[A-Z ]+\n/)
})

it('exits with 3 where an argument names nothing, and says where to look', async () => {
  for (const [args, place] of [
    [['message', 'show', 'x'], 'carillon message list'],
    [['run', 'list', 'x'], 'carillon scenario list'],
    [['scenario', 'list', 'Nowhere'], 'Admissions'],
  ] as const)
    expect(await carillon(...args)).toMatchObject({ code: 3, out: '', err: expect.stringContaining(place) })
})

it('explains the exit codes', async () => {
  const { code, out } = await carillon('--help')
  expect(code).toBe(0)
  expect(out).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 .*\n {2}4 /)
})
