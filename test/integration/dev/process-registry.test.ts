import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { openProcessRegistry } from '../../../dev/process-registry.ts'
import { identityOf } from '../../../dev/system-processes.ts'
import { spawnProcess } from '../../harness/spawn.ts'

const forever = 'setInterval(() => {}, 1_000)'

/** A process that starts another, records both in a registry, and prints them. */
const keeper = `
  import { spawn } from 'node:child_process'
  const { openProcessRegistry } = await import('./dev/process-registry.ts')
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(forever)}], { detached: true, stdio: 'ignore' })
  const { book } = await openProcessRegistry(process.env.FOLDER)
  book.add('example', child.pid)
  console.log('child ' + child.pid)
  ${forever}`

async function keep(folder: string) {
  const owner = await spawnProcess('keeper', ['--input-type=module', '-e', keeper], { FOLDER: folder })
  await owner.logged(/child \d+/)
  return { owner, child: Number(/child (\d+)/.exec(owner.log())![1]) }
}

function newFolder(): string {
  return join(inject('scratch'), `registry-${randomBytes(4).toString('hex')}`)
}

it('stops what a killed owner left running', async () => {
  const folder = newFolder()
  const { owner, child } = await keep(folder)
  owner.signal('SIGKILL')
  await owner.exited
  const { book, stopped } = await openProcessRegistry(folder)
  expect(stopped).toEqual(['example'])
  expect(identityOf(child)).toBeUndefined()
  book.close()
})

it('leaves the folder of a live owner alone', async () => {
  const folder = newFolder()
  const { owner, child } = await keep(folder)
  await expect(openProcessRegistry(folder)).rejects.toThrow(
    `already running from ${folder} (process ${owner.pid})`,
  )
  process.kill(child, 'SIGKILL')
  await owner.stop()
})

it('never touches a process that only has the pid of a recorded one', async () => {
  const folder = newFolder()
  const { book } = await openProcessRegistry(folder)
  book.close()
  const stranger = await spawnProcess('stranger', ['-e', forever], {})
  const entry = (name: string, pid: number) => ({ name, pid, identity: 'started at another time' })
  writeFileSync(
    join(folder, 'processes.json'),
    JSON.stringify([entry('owner', 1), entry('api', stranger.pid)]),
  )
  const { book: next, stopped } = await openProcessRegistry(folder)
  expect(stopped).toEqual([])
  expect(process.kill(stranger.pid, 0)).toBe(true)
  next.close()
  await stranger.stop()
})
