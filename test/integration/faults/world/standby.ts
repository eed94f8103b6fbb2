import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { freePort } from '../../../../dev/ports.ts'
import { POSTGRES_USER } from '../../../../dev/postgres-data.ts'
import { eventually } from '../../../harness/eventually.ts'
import { copyFiles, runSql, withClient, writeAsOwner } from './copy-files.ts'
import { type OwnPostgres, ownPostgresOn } from './servers.ts'

/** A Postgres server that follows another one's log, and takes no writes until it is promoted. */
export type Standby = OwnPostgres & { promote(): Promise<void> }

/** The name of every standby, as in `synchronous_standby_names`. */
const name = 'standby'
const promoteSeconds = 60

/**
 * Starts a standby: a copy of the primary's files, made while it runs, that then streams its log from `logPort` (the
 * primary's, or a route to it).
 */
export async function startStandby(primary: OwnPostgres, logPort = primary.options.port): Promise<Standby> {
  const folder = join(inject('scratch'), `standby-${randomBytes(4).toString('hex')}`)
  const dataDir = join(folder, 'data')
  const options = {
    ...primary.options,
    dataDir,
    port: await freePort(),
    logFile: join(folder, 'postgres.log'),
  }
  mkdirSync(folder, { recursive: true })
  await runSql(primary, `alter system set wal_keep_size = '1GB'`, 'select pg_reload_conf()')
  await copyFiles(primary, dataDir)
  const source = `host=127.0.0.1 port=${logPort} user=${POSTGRES_USER} password=${options.password}`
  // The last line of a setting counts: a copy of a primary has that of the primary too.
  appendFileSync(
    join(dataDir, 'postgresql.auto.conf'),
    [
      `primary_conninfo = '${source} application_name=${name}'`,
      `wal_retrieve_retry_interval = '100ms'`,
      `synchronous_standby_names = ''`,
      '',
    ].join('\n'),
  )
  writeAsOwner(dataDir, 'standby.signal', '')
  const server = await ownPostgresOn(options)
  return { ...server, promote: () => runSql(server, `select pg_promote(true, ${promoteSeconds})`) }
}

/** Makes commits of the primary wait until the standby has them on disk. */
export async function followSynchronously(primary: OwnPostgres): Promise<void> {
  await runSql(primary, `alter system set synchronous_standby_names = '${name}'`, 'select pg_reload_conf()')
  await withClient(primary, (client) =>
    eventually(async () => {
      const { rows } = await client.query('select sync_state from pg_stat_replication')
      expect(rows).toEqual([{ sync_state: 'sync' }])
    }),
  )
}

/** Waits until the standby has everything that the primary has committed. */
export async function untilFollowed(primary: OwnPostgres, standby: Standby): Promise<void> {
  const { rows } = await withClient(primary, (client) =>
    client.query('select pg_current_wal_lsn() as written'),
  )
  await withClient(standby, (client) =>
    eventually(async () => {
      const replayed = await client.query('select pg_last_wal_replay_lsn() >= $1 as all', [rows[0].written])
      expect(replayed.rows).toEqual([{ all: true }])
    }),
  )
}
