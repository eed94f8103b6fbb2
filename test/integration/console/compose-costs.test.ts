import { beforeAll, expect, it } from 'vitest'
import { serveApi, startApi } from '../../fixtures/api.ts'
import { countedDatabase } from '../../fixtures/statements.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() => startApi())
const counted = forFile(async () => countedDatabase(api.database.url))
let app: Awaited<ReturnType<typeof serveApi>>['app']
let path: string

const complete = {
  ...{ categoryId: 'manual', 'audience.kind': 'all', 'messages.0.kind': 'text', 'messages.0.key': 'k' },
  'messages.0.text.zh-TW': '週五停課',
}
const headers = () => ({ cookie: `hub_session=${api.sessions.editor}`, 'sec-fetch-site': 'same-origin' })
const get = (url: string) => app.inject({ url, headers: headers() })
const post = (url: string, fields: Record<string, string>) =>
  app.inject({
    ...{ method: 'POST', url, payload: new URLSearchParams(fields).toString() },
    headers: { ...headers(), 'content-type': 'application/x-www-form-urlencoded' },
  })

beforeAll(async () => {
  ;({ app } = await serveApi(counted.db))
  path = (await post('/compose', { unit: api.units.a })).headers.location as string
  await post(path, { ...complete, version: '1', act: 'check' })
  await get(path)
})

/** Statements that read everybody, or count people. */
const ofPeople = (statements: string[]) => statements.filter((one) => /from subject\b|verdict/.test(one))

it('a page on which people write counts nobody, and what can be chosen is kept for a minute', async () => {
  const [statements, page] = await counted.statementsOf(() => get(path))
  expect(page.body).toContain('週五停課')
  expect(ofPeople(statements)).toEqual([])
  expect(statements.length).toBeLessThanOrEqual(11)
})

it('a save reads what stands beside the fields, and neither counts people nor lists what can be chosen', async () => {
  const fields = { ...complete, 'messages.0.text.zh-TW': '週六停課', version: '2', act: 'save' }
  const [statements, answer] = await counted.statementsOf(() => post(`${path}?part=beside`, fields))
  expect([answer.statusCode, answer.body.includes('id="fields"')]).toEqual([200, false])
  expect(answer.body).toContain('週六停課')
  expect(ofPeople(statements)).toEqual([])
  expect(statements.length).toBeLessThanOrEqual(7)
})

it('the numbers are a request of their own', async () => {
  const [statements, answer] = await counted.statementsOf(() => get(`${path}?part=numbers`))
  expect(answer.body).toContain('value="submit"')
  expect(ofPeople(statements)).not.toEqual([])
})
