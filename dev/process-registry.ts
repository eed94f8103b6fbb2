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
 * The processes started for one folder, written down there as soon as they run: whoever was killed before it
 * could stop them leaves enough for the next start to do so.
 */
export interface ProcessRegistry {
  /** Writes down a process; a later one of the same name takes its place. */
  add(name: string, pid: number): void
  /** Strikes everything out. */
  close(): void
}

const LEFTOVER_GRACE_MS = 10_000

/**
 * Opens the folder's book for this process, stopping what a killed owner left running (newest first).
 *
 * @returns the book, and the names of what was stopped.
 * @throws when the folder's owner is another process that is alive.
 */
export async function openProcessRegistry(
  folder: string,
): Promise<{ book: ProcessRegistry; stopped: string[] }> {
  const file = join(folder, 'processes.json')
  const [owner, ...children] = readEntries(file)
  if (owner && owner.pid !== process.pid && isAlive(owner)) {
    throw new Error(
      `Carillon already runs from ${folder} (process ${owner.pid}). Stop it first, or choose another folder with CARILLON_DATA_DIR.`,
    )
  }
  const alive = children.filter(isAlive).reverse()
  for (const entry of alive) await stopLeftover(entry)
  return { book: newBook(folder, file), stopped: alive.map((entry) => entry.name) }
}

function newBook(folder: string, file: string): ProcessRegistry {
  mkdirSync(folder, { recursive: true })
  let entries: Entry[] = []
  const add = (name: string, pid: number) => {
    const identity = identityOf(pid)
    if (!identity) return // it has ended already
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
  // SIGINT is Postgres' fast shutdown; the others take it like SIGTERM.
  signalQuietly(entry.pid, 'SIGINT')
  const deadline = Date.now() + LEFTOVER_GRACE_MS
  while (isAlive(entry)) {
    if (Date.now() > deadline) signalQuietly(entry.pid, 'SIGKILL')
    await sleep(50)
  }
}
