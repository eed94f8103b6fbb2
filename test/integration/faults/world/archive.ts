import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chownSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { eventually } from '../../../harness/eventually.ts'
import { copyFiles, runSql, withClient, writeAsOwner } from './copy-files.ts'
import { type OwnPostgres, ownPostgresOn } from './servers.ts'

/** The log of a server, kept beside it as it is written: with a base backup it restores the server as it was last. */
export type Archive = {
  /** Makes a base backup while the server runs. */
  backUp(): Promise<void>
  /** Waits until everything that was committed is in the archive. */
  complete(): Promise<void>
  /** A server on the same port with what backup and archive hold, once it takes writes. */
  restore(): Promise<OwnPostgres>
}

/** Lets a server archive its log from now on; restarts it. */
export async function startArchive(server: OwnPostgres): Promise<Archive> {
  const { dataDir } = server.options
  const folder = join(inject('scratch'), `archive-${randomBytes(4).toString('hex')}`)
  const [log, base] = [join(folder, 'log'), join(folder, 'base')]
  const { uid, gid } = statSync(dataDir)
  for (const path of [folder, log]) {
    mkdirSync(path, { recursive: true })
    chownSync(path, uid, gid)
  }
  await runSql(
    server,
    `alter system set archive_mode = on`,
    `alter system set archive_command = 'test ! -f "${log}/%f" && cp "%p" "${log}/%f"'`,
  )
  await server.kill()
  await server.start()
  return {
    backUp: () => copyFiles(server, base),
    complete: () => untilArchived(server),
    async restore() {
      const dataDir = join(folder, 'data')
      execFileSync('cp', ['-a', base, dataDir])
      appendFileSync(join(dataDir, 'postgresql.auto.conf'), `restore_command = 'cp "${log}/%f" "%p"'\n`)
      writeAsOwner(dataDir, 'recovery.signal', '')
      const restored = await ownPostgresOn({ ...server.options, dataDir })
      await untilPromoted(restored)
      return restored
    },
  }
}

async function untilArchived(server: OwnPostgres): Promise<void> {
  await withClient(server, async (client) => {
    const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as file')
    await eventually(async () => {
      const archived = await client.query('select last_archived_wal >= $1 as it from pg_stat_archiver', [
        rows[0].file,
      ])
      expect(archived.rows).toEqual([{ it: true }])
    })
  })
}

/** Until the server has applied the whole archive and takes writes. */
async function untilPromoted(server: OwnPostgres): Promise<void> {
  await withClient(server, (client) =>
    eventually(async () => {
      const { rows } = await client.query('select pg_is_in_recovery() as recovering')
      expect(rows).toEqual([{ recovering: false }])
    }),
  )
}
