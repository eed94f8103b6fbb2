import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf } from './system-processes.ts'

/**
 * Runs a job under an exclusive lock file of this machine; prints a line if it has to wait. Takes over the lock of a
 * dead holder.
 */
export async function withMachineLock<T>(file: string, job: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true })
  const me = `${process.pid}/${identityOf(process.pid)}`
  let announced = false
  while (!tryLock(file, me)) {
    if (!isHeld(file)) {
      rmSync(file, { force: true })
      continue
    }
    if (!announced) process.stdout.write(`  waiting for another process that holds ${file}\n`)
    announced = true
    await sleep(200)
  }
  try {
    return await job()
  } finally {
    rmSync(file, { force: true })
  }
}

function tryLock(file: string, me: string): boolean {
  try {
    writeFileSync(file, me, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isHeld(file: string): boolean {
  try {
    const [pid, identity] = readFileSync(file, 'utf8').split('/')
    return identityOf(Number(pid)) === identity
  } catch {
    return true // its holder has just removed it; the next try decides
  }
}
