import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from '../../dev/ports.ts'
import { createDatabaseOnce, postgresReady, postgresUrl, startPostgres } from '../../dev/postgres.ts'
import { type Child, stopChild } from '../../dev/process.ts'
import { openProcessRegistry, type ProcessRegistry } from '../../dev/process-registry.ts'
import { startTemporal, temporalReady } from '../../dev/temporal.ts'
import { temporalBinary } from '../../dev/temporal-binary.ts'
import { connect } from '../../src/db/connect.ts'
import { migrateToLatest } from '../../src/db/migrate.ts'
import './injected.ts'
import { spawnedFolder } from './spawn.ts'

const PREFIX = 'carillon-test-'
/** In memory, where there is room: half of Postgres' time went into copying the template, a thousand files each time. */
const memory = '/dev/shm'
const roomBytes = 8 * 2 ** 30
const TEMPLATE = 'carillon_template'

/**
 * What one process has compiled, those after it load: half of the start of a process. Not in the folder of a run: a process
 * writes there when it ends, and those of Vitest end when the folder is being removed.
 */
const compiled = resolve(import.meta.dirname, '../../node_modules/.cache/compiled')

/** Starts Postgres, with a migrated template database, and Temporal, once for the whole run. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  await sweep()
  const scratch = mkdtempSync(join(hasRoom() ? memory : tmpdir(), PREFIX))
  provide('scratch', scratch)
  process.env.NODE_COMPILE_CACHE = compiled
  const { book } = await openProcessRegistry(scratch)
  const [postgres, temporal] = await Promise.all([
    setUpPostgres(scratch, book, provide),
    setUpTemporal(scratch, book, provide),
  ])
  // Vitest runs no teardown when a signal ends it; the next run removes the leftovers in the folder.
  const atExit = () => {
    postgres.signal('SIGINT')
    temporal.signal('SIGKILL')
  }
  process.once('exit', atExit)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  return async () => {
    process.off('exit', atExit)
    await Promise.all([stopChild(postgres, 'SIGINT', 10_000), stopChild(temporal, 'SIGKILL', 10_000)])
    book.close()
    await stopSpawned(scratch)
    rmSync(scratch, { recursive: true, force: true })
  }
}

function hasRoom(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= roomBytes && freemem() >= roomBytes
}

/** Stops and removes leftovers of killed runs. */
async function sweep(): Promise<void> {
  const places = [tmpdir(), ...(existsSync(memory) ? [memory] : [])]
  const folders = places.flatMap((place) => readdirSync(place).map((name) => join(place, name)))
  for (const folder of folders.filter((path) => basename(path).startsWith(PREFIX))) {
    if (!(await stopLeftovers(folder))) continue
    await stopSpawned(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Stops processes that interrupted test files have left running. */
async function stopSpawned(scratch: string): Promise<void> {
  const folder = spawnedFolder(scratch)
  if (!existsSync(folder)) return
  const books = readdirSync(folder).filter((name) => name.startsWith('by-'))
  for (const name of books) await stopLeftovers(join(folder, name))
}

/** Returns false if the folder's owner is alive and the folder is in use. */
async function stopLeftovers(folder: string): Promise<boolean> {
  return openProcessRegistry(folder).then(
    () => true,
    () => false,
  )
}

async function setUpPostgres(
  scratch: string,
  book: ProcessRegistry,
  provide: TestProject['provide'],
): Promise<Child> {
  const options = {
    dataDir: join(scratch, 'postgres'),
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
    logFile: join(scratch, 'postgres.log'),
    sharedBuffers: '128MB',
    durable: false,
  } as const
  const child = await startPostgres(options)
  book.add('postgres', child.pid)
  await postgresReady(child, postgresUrl(options, 'postgres'))
  await createDatabaseOnce(options, TEMPLATE)
  const db = connect(postgresUrl(options, TEMPLATE))
  await migrateToLatest(db)
  await db.destroy()
  provide('postgres', { port: options.port, password: options.password })
  provide('templateDatabase', TEMPLATE)
  return child
}

async function setUpTemporal(
  scratch: string,
  book: ProcessRegistry,
  provide: TestProject['provide'],
): Promise<Child> {
  const binary = await temporalBinary()
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const files = { database: join(scratch, 'temporal.db'), logFile: join(scratch, 'temporal.log') }
  const child = await startTemporal({ binary, port, ...files })
  book.add('temporal', child.pid)
  await temporalReady(child, address)
  provide('temporalAddress', address)
  provide('temporalBinary', binary)
  return child
}
