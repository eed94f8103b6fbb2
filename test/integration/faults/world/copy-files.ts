import { execFileSync } from 'node:child_process'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { OwnPostgres } from './servers.ts'

/** A base backup: copies the files of a server while it runs. */
export async function copyFiles(primary: OwnPostgres, copy: string): Promise<void> {
  await withClient(primary, async (client) => {
    await client.query(`select pg_backup_start('copy', true)`)
    execFileSync('cp', ['-a', primary.options.dataDir, copy])
    const { rows } = await client.query('select labelfile from pg_backup_stop()')
    writeAsOwner(copy, 'backup_label', rows[0].labelfile)
  })
  for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(copy, file), { force: true })
}

/** Writes a file that belongs to the folder's owner, as Postgres requires. */
export function writeAsOwner(folder: string, file: string, text: string): void {
  const { uid, gid } = statSync(folder)
  writeFileSync(join(folder, file), text, { mode: 0o600 })
  chownSync(join(folder, file), uid, gid)
}

/** Runs statements, each in a transaction of its own. */
export function runSql(server: OwnPostgres, ...statements: string[]): Promise<void> {
  return withClient(server, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

/** Runs `work` on a connection of its own. */
export async function withClient<T>(
  { url }: OwnPostgres,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
