import type { TaskInput, TaskName } from './tasks.ts'

/** What was rendered on threads a moment ago. */
type RecentResults = {
  /** The same task as one whose result is known, and that result; a new one otherwise. */
  of<Name extends TaskName, Output>(
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
export function recentResults(): RecentResults {
  const known = new Map<string, { at: number; output: unknown }>()
  return {
    async of<Name extends TaskName, Output>(
      name: Name,
      input: TaskInput<Name>,
      render: () => Promise<Output>,
    ): Promise<Output> {
      if (name !== 'template') return render()
      const task = JSON.stringify(input)
      if (task.length > taskLengthMost) return render()
      for (const [old, { at }] of known) if (performance.now() - at > keptMs) known.delete(old)
      const found = known.get(task)
      if (found) return found.output as Output
      const output = await render()
      known.set(task, { at: performance.now(), output })
      if (known.size > keptMost) known.delete(known.keys().next().value!)
      return output
    },
  }
}
