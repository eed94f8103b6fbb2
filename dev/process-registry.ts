import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf, signalQuietly } from './system-processes.ts'

interface Entry {
  name: string
  pid: number
  identity: string
}

/**
 * The processes started for one folder, recorded there as soon as they run, so that the next start can stop those that
 * a killed owner left running.
 */
export interface ProcessRegistry {
  /** Records a process; replaces an earlier one of the same name. */
  add(name: string, pid: number): void
  /** Removes the record. */
  close(): void
}

const LEFTOVER_GRACE_MS = 10_000

/**
 * Opens the folder's registry for this process, and stops processes that a killed owner left running (newest first).
 *
 * @returns the registry, and the names of the stopped processes
 * @throws Error if another live process owns the folder
 */
export async function openProcessRegistry(
  folder: string,
): Promise<{ book: ProcessRegistry; stopped: string[] }> {
  const file = join(folder, 'processes.json')
  const [owner, ...children] = readEntries(file)
  if (owner && owner.pid !== process.pid && isAlive(owner)) {
    throw new Error(
      `Carillon is already running from ${folder} (process ${owner.pid}). Stop it first, or choose another folder with CARILLON_DATA_DIR.`,
    )
  }
  const alive = children.filter(isAlive).reverse()
  for (const entry of alive) await stopLeftover(entry)
  return { book: newRegistry(folder, file), stopped: alive.map((entry) => entry.name) }
}

function newRegistry(folder: string, file: string): ProcessRegistry {
  mkdirSync(folder, { recursive: true })
  let entries: Entry[] = []
  const add = (name: string, pid: number) => {
    const identity = identityOf(pid)
    if (!identity) return // already ended
    entries = [...entries.filter((entry) => entry.name !== name), { name, pid, identity }]
    writeFileSync(`${file}.new`, JSON.stringify(entries, null, 2))
    renameSync(`${file}.new`, file)
  }
  add('owner', process.pid)
  return { add, close: () => rmSync(file, { force: true }) }
}

function readEntries(file: string): Entry[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}

function isAlive({ pid, identity }: Entry): boolean {
  return identityOf(pid) === identity
}

async function stopLeftover(entry: Entry): Promise<void> {
  // SIGINT is Postgres' fast shutdown; the other processes treat it like SIGTERM.
  signalQuietly(entry.pid, 'SIGINT')
  const deadline = Date.now() + LEFTOVER_GRACE_MS
  while (isAlive(entry)) {
    if (Date.now() > deadline) signalQuietly(entry.pid, 'SIGKILL')
    await sleep(50)
  }
}
