import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../../fixtures/api.ts'
import { runCarillon } from '../../fixtures/carillon.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

type Listed = { items: Record<string, unknown>[]; nextCursor: string | null }

const carillon = (...args: string[]) => runCarillon({ DATABASE_URL: api.database.url }, ...args)

async function listed(...args: string[]): Promise<Listed> {
  const { code, out, err } = await carillon('--json', ...args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

it('lists the messages of a unit page by page, without the text of personal ones', async () => {
  const made: string[] = []
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
    made.unshift((body as { id: string }).id)
  }
  const first = await listed('message', 'list', 'Admissions', '--limit', '2')
  expect(first.items.map(({ id }) => id)).toEqual(made.slice(0, 2))
  expect(first.items.map(({ kind }) => kind)).toEqual(['broadcast', 'personal'])
  expect(JSON.stringify(first.items[1])).not.toContain('第 1 則')
  const rest = await listed('message', 'list', 'Admissions', '--cursor', first.nextCursor!)
  expect(rest).toMatchObject({ items: [{ id: made[2], state: 'draft' }], nextCursor: null })
  expect((await listed('message', 'list', 'Admissions', '--state', 'sent', 'paused')).items).toEqual([])
  const { out } = await carillon('message', 'list', 'Admissions', '--limit', '1')
  expect(out).toMatch(new RegExp(`^${made[0]} .* draft .* 第 2 則\nThere are more: --cursor \\S+\n$`))
})

it('lists members, quota, events and callbacks of a unit', async () => {
  const { items: members } = await listed('member', 'list', 'Admissions')
  expect(members).toContainEqual(expect.objectContaining({ name: 'Approver', roles: ['approver', 'editor'] }))
  await carillon('quota', 'set', 'Admissions', '500', '--month', '2031-02')
  const { items: accounts } = await listed('quota', 'list', 'Admissions', '--month', '2031-02')
  expect(accounts).toMatchObject([
    { month: '2031-02', channel: 'chat', limit: 500, committed: 0, reserved: 0 },
    { channel: 'email' },
  ])
  expect(await listed('event', 'list', 'Admissions', '--error', 'no_binding')).toEqual({
    items: [],
    nextCursor: null,
  })
  const url = 'https://example.com/carillon'
  await api.call('createCallback', { key: api.keys.a, body: { url } })
  const { items: callbacks } = await listed('callback', 'list', 'Admissions')
  expect(callbacks).toMatchObject([{ url, state: 'active' }])
  expect(JSON.stringify(callbacks)).not.toContain('secret":')
  expect(await carillon('callback', 'list', 'Library')).toMatchObject({ code: 0, out: 'None.\n' })
})
