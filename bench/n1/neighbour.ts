import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../dev/demo/send.ts'
import type { CreateScenario, Scenario } from '../../src/contract/scenarios/scenario.ts'
import { insertCategory } from '../../src/db/queries/catalogue/category.ts'
import { insertUnit } from '../../src/db/queries/identity/unit.ts'
import { createKey } from '../../src/services/admin/keys.ts'
import type { BenchInstallation } from '../installation.ts'
import { uidOf } from '../people.ts'

const categoryId = 'bench-costly'
const simulationsAtOnce = 10
/** Rendered in nearly all steps that a message may take. */
const costly = '{% for i in (1..1500) %}{{ i }}{% endfor %}'

const text = (n: number) => ({ kind: 'text' as const, text: { 'zh-TW': `${n} ${costly}` } })
const content: CreateScenario = {
  name: 'Costly',
  categoryId,
  nodes: [
    ...[1, 2, 3].map((n) => ({ id: `n${n}`, kind: 'message' as const, messages: [text(n)] })),
    { id: 'end', kind: 'end' as const },
  ],
  edges: [1, 2, 3].map((n) => ({ from: `n${n}`, to: n === 3 ? 'end' : `n${n + 1}` })),
}

/** Another unit, whose texts are costly. */
export type Neighbour = {
  /** Starts a run for each of so many people and simulates without a pause; returns what ends that. */
  begin(people: number): Promise<() => Promise<void>>
}

/** Puts the scenario of another unit in force, in a category that is approved automatically. */
export async function setUpNeighbour({ db, environment }: BenchInstallation): Promise<Neighbour> {
  const { id: unitId } = await insertUnit(db, { name: 'Neighbour', kind: 'ordinary' })
  await insertCategory(db, {
    id: categoryId,
    name: { 'zh-TW': '費時', en: 'Costly' },
    layer: 'service',
    channelPlan: { mode: 'all', channels: ['chat'] },
    approvalRule: 'auto',
    autoMaxRecipients: 100_000,
  })
  const rights = { categories: null, dimensions: null, individualTargeting: true, groupWriting: true }
  const { key } = await createKey(db, 'operator:cli', { unitId, name: 'neighbour', ...rights })
  const caller = { api: environment.addresses.api, key }
  const { id } = await call<Scenario>(caller, 'POST', '/v1/scenarios', content)
  await call(caller, 'PUT', `/v1/scenarios/${id}`, { ...content, state: 'active' })
  const simulate = () => call(caller, 'POST', `/v1/scenarios/${id}/simulate`, {}).catch(() => sleep(100))
  return {
    async begin(people) {
      const subjectUids = Array.from({ length: people }, (_, n) => uidOf(n + 1))
      await call(caller, 'POST', `/v1/scenarios/${id}/runs`, { subjectUids })
      let going = true
      const lanes = Array.from({ length: simulationsAtOnce }, async () => {
        while (going) await simulate()
      })
      return async () => {
        going = false
        await Promise.all(lanes)
      }
    },
  }
}
