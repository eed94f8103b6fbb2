import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { type Child, startChild } from '../../../dev/process.ts'
import { openProcessRegistry } from '../../../dev/process-registry.ts'
import { type Service, Supervisor } from '../../../dev/supervisor.ts'
import { eventually } from '../../harness/eventually.ts'

async function newSupervisor() {
  const folder = join(inject('scratch'), `supervisor-${randomBytes(4).toString('hex')}`)
  const lines: string[] = []
  const { book } = await openProcessRegistry(folder)
  const supervisor = new Supervisor({ book, say: (line) => lines.push(line), onChange: () => {} })
  const service = (name: string, script: string, ready = async (_: Child) => {}): Service => ({
    name,
    start: () =>
      startChild({ name, command: process.execPath, args: ['-e', script], logFile: join(folder, 'log') }),
    ready,
    stopSignal: 'SIGTERM',
    graceMs: 500,
  })
  return { supervisor, lines, service }
}

const forever = 'setInterval(() => {}, 1_000)'

function expectEnded(...pids: number[]): void {
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
}

it('restarts processes that die, and prints it', async () => {
  const { supervisor, lines, service } = await newSupervisor()
  await supervisor.start(service('example', forever))
  const first = supervisor.pids().example!
  process.kill(first, 'SIGKILL')
  await eventually(() => expect(lines).toHaveLength(2))
  const second = supervisor.pids().example!
  expect(lines).toEqual([
    'example ended (signal SIGKILL) and will be restarted',
    `example is ready again (process ${second})`,
  ])
  await supervisor.stop()
  expectEnded(first, second)
})

it('stops the newest first, and kills what does not end in time', async () => {
  const { supervisor, service } = await newSupervisor()
  const ended: string[] = []
  const note = (name: string) => async (child: Child) => void child.exited.then(() => ended.push(name))
  await supervisor.start(service('first', forever, note('first')))
  const ready = note('deaf')
  const deaf = service('deaf', `process.on('SIGTERM', () => {}); ${forever}`, ready)
  await supervisor.start(deaf)
  const pids = Object.values(supervisor.pids())
  await supervisor.stop()
  expect(ended).toEqual(['deaf', 'first'])
  expectEnded(...pids)
})

it('stops a service that is still starting', async () => {
  const { supervisor, service } = await newSupervisor()
  void supervisor.start(service('example', forever))
  await supervisor.stop()
  expectEnded(supervisor.pids().example!)
})

it('starts nothing once it is stopping', async () => {
  const { supervisor, service } = await newSupervisor()
  await supervisor.stop()
  await expect(supervisor.start(service('example', forever))).rejects.toThrow('The environment is stopping')
  expect(supervisor.pids()).toEqual({})
})
