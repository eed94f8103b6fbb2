import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../dev/demo/send.ts'
import type { CreateScenario, Scenario } from '../src/contract/scenarios/scenario.ts'
import type { StartedRuns } from '../src/contract/scenarios/starts.ts'
import { insertCategory } from '../src/db/queries/catalogue/category.ts'
import type { BenchInstallation } from './installation.ts'
import { consentScope } from './names.ts'
import { chatAddressOf, uidOf } from './people.ts'
import { progress } from './progress.ts'

const categoryId = 'bench-scenario'
/** Named by one start. More at once would be woken by the reconciler, not by the start. */
const peoplePerStart = 500
const lookEveryMs = 200
const timeoutMs = 15 * 60_000

/** Asks one question with two buttons, and says a word after the answer. */
const content: CreateScenario = {
  name: 'Bench',
  categoryId,
  nodes: [
    {
      id: 'ask',
      kind: 'question',
      message: {
        kind: 'buttons',
        text: { 'zh-TW': '明天的演講，您會來嗎？', en: 'Are you coming to the talk tomorrow?' },
        actions: [
          { kind: 'postback', label: { 'zh-TW': '會', en: 'Yes' }, data: { v: 1, o: 'yes' } },
          { kind: 'postback', label: { 'zh-TW': '不會', en: 'No' }, data: { v: 1, o: 'no' } },
        ],
      },
      timeoutSeconds: 30 * 86_400,
      saveAs: 'coming',
    },
    {
      id: 'thanks',
      kind: 'message',
      messages: [{ kind: 'text', text: { 'zh-TW': '已記下：{{ coming }}', en: 'Noted: {{ coming }}.' } }],
    },
    { id: 'end', kind: 'end' },
  ],
  edges: [
    { from: 'ask', to: 'thanks', when: { kind: 'otherwise' } },
    { from: 'ask', to: 'end', when: { kind: 'timeout' } },
    { from: 'thanks', to: 'end' },
  ],
}

/** Puts the scenario in force, in a category that is approved automatically for `people` people; returns its id. */
export async function activate(installation: BenchInstallation, people: number): Promise<string> {
  const { db, environment, credentials } = installation
  await insertCategory(db, {
    id: categoryId,
    name: { 'zh-TW': '對話', en: 'Conversations' },
    layer: 'service',
    consentScope,
    channelPlan: { mode: 'all', channels: ['chat'] },
    approvalRule: 'auto',
    autoMaxRecipients: people,
  })
  const producer = { api: environment.addresses.api, key: credentials.key }
  const { id } = await call<Scenario>(producer, 'POST', '/v1/scenarios', content)
  const active = { ...content, state: 'active' }
  const { versionState } = await call<Scenario>(producer, 'PUT', `/v1/scenarios/${id}`, active)
  if (versionState !== 'in_force') throw new Error(`The scenario was not activated: ${versionState}.`)
  return id
}

/** A run that waits for its person to tap. */
export type AskedRun = { id: string; address: string }

/** Starts a run for each of `people` people, from this one on, and waits until each was asked and waits for the answer. */
export async function askPeople(
  installation: BenchInstallation,
  scenarioId: string,
  people: number,
  from = 1,
): Promise<AskedRun[]> {
  const { environment, credentials } = installation
  const producer = { api: environment.addresses.api, key: credentials.key }
  const runs: AskedRun[] = []
  const bar = progress('asking', people)
  while (runs.length < people) {
    const count = Math.min(peoplePerStart, people - runs.length)
    const numbers = Array.from({ length: count }, (_, n) => from + runs.length + n)
    const addresses = new Map(numbers.map((n) => [uidOf(n), chatAddressOf(n)]))
    const body = { subjectUids: [...addresses.keys()] }
    const { items, started } = await call<StartedRuns>(
      producer,
      'POST',
      `/v1/scenarios/${scenarioId}/runs`,
      body,
    )
    if (started !== count) throw new Error(`Only ${started} of ${count} runs were started.`)
    runs.push(...items!.map(({ id, uid }) => ({ id, address: addresses.get(uid!)! })))
    await untilRunsAre(installation, 'waiting', runs.length, bar.to)
  }
  bar.end()
  return runs
}

/** Waits until so many runs are in this state, and none is between two states. */
export async function untilRunsAre(
  { db }: BenchInstallation,
  state: 'waiting' | 'done',
  runs: number,
  tell: (count: number) => void = () => {},
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const { found: count, under_way } = await db
      .selectFrom('scenario_run')
      .select(({ fn }) => fn.countAll<number>().filterWhere('state', '=', state).as('found'))
      .select(({ fn }) => fn.countAll<number>().filterWhere('state', '=', 'running').as('under_way'))
      .executeTakeFirstOrThrow()
    tell(Number(count))
    if (Number(count) >= runs && Number(under_way) === 0) return
    if (Date.now() > deadline) throw new Error(`Only ${count} of ${runs} runs are ${state} after 15 min.`)
    await sleep(lookEveryMs)
  }
}

/** Taps the first button on the person's phone; resolves when Carillon has stored the tap. */
export async function tap({ environment }: BenchInstallation, { id, address }: AskedRun): Promise<void> {
  const data = JSON.stringify({ v: 1, s: id, m: 'ask', n: '0', o: '0' })
  const answer = await fetch(`${environment.addresses.simulator}/phones/${address}/actions`, {
    method: 'POST',
    body: JSON.stringify({ kind: 'tap', data }),
  })
  const { status } = (await answer.json()) as { status: number | null }
  if (status !== 200) throw new Error(`The webhook answered ${status} to a tap.`)
}
