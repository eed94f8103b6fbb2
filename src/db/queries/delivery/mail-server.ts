import { sql } from 'kysely'
import { type ServerVerdict, serverVerdicts } from '../../../contract/enums.ts'
import {
  believedAfterMs,
  probeServerEveryMs,
  recentRecipients,
  type Verdict,
} from '../../../domain/message/server-doubt.ts'
import type { Db, Trx } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'

const probeEvery = milliseconds(probeServerEveryMs)

/**
 * The server is not believed now. Of bounces, a probe that was taken and has not bounced for a minute ends that. For
 * queries of `mail_server`.
 */
export const isDoubted = sql<boolean>`(mail_server.doubted_since is not null
    and (mail_server.probed_at is null or mail_server.probed_at > clock_timestamp() - ${probeEvery}))`

/** The refusals of a wave's recipients are believed: a person said so, or they were doubted for a day. */
export const trustsServer = sql<boolean>`(wave.believed
    or coalesce(wave.doubted_at <= clock_timestamp() - ${milliseconds(believedAfterMs)}, false))`

/** Whether this server is doubted, for any reason. */
export function isServerDoubted(host: string) {
  return sql<boolean>`exists (select from mail_server where host = ${host} and ${isDoubted})`
}

/** Whether this server has taken all of the newest recipients, for both reasons. */
export function acceptsAll(host: string) {
  return sql<boolean>`(select count(*) = ${sql.lit(serverVerdicts.length)} from mail_server
    where host = ${host} and doubted_since is null
      and cardinality(recent) >= ${sql.lit(recentRecipients)} and array_remove(recent, null) = '{}')`
}

/** When a doubted server may be probed next; null: it is not doubted. */
export function serverProbeAt(host: string) {
  return sql<Date | null>`(select max(probe_at) from mail_server where host = ${host} and ${isDoubted})`
}

/** What a server lately said. `believed`: what it says counts although it is doubted. */
type ServerState = { recent: Verdict[]; doubted: boolean; believed: boolean; now: Date }

/** Locks what is known of a server's verdict until the transaction ends. No lock is taken after it. */
export async function lockServer(trx: Trx, host: string, why: ServerVerdict): Promise<ServerState> {
  await sql`
    insert into mail_server (host, why) values (${host}, ${why}) on conflict do nothing
  `.execute(trx)
  await sql`select from mail_server where host = ${host} and why = ${why} for update`.execute(trx)
  const { rows } = await sql<ServerState>`
    select case when doubted_since is not null and not ${isDoubted} then '{}' else recent end as recent,
      ${isDoubted} as doubted,
      ${isDoubted} and (believed or doubted_since <= clock_timestamp() - ${milliseconds(believedAfterMs)}) as believed,
      clock_timestamp() as now
    from mail_server where host = ${host} and why = ${why}
  `.execute(trx)
  return rows[0]!
}

/** Writes the newest verdicts about a server that is believed. Requires its lock. */
export async function setRecent(
  trx: Trx,
  host: string,
  why: ServerVerdict,
  recent: Verdict[],
): Promise<void> {
  await sql`
    update mail_server
    set recent = ${recent}::timestamptz[], doubted_since = null, probe_at = null, probed_at = null, believed = false
    where host = ${host} and why = ${why}
  `.execute(trx)
}

/** Begins to doubt a server. Requires its lock. */
export async function doubtServer(trx: Trx, host: string, why: ServerVerdict): Promise<void> {
  await sql`
    update mail_server set recent = '{}', doubted_since = clock_timestamp(),
      probe_at = clock_timestamp() + ${probeEvery}, probed_at = null, believed = false
    where host = ${host} and why = ${why}
  `.execute(trx)
}

/** A mail bounced although its probe was taken: the server stays doubted. Requires its lock. */
export async function refuteProbe(trx: Trx, host: string): Promise<void> {
  await sql`update mail_server set probed_at = null where host = ${host} and why = 'bounce'`.execute(trx)
}

/**
 * The probe of a doubted server was taken: its refusals are believed again from now on, its bounces after a minute
 * without any.
 */
export async function endDoubt(db: Db, host: string): Promise<void> {
  await sql`
    with known as (select host, why from mail_server where host = ${host} order by why for update)
    update mail_server
    set doubted_since = case when mail_server.why = 'bounce' then doubted_since end,
      probed_at = case when mail_server.why = 'bounce' and doubted_since is not null
        then coalesce(probed_at, clock_timestamp()) end
    from known where mail_server.host = known.host and mail_server.why = known.why
  `.execute(db)
}

/**
 * Takes note of recipients whom a server took. Writes nothing where it took all of the newest ones, so that the senders
 * of a healthy installation do not wait for one row; a batch that knows that from its claim does not ask (`acceptsAll`).
 */
export async function noteTaken(db: Db | Trx, host: string, count: number): Promise<void> {
  const news = sql`array_fill(null::timestamptz, array[${Math.min(count, recentRecipients)}::integer])`
  await sql`
    with known as materialized (select why from mail_server where host = ${host}),
    changing as materialized (
      select host, why from mail_server
      where host = ${host} and doubted_since is null
        and (cardinality(recent) < ${recentRecipients} or exists (select from unnest(recent) as one where one is not null))
      order by why for update
    ),
    changed as (
      update mail_server
      set recent = (recent || ${news})[greatest(1, cardinality(recent || ${news}) - ${recentRecipients - 1}):]
      from changing where mail_server.host = changing.host and mail_server.why = changing.why
    )
    insert into mail_server (host, why, recent)
    select ${host}, why, ${news} from (values ('bounce'), ('refused')) as every (why)
    where not exists (select from known where known.why = every.why)
    on conflict do nothing
  `.execute(db)
}

/** Makes the probes of doubted servers due now. */
export async function probeServersNow(trx: Trx): Promise<void> {
  await sql`update mail_server set probe_at = clock_timestamp() where doubted_since is not null`.execute(trx)
}

/** A person says that the server's verdict is right: bounces suppress again, as do the refusals of the wave. */
export async function believeServers(trx: Trx, waveId: string): Promise<void> {
  await sql`update wave set believed = true where id = ${waveId}`.execute(trx)
  await sql`
    update mail_server set believed = true where why = 'bounce' and doubted_since is not null
  `.execute(trx)
}

/** A server that is not believed, and for how long, in seconds. */
type DoubtedServer = { host: string; why: ServerVerdict; seconds: number }

/** The servers that are not believed now. */
export async function listDoubtedServers(db: Db): Promise<DoubtedServer[]> {
  const { rows } = await sql<DoubtedServer>`
    select host, why, extract(epoch from clock_timestamp() - doubted_since)::float8 as seconds
    from mail_server where ${isDoubted} order by host, why
  `.execute(db)
  return rows
}
