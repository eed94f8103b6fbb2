import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../dev/ports.ts'
import { type PostgresAt, postgresUrl } from '../../dev/postgres.ts'
import { POSTGRES_USER } from '../../dev/postgres-data.ts'
import { startChild, waitUntilReady } from '../../dev/process.ts'
import { logFile, postgresNamed } from '../../dev/services.ts'
import type { BenchInstallation } from '../installation.ts'
import { progress } from '../progress.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

/** A listmonk of its own. */
export type Listmonk = {
  /** Gives it this many subscribers. */
  subscribe(people: number): Promise<void>
  /** Sends a campaign to all of them, with this many characters of text; resolves when all mails are handed over. */
  send(characters: number): Promise<Stopwatch>
}

/** For a fast server: 32 workers, 50 connections, batches of 1,000; its rate out of the way. */
const settings = {
  'app.concurrency': 32,
  'app.batch_size': 1_000,
  'app.message_rate': 5_000,
  'app.check_updates': false,
}
const connections = 50

const database = 'listmonk'
const lookEveryMs = 100
const timeoutMs = 30 * 60_000

/**
 * Builds listmonk from a checkout and starts it with a Postgres of the same binary and settings as Carillon's. Its mails go
 * to the port of the mailbox.
 */
export async function startListmonk(installation: BenchInstallation, checkout: string): Promise<Listmonk> {
  const { environment } = installation
  const dir = join(environment.settings.dataDir, 'listmonk')
  mkdirSync(dir, { recursive: true })
  const binary = build(checkout, dir)
  const at: PostgresAt = { port: await freePort(), password: environment.secrets.postgresPassword }
  await installation.start(postgresNamed('listmonk-postgres', environment, at.port, [database]))
  const port = await freePort()
  const config = writeConfig(dir, port, at)
  execFileSync(binary, ['--config', config, '--install', '--idempotent', '--yes'], {
    cwd: checkout,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  const client = new pg.Client({ connectionString: postgresUrl(at, database) })
  client.on('error', () => {})
  await client.connect()
  await configure(client, environment.settings.ports.smtp)
  await installation.start({
    name: 'listmonk',
    start: () =>
      startChild({
        name: 'listmonk',
        command: binary,
        args: ['--config', config],
        cwd: checkout,
        env: {},
        logFile: logFile(environment.settings.dataDir, 'listmonk'),
      }),
    ready: (child) => waitUntilReady(child, () => answers(port), 60_000),
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
  })
  let subscribers = 0
  return {
    async subscribe(people) {
      await insertSubscribers(client, people)
      subscribers = people
    },
    send: (characters) => sendCampaign(installation, client, subscribers, characters),
  }
}

/** Without its console, which is built apart: of the static files it gets, none is asked for. */
function build(checkout: string, dir: string): string {
  const binary = join(dir, 'listmonk')
  const flags = ['-trimpath', '-ldflags', '-X main.frontendDir=static', '-o', binary]
  execFileSync('go', ['build', ...flags, './cmd'], { cwd: checkout, encoding: 'utf8', stdio: 'pipe' })
  return binary
}

function writeConfig(dir: string, port: number, { port: postgres, password }: PostgresAt): string {
  const path = join(dir, 'config.toml')
  const db = {
    host: '127.0.0.1',
    user: POSTGRES_USER,
    password,
    database,
    ssl_mode: 'disable',
    max_lifetime: '300s',
  }
  const lines = Object.entries(db).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  writeFileSync(
    path,
    `[app]\naddress = "127.0.0.1:${port}"\n[db]\nport = ${postgres}\nmax_open = 25\nmax_idle = 25\nparams = ""\n${lines.join('\n')}\n`,
  )
  return path
}

async function configure(client: pg.Client, smtpPort: number): Promise<void> {
  const server = {
    ...{ enabled: true, host: '127.0.0.1', port: smtpPort, auth_protocol: 'none', tls_type: 'none' },
    ...{
      max_conns: connections,
      idle_timeout: '15s',
      wait_timeout: '5s',
      max_msg_retries: 2,
      email_headers: [],
    },
    ...{ username: '', password: '', hello_hostname: '', tls_skip_verify: false, from_addresses: [] },
    msg_retry_delay: '10ms',
  }
  for (const [key, value] of Object.entries({ ...settings, smtp: [server] }))
    await client.query('update settings set value = $2 where key = $1', [key, JSON.stringify(value)])
}

async function insertSubscribers(client: pg.Client, people: number): Promise<void> {
  await client.query('truncate subscribers, lists, campaigns cascade')
  await client.query(
    `insert into lists (id, uuid, name, type) values (1, gen_random_uuid(), 'all', 'private')`,
  )
  await client.query(
    `insert into subscribers (id, uuid, email, name)
     select n, gen_random_uuid(), 'p' || n || '@campus.example.edu', 'P' || n from generate_series(1, $1::int) as n`,
    [people],
  )
  await client.query(
    `insert into subscriber_lists (subscriber_id, list_id, status) select id, 1, 'confirmed' from subscribers`,
  )
  await client.query('vacuum analyze')
}

async function sendCampaign(
  installation: BenchInstallation,
  client: pg.Client,
  subscribers: number,
  characters: number,
): Promise<Stopwatch> {
  const { rows: campaigns } = await client.query<{ id: number }>(
    `with made as (
       insert into campaigns (uuid, name, subject, from_email, body, content_type, status, messenger, template_id)
       values (gen_random_uuid(), 'bench', 'A talk', 'Hub <notice@campus.example.edu>', $1, 'html', 'running', 'email',
         (select id from templates where type = 'campaign' and is_default))
       returning id
     ), listed as (
       insert into campaign_lists (campaign_id, list_id, list_name) select id, 1, 'all' from made
     ) select id from made`,
    [`<p>${'There is a talk in the hall. '.repeat(Math.ceil(characters / 29)).slice(0, characters)}</p>`],
  )
  const bar = progress('listmonk', subscribers)
  const deadline = Date.now() + timeoutMs
  let lap: ReturnType<typeof startStopwatch> | undefined
  for (;;) {
    const { rows } = await client.query<{ status: string; sent: number; seconds: number | null }>(
      `select status, sent, extract(epoch from updated_at - started_at)::float8 as seconds from campaigns where id = $1`,
      [campaigns[0]!.id],
    )
    const { status, sent, seconds } = rows[0]!
    if (seconds !== null) lap ??= startStopwatch(installation) // it looks for campaigns every few seconds
    bar.to(sent)
    if (status === 'finished' && lap) {
      const ended = lap(subscribers)
      bar.end()
      return { ...ended, seconds: seconds! }
    }
    if (status === 'cancelled' || Date.now() > deadline) throw new Error(`listmonk's campaign is ${status}.`)
    await sleep(lookEveryMs)
  }
}

async function answers(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2_000) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`listmonk answers ${response.status}`)
}
