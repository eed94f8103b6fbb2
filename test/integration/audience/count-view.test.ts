import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { limits } from '../../../src/contract/limits.ts'
import { DryRun } from '../../../src/contract/messages/dry-run.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallResponse } from '../../fixtures/call.ts'
import { createMessage, newMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

type Caller = { key: string } | { session: string }
type Door = (caller: Caller, audience: object) => Promise<CallResponse>

/** Every operation that answers with a forecast of people. */
const doors: Record<string, Door> = {
  dryRunUnsaved: (caller, audience) =>
    api.call('dryRunUnsaved', { ...caller, body: { ...newMessage, audience, unitId: unitOf(caller) } }),
  async dryRunMessage(caller, audience) {
    const { body } = await createMessage(api, { audience })
    return api.call('dryRunMessage', { ...caller, id: body.id })
  },
}
const unitOf = (caller: Caller) => ('session' in caller ? api.units.a : undefined)

/** A message of the unit that so many people have answered, among whom nobody can be reached or all. */
async function answeredBy(people: number): Promise<string> {
  const { db } = api.database
  const { body } = await createMessage(api)
  await sql`
    with person as (insert into subject (uid) select 'answers-' || gen_random_uuid() from generate_series(1, ${people}::int) returning id)
    insert into message_answer (message_id, subject_id, n, o, question, option_id, channel)
    select ${body.id}, id, 0, '0', '0', 'yes', 'chat' from person`.execute(db)
  return body.id
}

const byAnswer = (messageId: string) => ({ kind: 'query', history: [{ kind: 'answered', messageId }] })

const countsRead = async () =>
  (
    await api.database.db
      .selectFrom('audit')
      .select(['actor', 'object_kind'])
      .where('action', '=', 'read')
      .where(sql`details ->> 'what'`, '=', 'count')
      .execute()
  ).length

it('each operation that counts people is a door of this test', () => {
  const counting = Object.entries<Endpoint>(endpoints).filter(([, { answers }]) =>
    Object.values(answers).some(({ schema }) => schema === DryRun),
  )
  expect(counting.map(([name]) => name).sort()).toEqual(Object.keys(doors).sort())
})

describe.each(Object.entries(doors))('a count of people by what they answered: %s', (_name, count) => {
  let few: string[]
  let enough: string
  beforeAll(async () => {
    few = [await answeredBy(0), await answeredBy(1), await answeredBy(limits.smallestAudience - 1)]
    enough = await answeredBy(limits.smallestAudience)
  })
  let before: number
  beforeEach(async () => {
    before = await countsRead()
  })

  it('is withheld below five in the same words, also of nobody, and is audited', async () => {
    const answers = []
    for (const id of few) answers.push(await count({ key: api.keys.a }, byAnswer(id)))
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      few.map(() => [403, 'individual_targeting_disabled']),
    )
    expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1)
    expect(await countsRead()).toBe(before + few.length)
  })

  it('is withheld from editors, and shown to approvers and to keys that may name individuals', async () => {
    const audience = byAnswer(few[1]!)
    expect((await count({ session: api.sessions.editor }, audience)).status).toBe(403)
    for (const caller of [{ session: api.sessions.approver }, { key: api.keys.individual }])
      expect((await count(caller, audience)).body.recipients.excluded).toMatchObject({ noAddress: 1 })
    expect(await countsRead()).toBe(before + 3)
  })

  it('is withheld where they are left out, or where a dynamic group asks for them', async () => {
    const query = { history: [{ kind: 'answered', messageId: few[1]! }] }
    const group = { name: `G ${crypto.randomUUID()}`, kind: 'dynamic', legalBasis: 'consent', query }
    const { body } = await api.call('createGroup', { key: api.keys.a, body: group })
    expect((await count({ key: api.keys.a }, { kind: 'query', groups: [body.id] })).status).toBe(403)
    const leftOut = { kind: 'query', tags: ['nobody-has-this'], exclude: query }
    expect((await count({ key: api.keys.a }, leftOut)).status).toBe(403)
  })

  it('is shown from five on, exactly, and is audited', async () => {
    const { body } = await count({ key: api.keys.a }, byAnswer(enough))
    expect(body.recipients.excluded.noAddress).toBe(limits.smallestAudience)
    expect(await countsRead()).toBe(before + 1)
  })

  it('by anything else is neither withheld nor audited', async () => {
    expect((await count({ key: api.keys.a }, { kind: 'query', classIds: ['nobody'] })).status).toBe(200)
    expect(await countsRead()).toBe(before)
  })
})

it('a key that may not name individuals cannot submit such an audience: the snapshot would tell', async () => {
  const { body } = await createMessage(api, { audience: byAnswer(await answeredBy(1)) })
  expect(await api.call('submitMessage', { key: api.keys.a, id: body.id })).toMatchObject({
    status: 403,
    code: 'individual_targeting_disabled',
  })
})
