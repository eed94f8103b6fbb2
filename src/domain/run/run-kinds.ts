import { keysOf } from '../../contract/enums.ts'

/**
 * The kinds of runs. A run is a row that a Temporal workflow carries on; the tables of all kinds have the columns by
 * which a run is woken, observed, found wedged and parked (docs/design/rows-and-runs.md). Operators type the
 * prefixes; renaming one, or a workflow type, strands the runs that exist. `noun`: in logs and for operators.
 */
export const runKinds = {
  message: { workflowType: 'messageIntent', prefix: 'message/', table: 'message', noun: 'message' },
  scenario: {
    workflowType: 'scenarioRun',
    prefix: 'scenario/',
    table: 'scenario_run',
    noun: 'scenario run',
  },
  schedule: { workflowType: 'scheduleRun', prefix: 'schedule/', table: 'schedule', noun: 'schedule' },
} as const

export type RunKind = keyof typeof runKinds
export const allRunKinds: readonly RunKind[] = keysOf(runKinds)

/** A run: its kind, and the id of its row. */
export type RunName = { kind: RunKind; id: string }

/** The workflow id of a run; API and logs use the same id. */
export function workflowIdOf(kind: RunKind, id: string): string {
  return `${runKinds[kind].prefix}${id}`
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The run of a workflow id; null for any other workflow. */
export function runOfWorkflow(workflowId: string): RunName | null {
  for (const kind of allRunKinds) {
    const { prefix } = runKinds[kind]
    const id = workflowId.slice(prefix.length)
    if (workflowId.startsWith(prefix) && uuid.test(id)) return { kind, id }
  }
  return null
}
