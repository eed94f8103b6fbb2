import { describe, expect, it } from 'vitest'
import { allRunKinds, runOfWorkflow, workflowIdOf } from '../../../src/domain/run/run-kinds.ts'

const id = '0199a5d0-0000-7000-8000-000000000001'

describe('the kinds of runs', () => {
  it.each(allRunKinds)('a run of kind %s is found by its workflow id', (kind) => {
    expect(runOfWorkflow(workflowIdOf(kind, id))).toEqual({ kind, id })
  })

  it('keep the workflow ids of the runs that exist', () => {
    expect(workflowIdOf('message', id)).toBe(`message/${id}`)
    expect(workflowIdOf('scenario', id)).toBe(`scenario/${id}`)
    expect(workflowIdOf('schedule', id)).toBe(`schedule/${id}`)
  })

  it.each([
    ['no prefix', id],
    ['another prefix', `pattern/${id}`],
    ['no id', 'message/'],
    ['no uuid', 'message/one'],
    ['more after it', `message/${id}/2`],
    ['more before it', `a message/${id}`],
    ['a prefix twice', `message/scenario/${id}`],
    ['nothing', ''],
  ])('a workflow with %s is no run', (_what, workflowId) => {
    expect(runOfWorkflow(workflowId)).toBeNull()
  })
})
