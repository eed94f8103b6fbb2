import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, inject, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { postgresUrl } from '../../../dev/postgres.ts'
import { connect, type Db } from '../../../src/db/connect.ts'
import { migrateToLatest } from '../../../src/db/migrate.ts'
import { deliveryMonths } from '../../../src/db/queries/delivery/months.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { forFile } from '../../harness/for-file.ts'
import { startInstallation } from '../faults/world/installation.ts'
import { expectInvariants } from '../faults/world/invariants.ts'
import { insertCrowd } from '../faults/world/people.ts'
import { ownPostgresOn } from '../faults/world/servers.ts'
import { untilSent } from '../faults/world/wait-for.ts'

/** The roles of docker-compose.yml on a server of its own, because roles belong to a whole server. */
const folder = join(inject('scratch'), `roles-${randomBytes(4).toString('hex')}`)
const passwords = {
  carillon_owner: randomBytes(16).toString('hex'),
  carillon_app: randomBytes(16).toString('hex'),
}
type Role = keyof typeof passwords

const server = forFile(async () =>
  ownPostgresOn({
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
    logFile: join(folder, 'postgres.log'),
    sharedBuffers: '64MB',
    durable: false,
  }),
)
beforeAll(async () => {
  await asSuperuser('postgres', script('roles'))
  for (const [role, password] of Object.entries(passwords))
    await asSuperuser('postgres', `alter role ${role} password '${password}'`)
  await asSuperuser('postgres', 'create database carillon owner carillon_owner')
  await asSuperuser('carillon', script('database'))
  const migrated = await runCarillon({ DATABASE_URL: urlOf('carillon_owner') }, 'migrate')
  expect(migrated).toMatchObject({ code: 0 })
})

const script = (name: string) =>
  readFileSync(resolve(import.meta.dirname, `../../../deploy/postgres/${name}.sql`), 'utf8')

function urlOf(role: Role, database = 'carillon'): string {
  const url = new URL(postgresUrl(server.options, database))
  return Object.assign(url, { username: role, password: passwords[role] }).href
}

async function asSuperuser(database: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl(server.options, database) })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

async function asApp<T>(work: (db: Db) => Promise<T>, database = 'carillon'): Promise<T> {
  const db = connect(urlOf('carillon_app', database))
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

it('API, worker and command line send a message as a role that owns nothing', async () => {
  const url = urlOf('carillon_app')
  const installation = await startInstallation({ postgres: { url } })
  const api = await installation.startApi()
  await installation.startWorker()
  const message = await api.send(installation.plan(await insertCrowd(installation.db, 30)))
  await untilSent(installation, [message])
  expect((await api.ask('/readyz')).status).toBe(200)
  for (const command of ['doctor', 'purge', 'reconcile']) await installation.carillon(command)
  await expectInvariants(installation)
  await installation.close()
})

it('that role migrates nothing, and the command line names the command that does', async () => {
  await asSuperuser('postgres', 'create database empty owner carillon_owner')
  const env = { DATABASE_URL: urlOf('carillon_app', 'empty') }
  const advice = /Run: carillon migrate \(with Docker: docker compose run --rm migrate\)/
  for (const command of [['unit', 'list'], ['migrate']]) {
    const { code, err } = await runCarillon(env, ...command)
    expect({ code, err }, command.join(' ')).toEqual({ code: 1, err: expect.stringMatching(advice) })
  }
})

it('that role makes and drops months of deliveries, and no other table', async () => {
  await asApp(async (db) => {
    await sql`select make_delivery_partition('2020-03-15')`.execute(db)
    const months = sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'delivery'::regclass
      and inhrelid::regclass::text = 'delivery_2020_03'`
    expect((await months.execute(db)).rows).toHaveLength(1)
    expect(await deliveryMonths.slice(db, new Date('2021-01-01'), 1)).toBe(1)
    expect((await months.execute(db)).rows).toEqual([])
  })
})

it.each([
  'create table t ()',
  'drop table message',
  'alter table message add column x integer',
  'truncate audit',
  'create function f() returns integer language sql as $$ select 1 $$',
  `set role carillon_owner`,
  `copy message to program 'true'`,
])('that role may not: %s', async (statement) => {
  const refused = asApp((db) => sql.raw(statement).execute(db))
  await expect(refused).rejects.toMatchObject({ code: '42501' })
})

it('its limits hold on a connection that sends none, as behind a connection pool', async () => {
  const client = new pg.Client({ connectionString: urlOf('carillon_app') })
  await client.connect()
  const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone']
  const { rows } = await client.query(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [names],
  )
  await client.end()
  const sent = await asApp(async (db) =>
    sql`select name, current_setting(name) as value from unnest(${names}::text[]) as name`.execute(db),
  )
  expect(rows).toEqual(sent.rows)
  expect(rows[0].value).toBe('1min')
})

it('a database of before, which one role owned and used, is adopted', async () => {
  await asSuperuser('postgres', 'create database standing')
  const db = connect(postgresUrl(server.options, 'standing'))
  await migrateToLatest(db)
  await sql`select make_delivery_partition('2020-03-15')`.execute(db)
  await db.destroy()
  await asSuperuser('standing', script('database'))
  await asSuperuser('standing', script('adopt'))
  await asApp(async (app) => {
    await app.insertInto('subject').values({ uid: 'ann' }).execute()
    await sql`select make_delivery_partition('2020-04-15')`.execute(app)
    expect(await deliveryMonths.slice(app, new Date('2021-01-01'), 1)).toBe(1)
  }, 'standing')
  const owner = { DATABASE_URL: urlOf('carillon_owner', 'standing') }
  expect(await runCarillon(owner, 'migrate')).toMatchObject({ code: 0 })
})
