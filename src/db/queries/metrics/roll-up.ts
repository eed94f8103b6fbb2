import { sql } from 'kysely'
import { anyOf } from '../../any-of.ts'
import { backOffAfter, maxTries } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'
import { countReads } from './count-reads.ts'
import { listOf, type UnitDay, writeDays } from './unit-day.ts'

/** Waves, and deliveries, that one round rolls up; a single wave may have more deliveries. */
const perRound = { waves: 2_000, deliveries: 100_000 }

/** Statement timeout of a round: a single wave may have reached a million people; ms. */
const statementMs = 600_000

/**
 * Takes the right to write the numbers of units, until the transaction ends. One process at a time writes them: each
 * statement reads what the one before it has written, and no two wait for each other's rows. False: another one has it.
 */
export async function lockRollUp(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${rollUpLock}) as locked
  `.execute(trx)
  if (rows[0]!.locked) await allowLongStatements(trx)
  return rows[0]!.locked
}

/** The same, after a process that has it. Fails like any wait for a lock if that takes too long. */
async function waitForRollUp(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${rollUpLock})`.execute(trx)
  await allowLongStatements(trx)
}

const rollUpLock = sql`hashtextextended('roll up', 0)`

async function allowLongStatements(trx: Trx): Promise<void> {
  await sql.raw(`set local statement_timeout = ${statementMs}`).execute(trx)
}

/**
 * Rolls up those of these waves that are not yet: what they came to, whom they reached, and the days they belong to. A wave
 * that is rolled up again replaces what it was. Returns how many. Requires `lockRollUp`.
 */
export async function rollUpWaves(trx: Trx, finished: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from wave where id = ${anyOf(finished)} and rolled_up_at is null`.execute(trx)
  const waveIds = rows.map(({ id }) => id)
  if (waveIds.length === 0) return 0
  await openDays(trx)
  const { messageIds, days } = await writeWaves(trx, waveIds)
  await writeContacts(trx, waveIds)
  const read = await countReads(trx, messageIds)
  await writeDays(trx, [...days, ...read])
  await reopenNights(trx, days)
  return waveIds.length
}

/** Waves that are to be rolled up, those that finished first; not those that were put off. */
export async function finishedWaves(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, sum(expected) over (order by finished_at, id rows unbounded preceding exclude current row) as before
      from (
        select id, finished_at, coalesce(expected, 0) as expected from wave
        where finished_at is not null and rolled_up_at is null and message_id is not null
          and (roll_up_at is null or roll_up_at <= clock_timestamp()) and roll_up_tries < ${maxTries}
        order by finished_at, id limit ${perRound.waves}
      ) as finished
    ) as each
    where coalesce(before, 0) < ${perRound.deliveries}
  `.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Puts off a wave that cannot be rolled up, with back-off; after the last try it is left to `recompute`. Returns its
 * tries.
 */
export async function deferRollUp(db: Db, waveId: string): Promise<number | undefined> {
  const { rows } = await sql<{ tries: number }>`
    update wave set roll_up_tries = before.tries + 1, roll_up_at = ${backOffAfter(sql`before.tries`)}
    from (select roll_up_tries as tries from wave where id = ${waveId}) as before
    where id = ${waveId} and rolled_up_at is null
    returning roll_up_tries as tries`.execute(db)
  return rows[0]?.tries
}

/** Waves with their unit and the date of their end there. */
const dated = (waveIds: string[]) => sql`
  select wave.id, wave.message_id, wave.number, message.unit_id, message.remind_at,
    (wave.finished_at at time zone unit.time_zone)::date as date, wave.purged_at, wave.sent, wave.unknown, wave.people
  from wave join message on message.id = wave.message_id join unit on unit.id = message.unit_id
  where wave.id = ${anyOf(waveIds)}`

/** The people of waves with a delivery that arrived or may have, and how many of those they have. */
const reachedBy = (waveIds: string[]) => sql`
  select wave_id, subject_id, count(*) as deliveries from delivery
  where wave_id = ${anyOf(waveIds)} and state in ('sent', 'unknown') group by wave_id, subject_id`

/** What waves came to. Where the deliveries are gone, by their counters; what was read from the rows before stays. */
async function writeWaves(trx: Trx, waveIds: string[]): Promise<{ messageIds: string[]; days: UnitDay[] }> {
  const { rows } = await sql<{ messageId: string; unitId: string; date: string; before: string | null }>`
    with dated as (${dated(waveIds)}),
    counted as (
      select wave_id, sum(deliveries) as sent, count(*) as people from (${reachedBy(waveIds)}) as reached group by wave_id
    ),
    marked as (
      update wave set rolled_up_at = clock_timestamp() where id = ${anyOf(waveIds)}
    )
    insert into wave_metric as kept (wave_id, message_id, unit_id, number, date, sent, reached, reminded)
    select dated.id, message_id, unit_id, number, date,
      case when purged_at is null then coalesce(counted.sent, 0) else dated.sent + dated.unknown end,
      case when number > 0 then 0 when purged_at is null then coalesce(counted.people, 0)
        else coalesce((dated.people ->> 'reached')::integer + (dated.people ->> 'unknown')::integer, dated.sent + dated.unknown)
      end,
      number = 0 and remind_at is not null
    from dated left join counted on counted.wave_id = dated.id
    on conflict (wave_id) do update set date = excluded.date,
      sent = case when ${rowsAreKept} then excluded.sent else kept.sent end,
      reached = case when ${rowsAreKept} then excluded.reached else kept.reached end
    returning message_id as "messageId", unit_id as "unitId", new.date, old.date as before
  `.execute(trx)
  const days = rows.flatMap(({ unitId, date, before }) =>
    before === null || before === date
      ? [{ unitId, date }]
      : [
          { unitId, date },
          { unitId, date: before },
        ],
  )
  return { messageIds: rows.map(({ messageId }) => messageId), days }
}

const rowsAreKept = sql`(select purged_at is null from wave where wave.id = excluded.wave_id)`

/**
 * Whom waves reached, and when last, with the number of people by that date. Who was erased since is counted where they
 * were counted before. Those of whom that is known, such as by a wave of the same day, are left out first: a conflict that
 * changes nothing locks its row, and writes that. They are sorted, so that all are read before the first is written.
 */
async function writeContacts(trx: Trx, waveIds: string[]): Promise<void> {
  await sql`
    with dated as (${dated(waveIds)}),
    reached as (
      select unit_id, subject_id, min(date) as first_on, max(date) as last_on
      from (${reachedBy(waveIds)}) as reached join dated on dated.id = reached.wave_id join subject on subject.id = subject_id
      group by unit_id, subject_id
    ),
    written as (
      insert into contact as kept (unit_id, subject_id, first_on, last_on)
      select unit_id, subject_id, first_on, last_on from reached
      where not exists (
        select from contact as known
        where (known.unit_id, known.subject_id) = (reached.unit_id, reached.subject_id)
          and known.first_on <= reached.first_on and known.last_on >= reached.last_on
      )
      order by last_on, unit_id, subject_id
      on conflict (unit_id, subject_id) do update
        set first_on = least(kept.first_on, excluded.first_on), last_on = greatest(kept.last_on, excluded.last_on)
        where kept.first_on > excluded.first_on or kept.last_on < excluded.last_on
      returning unit_id, old.last_on as before, new.last_on as after
    ),
    moved as (
      select unit_id, after as date, 1 as people from written where before is distinct from after
      union all
      select unit_id, before, -1 from written where before <> after
    )
    insert into contact_day as kept (unit_id, date, people)
    select unit_id, date, sum(people) from moved group by unit_id, date having sum(people) <> 0
    on conflict (unit_id, date) do update set people = kept.people + excluded.people
  `.execute(trx)
}

/** A night to which a wave was added is closed again: people are counted from the rows. */
async function reopenNights(trx: Trx, days: UnitDay[]): Promise<void> {
  await sql`
    update day_metric as kept set closed_at = null from (${listOf(days)}) as day
    where kept.unit_id = day.unit_id and kept.date = day.date and closed_at is not null
  `.execute(trx)
}

/**
 * Adds the days of each unit that are missing up to today: the first are those since it was created, at most a year and a
 * day. Requires `lockRollUp`.
 */
export async function openDays(trx: Trx): Promise<void> {
  await sql`
    insert into day_metric (unit_id, date)
    select unit.id, day::date
    from unit
      cross join lateral (select (clock_timestamp() at time zone time_zone)::date as today) as now
      cross join lateral (
        select coalesce(
          (select max(date) + 1 from day_metric where unit_id = unit.id),
          greatest((unit.created_at at time zone time_zone)::date, today - 366)) as first
      ) as missing
      cross join lateral generate_series(first::timestamp, today::timestamp, interval '1 day') as day
    on conflict do nothing
  `.execute(trx)
}

/**
 * Has the waves of a unit's last `days` days, today included, rolled up again, and those nights closed again, from the rows
 * that are kept. Sums of these days that do not add up are mended at once. Returns how many waves, and the first day.
 */
export async function recompute(
  trx: Trx,
  { unitId, days }: { unitId: string; days: number },
): Promise<{ sends: number; from: string }> {
  await waitForRollUp(trx)
  const { rows } = await sql<{ sends: number; from: string }>`
    with first as (
      select (clock_timestamp() at time zone time_zone)::date - ${days - 1}::int as day from unit where id = ${unitId}
    ),
    opened as (
      update day_metric as opened set closed_at = null, close_tries = 0, close_at = null, (sent, reached, read) = (
          select coalesce(sum(sent), 0), coalesce(sum(reached), 0), coalesce(sum(read), 0) from wave_metric
          where unit_id = opened.unit_id and date = opened.date)
      from first where unit_id = ${unitId} and date >= day
    ),
    peopled as (
      insert into contact_day as kept (unit_id, date, people)
      select unit_id, last_on, count(*) from contact, first
      where unit_id = ${unitId} and last_on >= day group by unit_id, last_on
      on conflict (unit_id, date) do update set people = excluded.people where kept.people < excluded.people
    ),
    unrolled as (
      update wave set rolled_up_at = null, roll_up_tries = 0, roll_up_at = null
      where id in (select wave_id from wave_metric, first where unit_id = ${unitId} and date >= day)
      returning id
    )
    select day as "from", (select count(*) from unrolled) as sends from first
  `.execute(trx)
  return rows[0]!
}

/** How long ago the oldest wave finished that is not rolled up yet, in seconds; 0 if there is none. */
export async function rollUpLag(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(finished_at)), 0)::float8 as seconds from wave
    where finished_at is not null and rolled_up_at is null and message_id is not null
  `.execute(db)
  return rows[0]!.seconds
}
