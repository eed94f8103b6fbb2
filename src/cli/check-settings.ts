import { connect as connectTcp } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { connectOidc } from '../api/auth/oidc.ts'
import type { ChannelHealth } from '../channels/channel.ts'
import { connectors } from '../channels/connections.ts'
import { channelFacts } from '../channels/facts/by-channel.ts'
import type { Config } from '../config.ts'
import { type Channel, channels } from '../contract/enums.ts'
import type { Db } from '../db/connect.ts'
import { listCallbackAddresses } from '../db/queries/callback/callback.ts'
import { findUnitNamed } from '../db/queries/identity/unit.ts'
import { findEndpointsWithoutKey, listLookupOrigins } from '../db/queries/lookup/endpoint.ts'
import type { Services } from '../services/context.ts'
import { faultOfOrigin } from '../services/lookups/way.ts'
import { tryTemporalServer } from '../temporal/client.ts'
import { type Wiring, wire } from '../wiring.ts'
import { databaseHint } from './errors.ts'

/** The state of one connection that the settings name. */
type ConnectionCheck = { name: string; state: 'ok' | 'failed' | 'not_configured'; text: string }

/** The longest that one connection is waited for (ms). */
const patienceMs = 10_000
/** Callbacks that are tried, at most. */
const callbacksMost = 20

/** A connection works, and this is what it leads to; anything thrown is what is wrong. */
type Attempt = () => Promise<string>

/**
 * Tries each connection that the settings name, as a process would, without a change at the other end: nothing is
 * written, sent or called back.
 */
export async function checkConnections({
  db,
  config,
}: {
  db: Db
  config: Config
}): Promise<ConnectionCheck[]> {
  const wiring = wire({ ...config, LOG_LEVEL: 'silent' }, 'cli')
  try {
    // One after the other: setting up Temporal's client keeps this process from answering Postgres in time.
    const postgres = await run('postgres', () => tryPostgres(config, db))
    const callbacks = await run('callbacks', () => tryCallbacks(db, wiring))
    const others = [
      run('temporal', () => tryTemporal(wiring)),
      ...channels.map((channel) =>
        run(channelFacts[channel].names.en.inText, tryChannel(channel, config, wiring)),
      ),
      run('chat-login', tryChatLogin(config)),
      run('identity-provider', tryIdentityProvider(config)),
    ]
    const lookups = await run('lookups', tryLookups(config, db, wiring))
    const avatar = await run('avatar', tryAvatar(config, db))
    return [postgres, ...(await Promise.all(others)), lookups, avatar, callbacks]
  } finally {
    await wiring.close()
  }
}

async function run(name: string, attempt: Attempt | string): Promise<ConnectionCheck> {
  if (typeof attempt === 'string') return { name, state: 'not_configured', text: attempt }
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${patienceMs / 1_000} s`)), patienceMs)
  })
  try {
    return { name, state: 'ok', text: await Promise.race([attempt(), silence]) }
  } catch (error) {
    return { name, state: 'failed', text: lineOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

/** The tables exist, and this role may do what its processes do. */
async function tryPostgres({ DATABASE_URL }: Config, db: Db): Promise<string> {
  const { host, pathname } = new URL(DATABASE_URL)
  const { rows } = await sql<{
    role: string
    standby: boolean
    owner: string | null
    writes: boolean | null
  }>`
    select current_user as role, pg_is_in_recovery() as standby, has_table_privilege(oid, 'insert') as writes,
      (select rolname from pg_roles where pg_roles.oid = relowner) as owner
    from (select to_regclass('message')) as named (message) left join pg_class on oid = message`.execute(db)
  const { role, standby, owner, writes } = rows[0]!
  const where = `${role} at ${host}${pathname}`
  if (standby) throw new Error(`${where}: this server is a standby and takes no writes`)
  if (owner === null) throw new Error(`${where}: there are no tables. Run carillon migrate as their owner`)
  if (!writes) throw new Error(`${where}: this role may not write rows. See deploy/postgres/database.sql`)
  return `${where}: ${owner === role ? 'owns the tables, as carillon migrate needs' : 'reads and writes rows'}`
}

async function tryTemporal({ temporal: { server } }: Wiring): Promise<string> {
  const where = `namespace ${server.namespace} at ${server.address}`
  await at(where, tryTemporalServer(server, patienceMs / 2))
  return where
}

function tryChannel(channel: Channel, config: Config, { connections }: Wiring) {
  const { setting } = connectors[channel]
  if (config[setting] === undefined) return `${setting} is not set`
  return async () => {
    const connection = connections[channel]
    if (!connection) throw new Error('the channel needs SECRETS_KEY, which signs the links in its messages')
    return `${connection.provider}${stateOf(connection.provider, await connection.health(patienceMs))}`
  }
}

function stateOf(where: string, health: ChannelHealth): string {
  if (health.state === 'ok') return ' accepts the connection'
  const fault = health.state === 'misconfigured' ? 'rejects these settings' : 'is not available'
  throw new Error(`${where} ${fault} (${health.code})`)
}

function tryChatLogin({ CHAT_LOGIN_CHANNEL_ID, CHAT_LOGIN_JWKS_URL: url }: Config) {
  if (!CHAT_LOGIN_CHANNEL_ID) return 'CHAT_LOGIN_CHANNEL_ID is not set'
  return async () => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMs) })
    const keys = answer.ok ? ((await answer.json()) as { keys?: unknown[] }).keys : undefined
    if (!Array.isArray(keys)) throw new Error(`${url} answers ${answer.status}, and no keys`)
    return `${keys.length} keys at ${url}`
  }
}

function tryIdentityProvider({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID,
  OIDC_CLIENT_SECRET,
  PUBLIC_URL,
}: Config) {
  if (!issuer) return 'OIDC_ISSUER is not set: sessions come from carillon session create'
  return async () => {
    const redirectUri = `${PUBLIC_URL}/v1/auth/callback`
    const client = { clientId: OIDC_CLIENT_ID!, clientSecret: OIDC_CLIENT_SECRET! }
    await at(issuer, connectOidc({ issuer, ...client, redirectUri }).begin())
    return `${issuer}. Registered there must be ${redirectUri}`
  }
}

/**
 * Whether every registered endpoint can be signed for, and may be called; none is. Without keys, only production counts:
 * elsewhere the command line may have fewer settings than the processes.
 */
function tryLookups({ NODE_ENV, EVENT_SIGNING_KEYS: keys }: Config, db: Db, { services }: Wiring) {
  if (keys.size === 0 && NODE_ENV !== 'production') return 'EVENT_SIGNING_KEYS is not set'
  return () => checkLookups(db, services)
}

async function checkLookups(
  db: Db,
  { outbound, signingKeys }: Pick<Services, 'outbound' | 'signingKeys'>,
): Promise<string> {
  const origins = await listLookupOrigins(db)
  const unsigned = await findEndpointsWithoutKey(db, [...signingKeys.keys()])
  const faults = [
    ...unsigned.map(({ origin, keyId }) => `${origin}: EVENT_SIGNING_KEYS lacks ${keyId ?? 'a key'}`),
    ...origins.flatMap((origin) => {
      const fault = faultOfOrigin(outbound, origin)
      return fault === null ? [] : `${origin} ${fault.message}, or stand in OUTBOUND_ALLOW`
    }),
  ]
  if (faults.length > 0) throw new Error(faults.join('; '))
  return origins.length === 0
    ? 'no endpoint is registered'
    : `${origins.length} origins, each with a key and an address that may be called`
}

/** The secret is a setting of the API alone. */
function tryAvatar({ AVATAR_UNIT: named, AVATAR_WEBHOOK_SECRET }: Config, db: Db) {
  if (named === undefined) return 'AVATAR_UNIT is not set'
  return async () => {
    const unitId = await findUnitNamed(db, named)
    if (unitId === undefined)
      throw new Error('AVATAR_UNIT names no unit. Write the id or the name of one: carillon unit list')
    const signed = AVATAR_WEBHOOK_SECRET ? '' : '. AVATAR_WEBHOOK_SECRET, which the API needs, is not set'
    return `unit ${unitId}${signed}`
  }
}

/** A connection to the host of each callback; no request is made. */
async function tryCallbacks(db: Db, { services: { outbound } }: Wiring): Promise<string> {
  const addresses = await listCallbackAddresses(db, callbacksMost)
  const faults = await Promise.all(
    addresses.map(async (address) => {
      const fault = outbound.faultOf(address)
      if (fault !== null) return `${address} ${fault.message}, or stand in OUTBOUND_ALLOW`
      return reach(new URL(address)).then(
        () => [],
        (error: unknown) => `${address}: ${lineOf(error)}`,
      )
    }),
  )
  if (faults.flat().length > 0) throw new Error(faults.flat().join('; '))
  return addresses.length === 0 ? 'none is registered' : `${addresses.length} hosts accept connections`
}

function reach({ protocol, hostname, port }: URL): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) })
    socket.setTimeout(patienceMs - 500, () => socket.destroy(new Error('no connection in time')))
    socket.on('error', reject).on('connect', () => {
      socket.destroy()
      resolve()
    })
  })
}

/** Names the place in the error of an attempt. */
async function at(where: string, attempt: Promise<unknown>): Promise<void> {
  try {
    await attempt
  } catch (error) {
    throw new Error(`${where}: ${lineOf(error)}`)
  }
}

/** What went wrong, in one line and without a stack. */
function lineOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return databaseHint(error)
  if (error instanceof AggregateError && error.errors[0]) return lineOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? ` (${lineOf(error.cause)})` : ''
  return `${error.message}${cause}`.replaceAll(/\s+/g, ' ')
}
