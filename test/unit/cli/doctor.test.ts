import { afterEach, expect, it } from 'vitest'
import { answerFindings } from '../../../src/cli/doctor.ts'

const before = process.exitCode
afterEach(() => {
  process.exitCode = before
})

it('doctor gives the query that lists the runs of the messages it names', () => {
  const id = '01a204c3-55ff-7f7a-87bb-4b85d585908b'
  const finding = { name: 'runs-replay', means: 'no run is wedged', ok: false, count: 2 }
  const violations = [`message ${id}: wedged`, `message ${id}: still wedged`]
  const answers: unknown[] = []
  answerFindings({ answer: (_data, lines) => answers.push(...lines) }, [{ ...finding, violations }])
  expect(answers.at(-1)).toBe(`          their runs in Temporal: WorkflowId in ('message/${id}')`)
})
