import {
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow'
import type { BareActivities } from './worker.ts'

const { local } = proxyLocalActivities<Pick<BareActivities, 'local'>>({ startToCloseTimeout: '15 seconds' })
const { remote, push, noteReturn } = proxyActivities<Omit<BareActivities, 'local'>>({
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

/** The minimum cost of a run that comes back: a signal, an activity that notes it in the run's row, a timer. */
export async function bareReturn(id: string): Promise<void> {
  await untilCalled()
  await noteReturn(id)
  await sleep('30 days')
}

async function untilCalled(): Promise<void> {
  let called = false
  setHandler(defineSignal('called'), () => {
    called = true
  })
  await condition(() => called)
}
