import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { postgresReady, postgresUrl, startPostgres } from '../../../dev/postgres.ts'
import { type Child, stopChild } from '../../../dev/process.ts'
import { eventually } from '../../harness/eventually.ts'

const folder = join(inject('scratch'), 'postgres-of-its-own')
const options = {
  dataDir: join(folder, 'data'),
  port: await freePort(),
  password: 'secret',
  logFile: join(folder, 'log'),
  sharedBuffers: '64MB',
  durable: true,
} as const
const url = postgresUrl(options, 'postgres')

let server: Child
afterAll(() => stopChild(server, 'SIGINT', 10_000))

async function start(): Promise<void> {
  server = await startPostgres(options)
  await postgresReady(server, url)
}

async function query<T>(text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client.query(text).then(
    async ({ rows }) => {
      await client.end()
      return rows
    },
    () => [],
  )
}

it('starts on an empty folder, and syncs what it commits', async () => {
  await start()
  expect(await query('show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }])
  await query('create table kept as select 1 as one')
})

it('starts again after a kill that left a session at work', async () => {
  const atWork = query('select pg_sleep(60)')
  const working = () => query("select 1 from pg_stat_activity where query like 'select pg_sleep%'")
  await eventually(async () => expect(await working()).toHaveLength(1))
  server.signal('SIGKILL')
  await server.exited
  await start()
  expect(await query('select one from kept')).toEqual([{ one: 1 }])
  await atWork
})

it('starts although the lock file names another process', async () => {
  await stopChild(server, 'SIGINT', 10_000)
  writeFileSync(join(options.dataDir, 'postmaster.pid'), `${process.pid}\n`)
  await start()
  expect(await query('select one from kept')).toEqual([{ one: 1 }])
})
