import { limits } from '../../contract/limits.ts'
import { type RenderMeter, renderMeter, stepsOf } from '../../domain/content/render-steps.ts'
import { type TaskName, type TaskOutput, tasks } from './tasks.ts'

/** What a thread is given. `begun`: set once it is under way, so that the caller can measure how long it takes. */
export type Errand = { name: TaskName; input: unknown; begun: Int32Array }
export type Rendered<Name extends TaskName = TaskName> = { output: TaskOutput<Name>; steps: number }

/** What a thread of the pool runs. */
export default function perform({ name, input, begun }: Errand): Rendered {
  Atomics.store(begun, 0, 1)
  const meter = renderMeter(limits.renderStepsTogether)
  const output = (tasks[name] as (input: unknown, meter: RenderMeter) => TaskOutput<TaskName>)(input, meter)
  return { output, steps: stepsOf(meter.used) }
}
