import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { RetryLater } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { meterHere, NeedsThread, type RenderMeter } from '../../domain/content/render-steps.ts'
import { openStepBudget, type StepBudget } from './step-budget.ts'
import { type TaskInput, type TaskName, type TaskOutput, tasks } from './tasks.ts'
import { EscapedError, type Threads } from './threads.ts'

/**
 * Reads and renders what users write: texts that are known to take less than a millisecond here, all others on threads of
 * their own, one at a time for each unit, and within the steps that the unit has
 * (docs/design/templates.md).
 */
export type Rendering = {
  /**
   * The result of a task for a unit.
   * @throws RetryLater rate_limited if the unit has used up its steps, or has too many texts waiting; unavailable if the
   *   task was ended
   */
  run<Name extends TaskName>(unitId: string, name: Name, input: TaskInput<Name>): Promise<TaskOutput<Name>>
  /** When a unit's work that has to wait should come back (ms): each at a time of its own. */
  laterMs(unitId: string): number
  close(): Promise<void>
}

type Parts = { db: Db; log: Logger; threads: Threads; stepsPerMinute: number }

/** What is charged for a task that was ended: as much as it took, about a hundred times the most that is allowed. */
const escapedSteps = 100 * limits.renderSteps
const shortestMs = 1_000

/** `stepsPerMinute`: of each unit, in all processes; 0 for no limit. */
export function openRendering({ db, log, threads, stepsPerMinute }: Parts): Rendering {
  const budget = openStepBudget(db, log, stepsPerMinute)
  const recent = recentResults()
  const lines = new Map<string, { length: number; last: Promise<unknown> }>()

  async function elsewhere<Name extends TaskName>(unitId: string, name: Name, input: TaskInput<Name>) {
    assertMayRender(budget, unitId, stepsPerMinute)
    try {
      const { output, steps } = await threads.run(name, input)
      budget.charge(unitId, steps)
      return output
    } catch (error) {
      if (!(error instanceof EscapedError)) throw error
      log.error(
        { unitId, task: name, err: error },
        'A text escaped the limits of rendering; its thread was ended',
      )
      budget.charge(unitId, escapedSteps)
      throw new RetryLater('unavailable', ended, afterMs(budget, unitId))
    }
  }

  async function inLine<Result>(unitId: string, work: () => Promise<Result>): Promise<Result> {
    const line = lines.get(unitId) ?? { length: 0, last: Promise.resolve() }
    if (line.length >= limits.rendersInLine)
      throw new RetryLater('rate_limited', lineFull, afterMs(budget, unitId))
    lines.set(unitId, line)
    line.length += 1
    const done = line.last.then(work)
    line.last = done.catch(() => {})
    try {
      return await done
    } finally {
      line.length -= 1
      if (line.length === 0) lines.delete(unitId)
    }
  }

  return {
    async run(unitId, name, input) {
      try {
        return here(name, input)
      } catch (error) {
        if (!(error instanceof NeedsThread)) throw error
      }
      return recent.of(name, input, () => {
        assertMayRender(budget, unitId, stepsPerMinute)
        return inLine(unitId, () => elsewhere(unitId, name, input))
      })
    },
    laterMs: budget.laterMs,
    async close() {
      await threads.close()
      await budget.flush()
    },
  }
}

/** Tries a task on this thread; whatever may take longer is left before it does. */
function here<Name extends TaskName>(name: Name, input: TaskInput<Name>): TaskOutput<Name> {
  return (tasks[name] as (input: TaskInput<Name>, meter: RenderMeter) => TaskOutput<Name>)(input, meterHere())
}

function assertMayRender(budget: StepBudget, unitId: string, perMinute: number): void {
  if (budget.waitMs(unitId) === 0) return
  const most = perMinute.toLocaleString('en')
  throw new RetryLater(
    'rate_limited',
    `Your unit has used up the steps in which its texts are rendered: ${most} a minute for all its messages, templates ` +
      'and scenarios together. Retry later, and let the loops in its texts run less often.',
    afterMs(budget, unitId),
  )
}

/** When a call may succeed (ms). */
function afterMs(budget: StepBudget, unitId: string): number {
  return Math.max(budget.waitMs(unitId), shortestMs)
}

const lineFull =
  'Your unit has too many texts waiting to be rendered. Retry later, and let the loops in its texts run less often.'
const ended =
  'Rendering a text took so long that it was ended. Retry later; if it happens again, simplify the texts that were sent.'

/** What was rendered on threads a moment ago. */
type RecentResults = {
  /** The same task as one whose result is known, and that result; a new one otherwise. */
  of<Name extends TaskName, Output extends object>(
    name: Name,
    input: TaskInput<Name>,
    render: () => Promise<Output>,
  ): Promise<Output>
}

const keptMs = 10_000
const keptMost = 20
/** Of a task as JSON, in characters. */
const taskLengthMost = 200_000

/**
 * A message that is created and submitted in one go is rendered twice, and what was refused for want of steps is tried
 * again: what was rendered for it a moment ago is neither rendered nor charged once more. Results are plain data, which
 * nobody changes.
 */
function recentResults(): RecentResults {
  const results = new LRUCache<string, object>({ max: keptMost, ttl: keptMs })
  return {
    async of<Name extends TaskName, Output extends object>(
      name: Name,
      input: TaskInput<Name>,
      render: () => Promise<Output>,
    ): Promise<Output> {
      if (name !== 'template') return render()
      const task = JSON.stringify(input)
      if (task.length > taskLengthMost) return render()
      const existing = results.get(task)
      if (existing) return existing as Output
      const output = await render()
      results.set(task, output)
      return output
    },
  }
}
