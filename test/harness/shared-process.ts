import { afterAll, beforeAll, expect } from 'vitest'
import { eventually } from './eventually.ts'

const held = ['TCPServerWrap', 'PipeWrap', 'ProcessWrap', 'FSEventWrap', 'Worker'] as const

/**
 * Files of a worker run one after another in the same process and with the same modules. Fails the file that leaves behind
 * what the next one would meet: a faked clock, a changed environment, a server, a process. (Listeners of the process do
 * not count: Temporal's SDK and loggers add and remove theirs as they are used. Neither do metrics: tests compare two
 * readings.)
 */
let before: ReturnType<typeof stateOfProcess>

beforeAll(() => {
  before = stateOfProcess()
})

afterAll(async () => {
  // A server or a process that is stopping needs a moment to be gone.
  await eventually(() => expect(stateOfProcess()).toEqual({ ...before, open: before.open.map(atMost) }), {
    limitMs: 500,
  })
})

/** What was open before may have ended meanwhile: a file leaves behind only what it adds. */
function atMost([kind, count]: (typeof before.open)[number]) {
  const within = (left: number) => left <= count
  return [kind, expect.toSatisfy(within, `at most ${count}`)]
}

function stateOfProcess() {
  const open = process.getActiveResourcesInfo()
  return {
    clock: [Date, performance.now, setTimeout, setInterval, setImmediate, queueMicrotask, process.nextTick],
    fetch: globalThis.fetch,
    environment: { ...process.env },
    folder: process.cwd(),
    open: held.map((kind) => [kind, open.filter((one) => one === kind).length] as const),
  }
}
