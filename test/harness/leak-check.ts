import { afterAll, beforeAll, expect } from 'vitest'
import { eventually } from './eventually.ts'

/**
 * Files of a worker run one after another in the same process and with the same modules. Fails the file that leaves
 * behind what the next one would meet: a faked clock, a changed environment, a listener, a server, a process.
 */
let before: ReturnType<typeof stateOfProcess>

/** Not signals and `exit`: Temporal's SDK and loggers add and remove theirs as they are used. */
const events = ['uncaughtException', 'unhandledRejection'] as const
const held = ['TCPServerWrap', 'PipeWrap', 'ProcessWrap', 'FSEventWrap', 'Worker'] as const

beforeAll(() => {
  before = stateOfProcess()
})

afterAll(async () => {
  // A server or a process that is stopping needs a moment to be gone.
  await eventually(() => expect(stateOfProcess()).toEqual(before), { limitMs: 500 })
})

function stateOfProcess() {
  const open = process.getActiveResourcesInfo()
  return {
    clock: [Date, performance.now, setTimeout, setInterval, setImmediate, queueMicrotask, process.nextTick],
    fetch: globalThis.fetch,
    environment: { ...process.env },
    folder: process.cwd(),
    listeners: events.map((event) => [event, process.listenerCount(event)]),
    open: held.map((kind) => [kind, open.filter((one) => one === kind).length]),
  }
}
