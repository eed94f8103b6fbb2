import {
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow'
import type { FloorActivities } from './floor-worker.ts'

const { local } = proxyLocalActivities<Pick<FloorActivities, 'local'>>({ startToCloseTimeout: '15 seconds' })
const { remote } = proxyActivities<Pick<FloorActivities, 'remote'>>({ startToCloseTimeout: '1 minute' })

/** The minimum cost of a durable run of two steps: a signal, a local activity, an activity. */
export async function bare(): Promise<void> {
  let called = false
  setHandler(defineSignal('called'), () => {
    called = true
  })
  await condition(() => called)
  await local()
  await remote()
}
