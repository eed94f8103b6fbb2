import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { createDatabaseOnce, postgresUrl } from '../../../dev/postgres.ts'
import { ownFolder, unprivilegedRunner } from '../../../dev/unprivileged.ts'
import { findPostgresTools } from '../../fixtures/postgres-tools.ts'
import { eventually } from '../../harness/eventually.ts'
import { runSql, withClient } from '../faults/world/copy-files.ts'
import { type OwnPostgres, ownPostgresOn } from '../faults/world/servers.ts'

const scripts = resolve(import.meta.dirname, '../../../deploy/postgres')
const tools = await findPostgresTools()
const run = promisify(execFile)

/** A server with the roles of docker-compose.yml that archives its log, and the scripts of its container. */
async function installation() {
  const runner = unprivilegedRunner()
  const folder = join(inject('scratch'), `backup-${randomBytes(4).toString('hex')}`)
  const [data, backups] = [join(folder, 'data'), join(folder, 'backups')]
  ownFolder(folder, runner)
  ownFolder(backups, runner)
  const server = await ownPostgresOn({
    ...{ dataDir: data, port: await freePort(), password: randomBytes(16).toString('hex') },
    ...{ logFile: `${folder}.log`, sharedBuffers: '64MB', durable: false },
  })
  onTestFinished(() => server.stop())
  const { port, password } = server.options
  const env = {
    PATH: `${tools}:${process.env.PATH}`,
    ...{ PGHOST: '127.0.0.1', PGPORT: String(port), PGPASSWORD: password },
    ...{ PGDATA: data, BACKUPS: backups },
  }
  const inContainer = async (...args: string[]) => {
    const [command, ...rest] = [...runner.prefix, ...args]
    return (await run(command!, rest, { env, ...runner.as })).stdout
  }
  const script = (name: string, ...args: string[]) => inContainer('sh', join(scripts, name), ...args)
  await createDatabaseOnce(server.options, 'carillon')
  await runSql(server, `create role postgres superuser login replication password '${password}'`)
  const superuser = ['psql', '-U', 'postgres', '-Xqv', 'ON_ERROR_STOP=1']
  for (const name of ['roles.sql', 'temporal.sql']) await inContainer(...superuser, '-f', join(scripts, name))
  const archive = `BACKUPS=${backups} sh ${join(scripts, 'archive-wal.sh')} %p %f`
  await runSql(
    server,
    'alter system set archive_mode = on',
    `alter system set archive_command = '${archive}'`,
  )
  await runSql(server, 'create table told (n int)')
  await runSql({ ...server, url: postgresUrl(server.options, 'temporal') }, 'create table executions ()')
  await restarted(server)
  return { server, data, backups, script }
}

async function restarted(server: OwnPostgres): Promise<void> {
  await server.stop()
  await server.start()
}

const tell = (server: OwnPostgres, n: number) => runSql(server, `insert into told values (${n})`)

async function toldIn(server: OwnPostgres): Promise<number[]> {
  return withClient(server, async (client) => {
    const { rows } = await client.query<{ n: number }>('select n from told order by n')
    return rows.map(({ n }) => n)
  })
}

/** Waits until all that was committed is archived, and returns the moment at which it was. */
async function archived(server: OwnPostgres): Promise<string> {
  return withClient(server, async (client) => {
    const { rows } = await client.query('select now()::text as now, pg_walfile_name(pg_switch_wal()) as file')
    await eventually(async () => {
      const done = await client.query('select last_archived_wal >= $1 as it from pg_stat_archiver', [
        rows[0].file,
      ])
      expect(done.rows).toEqual([{ it: true }])
    })
    return rows[0].now
  })
}

const nameOf = (output: string) => /base\/(\S+),/.exec(output)![1]!

it.skipIf(!tools)(
  'the Postgres of docker-compose.yml is restored to the end of its log, and to a moment, with Temporal empty',
  async () => {
    const { server, data, backups, script } = await installation()
    await tell(server, 1)
    const first = nameOf(await script('base-backup.sh', '7'))
    await tell(server, 2)
    const moment = await archived(server)
    await tell(server, 3)
    await archived(server)

    const restore = async (...args: string[]) => {
      await server.stop()
      await script('restore-base.sh', ...args)
      await server.start()
      await script('after-restore.sh')
    }
    await restore(first)
    expect(await toldIn(server)).toEqual([1, 2, 3])
    const temporal = { ...server, url: postgresUrl(server.options, 'temporal') }
    await withClient(temporal, async (client) => {
      const { rows } = await client.query(`select to_regclass('executions') as it, current_user`)
      expect(rows).toMatchObject([{ it: null }])
    })
    await restore(first, moment)
    expect(await toldIn(server)).toEqual([1, 2])
    expect(readdirSync(join(data, '..')).filter((name) => name.startsWith('data.before-'))).not.toEqual([])

    // The newest backup is enough, also on a machine that has nothing else.
    await tell(server, 4)
    const second = nameOf(await script('base-backup.sh', '1'))
    expect(readdirSync(join(backups, 'base'))).toEqual([second])
    await tell(server, 5)
    await archived(server)
    await server.stop()
    rmSync(data, { recursive: true })
    await script('restore-base.sh', second)
    await server.start()
    await script('after-restore.sh')
    expect(await toldIn(server)).toEqual([1, 2, 4, 5])
  },
)

it.skipIf(!tools)('keeps of the log what the oldest backup needs, and nothing before the first', async () => {
  const { server, backups, script } = await installation()
  await tell(server, 1)
  await archived(server)
  expect(existsSync(join(backups, 'wal'))).toBe(false)
  const kept = () => readdirSync(join(backups, 'wal')).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name))
  await script('base-backup.sh', '2')
  await tell(server, 2)
  await archived(server)
  const [oldest] = kept().sort()
  await script('base-backup.sh', '2')
  expect(kept()).toContain(oldest)
  await script('base-backup.sh', '2')
  expect(kept()).not.toContain(oldest)
  expect(readdirSync(join(backups, 'base'))).toHaveLength(2)
})

it.skipIf(!tools)('fails to archive a file that is there already with another content', async () => {
  const { backups, script, data } = await installation()
  await script('base-backup.sh', '1')
  const [one, other] = [join(data, 'PG_VERSION'), join(data, 'postgresql.conf')]
  await script('archive-wal.sh', one, 'kept')
  await script('archive-wal.sh', one, 'kept')
  await expect(script('archive-wal.sh', other, 'kept')).rejects.toThrow()
  expect(readdirSync(join(backups, 'wal'))).toContain('kept.gz')
})

it.skipIf(!tools)('says which backups there are where the one that is named is not', async () => {
  const { script } = await installation()
  const name = nameOf(await script('base-backup.sh', '1'))
  await expect(script('restore-base.sh', 'yesterday')).rejects.toThrow(`There are: ${name}`)
})
