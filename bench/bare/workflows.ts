import {
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow'
import type { BareActivities } from './worker.ts'

const { local } = proxyLocalActivities<Pick<BareActivities, 'local'>>({ startToCloseTimeout: '15 seconds' })
const { remote, push } = proxyActivities<Pick<BareActivities, 'remote' | 'push'>>({
  startToCloseTimeout: '1 minute',
})

/** The minimum cost of a durable run of two steps: a signal, a local activity, an activity. */
export async function bare(): Promise<void> {
  await untilCalled()
  await local()
  await remote()
}

/** The minimum cost of what is said after an answer: a signal to a run that waits, an activity that says it. */
export async function bareTurn(address: string): Promise<void> {
  await untilCalled()
  await push(address)
}

async function untilCalled(): Promise<void> {
  let called = false
  setHandler(defineSignal('called'), () => {
    called = true
  })
  await condition(() => called)
}
