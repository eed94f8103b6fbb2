import { randomUUID } from 'node:crypto'
import type { ScenarioNode } from '../../../src/contract/scenarios/graph.ts'
import type { Db } from '../../../src/db/connect.ts'
import { jumpsOf } from '../../../src/domain/scenario/jumps.ts'
import { insertRow } from '../../fixtures/rows.ts'

type NewRun = {
  unitId: string
  node: string
  nodes?: ScenarioNode[]
  variables?: Record<string, unknown>
}

/** Inserts an active scenario with a run of a new person that is at a node. */
export async function newScenarioRun(db: Db, { unitId, node, nodes, variables }: NewRun) {
  const subject = await insertRow(db, 'subject', { uid: randomUUID(), roles: ['student'], stage: 'member' })
  const graph = { nodes: nodes ?? [{ id: node, kind: 'end' as const }], edges: [] }
  const scenario = await insertRow(db, 'scenario', {
    unit_id: unitId,
    state: 'active',
    created_by: 'operator:test',
  })
  await insertRow(db, 'scenario_version', {
    scenario_id: scenario.id,
    version: 1,
    state: 'in_force',
    decided_by: 'operator:test',
    name: 'orders',
    category_id: 'news',
    content: JSON.stringify(graph),
    jumps: JSON.stringify(jumpsOf(graph)),
    created_by: 'operator:test',
    authors: ['operator:test'],
  })
  const { id } = await insertRow(db, 'scenario_run', {
    scenario_id: scenario.id,
    version_number: 1,
    unit_id: unitId,
    subject_id: subject.id,
    started_by: 'operator:test',
    node,
    variables: JSON.stringify(variables ?? {}),
  })
  return { runId: id, scenarioId: scenario.id, subjectId: subject.id }
}
