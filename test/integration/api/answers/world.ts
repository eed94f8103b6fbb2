import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { upsertPerson } from '../../../../dev/people.ts'
import type { ScenarioContent } from '../../../../src/contract/scenarios/content.ts'
import { insertAnswer } from '../../../../src/db/queries/answer/answer.ts'
import { insertMember } from '../../../../src/db/queries/identity/person.ts'
import { changeRoles } from '../../../../src/services/admin/members.ts'
import { createSession } from '../../../../src/services/identity/session.ts'
import { type Api, startApi } from '../../../fixtures/api.ts'
import type { CallOptions } from '../../../fixtures/call.ts'
import { option, tapOption, text, typeText } from '../../../fixtures/conversations.ts'
import { newMessage } from '../../../fixtures/new-message.ts'
import { type InsertedPattern, insertPattern, walkOn } from '../../../fixtures/patterns.ts'
import { insertRow } from '../../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun } from '../../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../../fixtures/sent-message.ts'
import { credentialsOf } from '../matrix/callers.ts'

/** What the person of an installation answers, everywhere. */
export type Choice = 'yes' | 'no'

/** An installation in which somebody has answered: in a scenario, a message and a pattern. */
export type World = {
  api: Api
  as: Record<string, () => Promise<CallOptions>>
  /** By the beginning of the path: what its operations are about. */
  objects: [prefix: string, id: string][]
  /** The chat address of the person. */
  address: string
  scenarioId: string
  subjectId: string
}

/** The same on both ways, so that a run on one differs from a run on the other in nothing but the answer. */
function asking(groups: Record<Choice, string>): ScenarioContent {
  const ways = (['yes', 'no'] as const).map((way) => ({
    nodes: [
      { id: `tag_${way}`, kind: 'tag' as const, add: [`interest:${way}`] },
      { id: `join_${way}`, kind: 'addToGroup' as const, groupId: groups[way] },
      {
        id: `why_${way}`,
        kind: 'question' as const,
        timeoutSeconds: 3_600,
        message: text('為什麼？'),
        saveAs: 'why',
      },
      { id: `desk_${way}`, kind: 'handoff' as const, timeoutSeconds: 3_600 },
    ],
    edges: [
      { from: 'ask', to: `tag_${way}`, when: { kind: 'option' as const, optionId: way } },
      { from: `tag_${way}`, to: `join_${way}` },
      { from: `join_${way}`, to: `why_${way}` },
      { from: `why_${way}`, to: `desk_${way}`, when: { kind: 'text' as const } },
      { from: `why_${way}`, to: 'end', when: { kind: 'timeout' as const } },
      { from: `desk_${way}`, to: 'end' },
      { from: `desk_${way}`, to: 'end', when: { kind: 'timeout' as const } },
    ],
  }))
  const question = {
    ...{ id: 'ask', kind: 'question' as const, timeoutSeconds: 3_600, saveAs: 'disabled' },
    message: {
      ...{ kind: 'buttons' as const, text: { 'zh-TW': '您需要無障礙座位嗎？' } },
      actions: [option('yes', '需要'), option('no', '不用')],
    },
  }
  return {
    nodes: [question, ...ways.flatMap(({ nodes }) => nodes), { id: 'end', kind: 'end' }],
    edges: [...ways.flatMap(({ edges }) => edges), { from: 'ask', to: 'end', when: { kind: 'timeout' } }],
  }
}

export async function startWorld(choice: Choice): Promise<World> {
  const api = await startApi()
  const { db } = api.database
  const callers = await credentialsOf(api)
  const [uid, address] = ['asked', `U${'a'.repeat(32)}`]
  await api.call('bindAddress', { key: api.keys.administrative, id: uid, body: { address } })
  const { subjectId } = (await api.call('getSubject', { key: api.keys.administrative, id: uid })).body
  const groupOf = async (name: string) =>
    (
      await api.call('createGroup', {
        key: api.keys.a,
        body: { name, kind: 'static', legalBasis: 'consent' },
      })
    ).body.id
  const groups = { yes: await groupOf('yes'), no: await groupOf('no') }
  const scenario = await insertScenario(db, { unitId: api.units.a, content: asking(groups) })
  const runId = await insertScenarioRun(db, { scenario, subjectId })
  const hearing = { db, parts: { db, log: api.services.log }, wake: api.services.wake }
  await walkOn(api.services, runId)
  await tapOption(hearing, { id: runId, address }, choice === 'yes' ? '0' : '1')
  await walkOn(api.services, runId)
  await typeText(hearing, { address }, `because ${choice}`)
  await walkOn(api.services, runId)
  const handoff = db.selectFrom('handoff').select('id').where('run_id', '=', runId)
  const { id: handoffId } = await handoff.executeTakeFirstOrThrow()

  const label = { 'zh-TW': '要嗎？' }
  const messages = [{ kind: 'buttons', text: label, actions: [option('yes', '要'), option('no', '不要')] }]
  const personal = { ...newMessage, messages, audience: { kind: 'individual', uids: [uid] } }
  const message = await insertSentMessage({ ...api, keys: { ...api.keys, a: api.keys.individual } }, personal)
  await insertAnswer(db, {
    ...{ messageId: message.id, subjectId, question: '1', n: 0, o: choice, optionId: choice },
    ...{ data: { v: 1, o: choice }, channel: 'chat', at: null },
  })

  const join = {
    id: 'join',
    text: label,
    options: ['yes', 'no'].map((id) => ({ id, label: { 'zh-TW': id } })),
  }
  const pattern = await insertPattern(
    db,
    { questions: JSON.stringify([join]), attendance: 'join' },
    api.units.a,
  )
  await insertRow(db, 'pattern_answer', {
    pattern_id: pattern.id,
    subject_id: subjectId,
    question: 'join',
    option_id: choice,
  })
  await insertRow(db, 'registration', {
    ...{ pattern_id: pattern.id, place: 1, subject_id: subjectId },
    state: choice === 'yes' ? 'registered' : 'withdrawn',
  })

  const readers = await readersOf(api, { messageId: message.id, pattern })
  const tagged = { ...newMessage, audience: { kind: 'query', tags: ['interest:yes'] } }
  const headers = { 'idempotency-key': randomUUID() }
  const draft = (await api.call('createMessage', { key: api.keys.a, headers, body: tagged })).body.id
  return {
    api,
    as: {
      ...callers,
      ...readers,
      restricted: async () => ({ key: api.keys.restricted }),
      self: async () => ({ headers: { 'x-mock-channel-user': address } }),
    },
    objects: [
      ['/v1/messages/{id}/dry-run', draft],
      ['/v1/messages', message.id],
      ['/v1/runs/{id}/cancel', await insertScenarioRun(db, { scenario })],
      ['/v1/runs', runId],
      ['/v1/scenarios', scenario.id],
      ['/v1/patterns', pattern.id],
      ['/v1/groups', groups.yes],
      ['/v1/handoffs', handoffId],
      ['/v1/subjects', uid],
      ['/v1/me/inbox', message.waveId],
      ['/v1/units', api.units.a],
    ],
    address,
    scenarioId: scenario.id,
    subjectId,
  }
}

/** Members of the unit who were named to read the answers, in the ways in which that may have been. */
async function readersOf(
  { database: { db }, units }: Api,
  { messageId, pattern }: { messageId: string; pattern: InsertedPattern },
): Promise<World['as']> {
  const member = async (name: string) => {
    const personId = await upsertPerson(db, {
      email: `${name}@readers.example.edu`,
      name,
      systemAdmin: false,
    })
    await insertMember(db, units.a, personId, ['editor'])
    return personId
  }
  const named = async (personId: string, at: string) => {
    for (const column of ['message_id', 'pattern_id'] as const)
      await sql`insert into organiser (${sql.ref(column)}, unit_id, person_id, named_by, named_at)
        values (${column === 'message_id' ? messageId : pattern.id}, ${units.a}, ${personId}, 'test', ${at}::timestamptz)`.execute(
        db,
      )
  }
  const people = {
    organiser: await member('organiser'),
    laterOrganiser: await member('later'),
    formerOrganiser: await member('former'),
    submitter: await member('submitter'),
  }
  await named(people.organiser, '2020-01-01')
  await named(people.laterOrganiser, '2099-01-01')
  await named(people.formerOrganiser, '2020-01-01')
  const left = { unitId: units.a, personId: people.formerOrganiser }
  await changeRoles(db, 'operator:cli', left.unitId, { personId: left.personId, remove: ['editor'] })
  await changeRoles(db, 'operator:cli', left.unitId, { personId: left.personId, add: ['editor'] })
  const by = `person:${people.submitter}`
  await sql`update message set submitted_by = ${by}, submitted_at = '2020-01-01' where id = ${messageId}`.execute(
    db,
  )
  await sql`update scenario_version set submitted_by = ${by}, submitted_at = '2020-01-01', decided_at = '2020-01-01'
    where scenario_id = ${pattern.scenario.id}`.execute(db)
  const session = (personId: string) => async () => ({
    session: (await createSession(db, 'operator:cli', { personId, hours: 1 })).token,
  })
  return Object.fromEntries(Object.entries(people).map(([name, personId]) => [name, session(personId)]))
}

/**
 * What a response says, without what differs from one installation to the next: ids, times, secrets, how quickly
 * Temporal answered just then, of which health says whether it is in time, and which runs have waited for long by now.
 */
export function withoutChance(text: string): string {
  const names = new Map<string, string>()
  const named = (kind: string) => (id: string) => {
    if (!names.has(id)) names.set(id, `${kind}${names.size}`)
    return names.get(id)!
  }
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, named('id'))
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[.\d]*(Z|[+-]\d{2}:?\d{2})/g, 'time')
    .replaceAll(/key:[\w-]+|"(?:id|objectId)":"[\w-]{12}"/g, named('key'))
    .replaceAll(/\d{2}:\d{2}/g, 'time')
    .replaceAll(/"status":"(ok|degraded)"|"temporal":"\w+"/g, 'in time')
    .replaceAll(/"overdue":\d+/g, 'waits')
    .replaceAll(/\d+\.\d{3,}/g, 'seconds')
    .replaceAll(/whsec_[\w+/=]+|hub_\w+/g, 'secret')
    .replaceAll(/[\w+/-]{22,}(==)?/g, named('token'))
}
