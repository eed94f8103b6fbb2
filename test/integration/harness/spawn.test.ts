import { expect, it } from 'vitest'
import { spawnProcess } from '../../harness/spawn.ts'

const forever = 'setInterval(() => {}, 1_000); console.log("running", process.env.WHO)'

it('shows what a process wrote and passes on signals', async () => {
  const spawned = await spawnProcess('example', ['-e', forever], { WHO: 'me' })
  await spawned.logged(/running me/)
  spawned.signal('SIGKILL')
  expect(await spawned.exited).toEqual({ code: null, signal: 'SIGKILL' })
})

it('stops a process', async () => {
  const spawned = await spawnProcess('example', ['-e', forever], {})
  await spawned.logged(/running/)
  await spawned.stop()
  expect(() => process.kill(spawned.pid, 0)).toThrow('ESRCH')
})
