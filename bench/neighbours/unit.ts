import { sql } from 'kysely'
import { type Caller, call } from '../../dev/demo/send.ts'
import { activate } from '../../dev/demo/tour.ts'
import { producerService } from '../../dev/services.ts'
import type { CreateScenario, Scenario } from '../../src/contract/scenarios/scenario.ts'
import { insertCategory } from '../../src/db/queries/catalogue/category.ts'
import { insertUnit } from '../../src/db/queries/identity/unit.ts'
import { setDefaultLimit } from '../../src/db/queries/quota/ledger.ts'
import { createKey } from '../../src/services/admin/keys.ts'
import type { BenchInstallation } from '../installation.ts'
import { keyRights, plenty } from '../set-up.ts'

/** A unit with a category that is approved automatically; its scenarios are in that category. */
export type Unit = { id: string; caller: Caller; approver: Caller; categoryId: string }

export type Content = Pick<CreateScenario, 'nodes' | 'edges' | 'triggers'>

export async function createUnit(
  { db, environment, credentials }: BenchInstallation,
  name: string,
): Promise<Unit> {
  const { id } = await insertUnit(db, { name, kind: 'ordinary' })
  const categoryId = `bench-${name}`
  await insertCategory(db, {
    id: categoryId,
    name: { 'zh-TW': name },
    layer: 'service',
    channelPlan: { mode: 'all', channels: ['chat'] },
    approvalRule: 'auto',
    autoMaxRecipients: 100_000,
  })
  await setDefaultLimit(db, { scope: id, channel: 'chat', limit: plenty })
  const { key } = await createKey(db, 'operator:cli', { unitId: id, name, ...keyRights })
  await sql`insert into member (unit_id, person_id, role)
    select distinct ${id}::uuid, person_id, role from member where role = 'approver'`.execute(db)
  const { api } = environment.addresses
  return { id, categoryId, caller: { api, key }, approver: { api, session: credentials.session } }
}

/** Puts a scenario of the unit in force; returns its id. */
export async function putInForce(unit: Unit, content: Content): Promise<string> {
  const named = { name: 'Bench', categoryId: unit.categoryId, ...content }
  const { id } = await call<Scenario>(unit.caller, 'POST', '/v1/scenarios', named)
  await activate(unit.caller, unit.approver, id, named)
  return id
}

/** Nodes that follow one another, the last of which ends the run. */
export function inARow(nodes: CreateScenario['nodes']): Content {
  const all = [...nodes, { id: 'end', kind: 'end' as const }]
  const edges = nodes.map(({ id }, n) => ({ from: id, to: all[n + 1]!.id }))
  return { nodes: all, edges }
}

export const says = (id: string, text: string): CreateScenario['nodes'][number] => ({
  ...{ id, kind: 'message' },
  messages: [{ kind: 'text', text: { 'zh-TW': text } }],
})

/** What is said after a Lookup without an answer. */
export const notFound = '查不到。'

/** A Lookup at this address, and a word after its answer or its error. */
export function asks(url: string): Content {
  return {
    nodes: [
      { id: 'look', kind: 'lookup', method: 'GET', url, variables: [] },
      says('found', '查到了。'),
      says('none', notFound),
      { id: 'end', kind: 'end' },
    ],
    edges: [
      { from: 'look', to: 'found' },
      { from: 'look', to: 'none', when: { kind: 'error' } },
      ...['found', 'none'].map((from) => ({ from, to: 'end' })),
    ],
  }
}

/** Starts a producer's system on this port, which answers Lookups after so many ms; returns their address. */
export async function startProducer(
  installation: BenchInstallation,
  port: number,
  delayMs: number,
): Promise<string> {
  const { environment } = installation
  const url = `http://127.0.0.1:${port}`
  const dir = `${environment.settings.dataDir}/producer-${port}`
  const variables = { ...environment.variables, PRODUCER_PORT: String(port), PRODUCER_DIR: dir }
  const addresses = { ...environment.addresses, producer: url }
  await installation.start(producerService({ ...environment, variables, addresses }))
  const faults = { method: 'POST', body: JSON.stringify({ delayMs, times: 1_000_000 }) }
  if (delayMs > 0 && !(await fetch(`${url}/faults`, faults)).ok)
    throw new Error('The producer took no fault.')
  return `${url}/lookups/orders`
}
