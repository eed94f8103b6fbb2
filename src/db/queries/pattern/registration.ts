import { sql } from 'kysely'
import type { RegistrationState } from '../../../contract/enums.ts'
import type { RegistrationFacts } from '../../../domain/pattern/check-registration.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { announceRegistrations } from '../callback/objects.ts'
import { joinRunVersion } from '../scenario/version.ts'

/**
 * Places in a pattern. Whatever takes one or gives one up holds the lock of the pattern, so that there are never more than
 * its capacity. Lock order: runs, pattern, subjects, groups, ledger.
 */

/** The pattern, the person and the run of a request for a place. */
type RegistrationKey = { patternId: string; subjectId: string; runId: string }

/** What decides about a place, as it is at this moment; exact under the lock of the pattern. */
export async function readRegistrationFacts(
  db: Db | Trx,
  { patternId, subjectId, runId }: RegistrationKey,
): Promise<RegistrationFacts> {
  const { rows } = await sql<RegistrationFacts>`
    select capacity, deadline <= clock_timestamp() as over,
      case when capacity is null then 0 else (
        select count(*) from registration where pattern_id = pattern.id and state = 'registered') end as registered,
      (select json_build_object('state', state, 'byThisRun', run_id = ${runId}, 'promoted', promoted_at is not null)
        from registration where pattern_id = pattern.id and subject_id = ${subjectId}) as own
    from pattern where id = ${patternId}`.execute(db)
  return rows[0]!
}

/** Who asks again for the place that they have: until the run has moved on by it, they have not been notified. */
const keepsPlace = sql<boolean>`(registration.state = 'registered' and excluded.state = 'registered')`

/**
 * Writes where a person stands by the decision about this run's request. Who asks again has a new place in the order; who
 * has a place or waits keeps it. Requires the lock of the pattern.
 */
export async function writeRegistration(
  trx: Trx,
  { patternId, subjectId, runId }: RegistrationKey,
  state: RegistrationState,
): Promise<void> {
  await sql`
    insert into registration (pattern_id, place, subject_id, run_id, state)
    values (${patternId}, (select coalesce(max(place), 0) + 1 from registration where pattern_id = ${patternId}),
      ${subjectId}, ${runId}, ${state})
    on conflict (pattern_id, subject_id) do update
    set state = excluded.state, run_id = excluded.run_id,
      promoted_at = case when ${keepsPlace} then registration.promoted_at end,
      wake_due = registration.wake_due and ${keepsPlace},
      at = case when registration.state = excluded.state then registration.at else clock_timestamp() end,
      changes = registration.changes + (registration.state <> excluded.state)::integer,
      place = case when registration.state in ('withdrawn', 'not_admitted') and excluded.state in ('registered', 'waitlisted')
        then excluded.place else registration.place end`.execute(trx)
}

/**
 * Gives the places that are free to those who wait, in their order, unless the pattern is closed. Their runs learn it from
 * `wakePromoted`. Requires the lock of the pattern. Returns how many got one.
 */
export async function promoteWaiting(trx: Trx, patternId: string): Promise<number> {
  const { rows } = await sql<{ subjectId: string | null }>`
    update registration set state = 'registered', promoted_at = clock_timestamp(), wake_due = true,
      at = clock_timestamp(), changes = changes + 1
    where pattern_id = ${patternId} and place = any(array(
      select place from registration where pattern_id = ${patternId} and state = 'waitlisted' order by place
      limit (
        select case when deadline <= clock_timestamp() then 0 when capacity is null then null
          else greatest(0, capacity - (
            select count(*) from registration where pattern_id = pattern.id and state = 'registered')) end
        from pattern where id = ${patternId}
      )))
    returning subject_id as "subjectId"`.execute(trx)
  await announceRegistrations(
    trx,
    patternId,
    rows.flatMap(({ subjectId }) => subjectId ?? []),
  )
  return rows.length
}

/** A place that a person got while they waited is theirs once the notification may have reached them. */
const keeps = sql<boolean>`(promoted_at is not null and exists (select from turn
      where turn.run_id = registration.run_id and turn.first_try_at > promoted_at
        and turn.state in ('pending', 'sent', 'unknown')))`

/**
 * Gives up what runs that end were waiting for, or got before their person was notified, and gives it to others.
 * Requires the locks of the runs; locks their patterns.
 */
export async function giveUpPlaces(trx: Trx, runIds: readonly string[]): Promise<void> {
  const untold = sql`run_id = ${anyOf(runIds)} and (state = 'waitlisted' or promoted_at is not null)`
  const { rows } = await sql<{ id: string }>`
    select id from pattern where id = any(array(select pattern_id from registration where ${untold}))
    order by id for no key update`.execute(trx)
  if (rows.length === 0) return
  const { rows: withdrawals } = await sql<{ patternId: string; subjectId: string | null }>`
    update registration set promoted_at = null, wake_due = false,
      state = case when ${keeps} then state else 'withdrawn' end,
      at = case when ${keeps} then at else clock_timestamp() end, changes = changes + (not ${keeps})::integer
    where ${untold}
    returning pattern_id as "patternId", case state when 'withdrawn' then subject_id end as "subjectId"`.execute(
    trx,
  )
  for (const [patternId, changed] of Map.groupBy(withdrawals, (one) => one.patternId))
    await announceRegistrations(
      trx,
      patternId,
      changed.flatMap(({ subjectId }) => subjectId ?? []),
    )
  for (const { id } of rows) await promoteWaiting(trx, id)
}

/** The open runs of a person on a waiting list, or promoted but not yet notified, that can notify them by chat alone. */
export async function findWaitingInChat(db: Db, subjectId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select run.id from scenario_run as run
      join registration on run_id = run.id and (registration.state = 'waitlisted' or promoted_at is not null)
      ${joinRunVersion}
      join category on category.id = version.category_id
    where run.subject_id = ${subjectId} and run.closed_at is null and not exists (
      select from address where address.subject_id = run.subject_id and blocked_at is null and channel <> 'chat'
        and category.channel_plan -> 'channels' ? channel)
    order by run.id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Withdraws an erased person from patterns that are not closed, and gives their places to others. In closed ones they stay
 * counted, without a name. Requires the locks of the patterns.
 */
export async function withdrawErased(trx: Trx, subjectId: string): Promise<void> {
  const { rows } = await sql<{ patternId: string }>`
    update registration set state = 'withdrawn', promoted_at = null, wake_due = false, at = clock_timestamp(),
      changes = changes + 1
    where subject_id = ${subjectId} and state = 'registered'
      and (select deadline > clock_timestamp() from pattern where pattern.id = pattern_id)
    returning pattern_id as "patternId"`.execute(trx)
  for (const { patternId } of rows) await promoteWaiting(trx, patternId)
}

/** The runs of people who got a place that they have not read, at most `most`. */
export async function findPromoted(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select run_id as id from registration where wake_due order by run_id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Leaves it to a run that cannot be woken to read its place when it goes on. */
export async function forgetPromoted(db: Db, runId: string): Promise<void> {
  await sql`update registration set wake_due = false where run_id = ${runId} and wake_due`.execute(db)
}

/**
 * Lets these runs of people who got a place read it: raises their versions. Returns their ids, to be woken after the
 * commit. What a run has read before cannot be written any more, and what it reads then has the place.
 */
export async function wakePromoted(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select pattern_id, place, run.id, run.closed_at from registration join scenario_run as run on run.id = run_id
      where wake_due and run.id = ${anyOf(ids)} order by run.id
      for no key update of registration, run skip locked
    ),
    taken as (
      update registration set wake_due = false
      from due where registration.pattern_id = due.pattern_id and registration.place = due.place
    )
    update scenario_run as run set version = version + 1, changed_at = clock_timestamp()
    from due where run.id = due.id and due.closed_at is null
    returning run.id`.execute(trx)
  return rows.map(({ id }) => id)
}
