import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { checkChatJournal } from '../../../../dev/journal-check/chat.ts'
import { checkLookups, type LookupJournalEntry } from '../../../../dev/journal-check/lookups.ts'
import { startProducer } from '../../../../dev/producer/server.ts'
import { limits } from '../../../../src/contract/limits.ts'
import type { ScenarioContent } from '../../../../src/contract/scenarios/content.ts'
import { checkInvariants } from '../../../../src/db/queries/doctor/doctor.ts'
import { option, text } from '../../../fixtures/conversations.ts'
import { registerProducer } from '../../../fixtures/lookup-endpoint.ts'
import { insertRow } from '../../../fixtures/rows.ts'
import { insertScenario } from '../../../fixtures/scenario-rows.ts'
import { eventKeys } from '../../../fixtures/services.ts'
import { eventually } from '../../../harness/eventually.ts'
import { canary } from './canaries.ts'
import { webhookSecret } from './chat-events.ts'
import type { Installation } from './installation.ts'
import { insertCrowd } from './people.ts'

const [key] = eventKeys

/** The settings of API and worker processes for scenarios. */
export const takesScenarios = {
  CHAT_CHANNEL_SECRET: webhookSecret,
  EVENT_SIGNING_KEYS: key!.join(':'),
  OUTBOUND_ALLOW: '127.0.0.1:*',
}

/** A producer whose Lookups the installation may make. Its answers hold a canary. */
export type ScenarioWorld = {
  producer: { url: string; fault(one: object): Promise<void> }
}

/** Starts a producer, which is closed with the installation, and registers it. */
export async function setUpScenarios({ db, closeAtEnd }: Installation): Promise<ScenarioWorld> {
  const dir = join(inject('scratch'), `producer-${randomUUID()}`)
  const { url, close } = await startProducer({ port: 0, dir, keys: eventKeys })
  closeAtEnd(close)
  await registerProducer(db, url)
  const fault = async (one: object) => {
    const answer = await fetch(`${url}/faults`, { method: 'POST', body: JSON.stringify(one) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  return { producer: { url, fault } }
}

/** The time-out of a question: longer than a test, which brings it forward if it is about it. */
export const daySeconds = 86_400

/** What a run says and does; each test chooses where it begins. */
export function walkOf({ producer }: ScenarioWorld, { restSeconds = 1 } = {}): ScenarioContent {
  const url = `${producer.url}/lookups/orders`
  return {
    nodes: [
      { id: 'hello', kind: 'message', messages: [text(`${canary.text} {{ secret }}`)] },
      { id: 'rest', kind: 'wait', seconds: restSeconds },
      { id: 'order', kind: 'lookup', method: 'POST', url, variables: ['secret'] },
      {
        ...{ id: 'ask', kind: 'question', timeoutSeconds: daySeconds },
        message: {
          ...{ kind: 'buttons', text: { 'zh-TW': canary.text } },
          actions: [option('yes', '要'), option('no', canary.name.slice(0, 20))],
        },
      },
      { id: 'yes', kind: 'message', messages: [text('好')] },
      { id: 'no', kind: 'message', messages: [text('期待下次')] },
      { id: 'late', kind: 'message', messages: [text('時間到了')] },
      { id: 'end', kind: 'end' },
    ],
    edges: [
      { from: 'hello', to: 'rest' },
      { from: 'rest', to: 'order' },
      { from: 'order', to: 'ask' },
      { from: 'order', to: 'ask', when: { kind: 'error' } },
      { from: 'ask', to: 'yes', when: { kind: 'option', optionId: 'yes' } },
      { from: 'ask', to: 'no', when: { kind: 'otherwise' } },
      { from: 'ask', to: 'late', when: { kind: 'timeout' } },
      ...['yes', 'no', 'late'].map((from) => ({ from, to: 'end' })),
    ],
  }
}

/** One run, and how its person answers: with the option of this number, or not at all. */
export type WalkingRun = { id: string; address: string; answer: 0 | 1 | null }

/** Inserts runs at this node for new people, which the reconciler finds. */
export async function beginRuns(
  { db, unitId }: Installation,
  content: ScenarioContent,
  count: number,
  node = content.nodes[0]!.id,
): Promise<WalkingRun[]> {
  const { tag } = await insertCrowd(db, count)
  const scenario = await insertScenario(db, { unitId, categoryId: 'notice', content })
  const people = await db
    .selectFrom('subject')
    .innerJoin('address', 'subject_id', 'subject.id')
    .select(['subject.id', 'address.address'])
    .where(sql<boolean>`tags @> array[${tag}]`)
    .execute()
  const runs: WalkingRun[] = []
  for (const [n, { id: subject_id, address }] of people.entries()) {
    const { id } = await insertRow(db, 'scenario_run', {
      ...{ scenario_id: scenario.id, version_number: 1, unit_id: unitId, subject_id, node },
      ...{ started_by: 'key:test', variables: JSON.stringify({ secret: canary.text }) },
    })
    runs.push({ id, address, answer: n % 2 === 0 ? 0 : 1 })
  }
  return runs
}

/** Waits until runs are at this node, and wait there. */
export async function untilAt(
  { db }: Installation,
  runs: WalkingRun[],
  node: string,
  limitMs = 60_000,
): Promise<void> {
  const ids = runs.map(({ id }) => id)
  await eventually(
    async () => {
      const there = db.selectFrom('scenario_run').select('id').where('id', 'in', ids)
      const rows = await there.where('node', '=', node).where('state', '=', 'waiting').execute()
      expect(rows).toHaveLength(ids.length)
    },
    { limitMs },
  )
}

/** Waits until runs are done, by the way of their answers: `late` for those who gave none. */
export async function untilDone({ db }: Installation, runs: WalkingRun[], limitMs = 60_000): Promise<void> {
  const ids = runs.map(({ id }) => id)
  await eventually(
    async () => {
      const rows = await db
        .selectFrom('scenario_run')
        .select(['id', 'state'])
        .where('id', 'in', ids)
        .execute()
      expect(rows.filter(({ state }) => state !== 'done')).toEqual([])
    },
    { limitMs },
  )
  const left = await db
    .selectFrom('scenario_step')
    .select(['run_id', 'to_node'])
    .where('run_id', 'in', ids)
    .where('node', '=', 'ask')
    .execute()
  const ways = new Map(left.map(({ run_id, to_node }) => [run_id, to_node]))
  const expected = { 0: 'yes', 1: 'no', none: 'late' }
  expect(runs.map(({ id }) => ways.get(id))).toEqual(runs.map(({ answer }) => expected[answer ?? 'none']))
}

/** Checks every invariant of an installation in which only runs of scenarios sent anything. */
export async function expectRunInvariants(
  installation: Installation,
  ...worlds: ScenarioWorld[]
): Promise<void> {
  const { db, simulator } = installation
  const lookups = (await Promise.all(worlds.map(lookupsOf))).flat()
  const findings = [
    ...(await checkInvariants(db)),
    ...(await checkChatJournal(db, simulator.journal())),
    ...(await checkLookups(db, lookups)),
  ]
  const unfinished = await db
    .selectFrom('turn')
    .innerJoin('scenario_run', 'scenario_run.id', 'run_id')
    .select('run_id')
    .where('turn.state', '=', 'pending')
    .where('scenario_run.closed_at', 'is not', null)
    .execute()
  expect({
    'rows and journals': findings.filter(({ ok }) => !ok),
    'turns of ended runs that are not final': unfinished,
    leaks: await installation.leaks(),
  }).toEqual({ 'rows and journals': [], 'turns of ended runs that are not final': [], leaks: [] })
}

/** The Lookups that a producer received. */
async function lookupsOf({ producer }: ScenarioWorld): Promise<LookupJournalEntry[]> {
  const journal = await fetch(`${producer.url}/journal`)
  return ((await journal.json()) as { items: LookupJournalEntry[] }).items
}

/** Waits until these runs have begun their Lookups, or as many of them as may be made at once. */
export async function untilLookingUp({ db }: Installation, runs: WalkingRun[]): Promise<void> {
  const ids = runs.map(({ id }) => id)
  await eventually(async () => {
    const begun = await db.selectFrom('lookup').select('run_id').where('run_id', 'in', ids).execute()
    expect(begun.length).toBeGreaterThanOrEqual(Math.min(ids.length, limits.lookupsAtOnce))
  })
}
