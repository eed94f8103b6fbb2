import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../any-of.ts'
import type { Trx } from '../../connect.ts'
import { declinersOf, invitedBy, invitedOf, startedOf } from './report.ts'

/**
 * What the numbers of patterns keep (`pattern.kept`) of rows that are about to be deleted or to lose their names: for each
 * person, what they counted for before and no longer do afterwards. Each act locks the patterns first, so that two that
 * concern the same person do not both leave it to the other.
 */

/** Keeps what the runs of these ids count for. Requires their locks. */
export async function keepRuns(trx: Trx, runIds: readonly string[]): Promise<void> {
  const these = sql`scenario_run where id = ${anyOf(runIds)} and not test and subject_id is not null`
  const patterns = await lockPatterns(trx, sql`scenario_id in (select scenario_id from ${these})`)
  if (patterns.length === 0) return
  const runs = sql`(
        select run.* from (select distinct scenario_id, subject_id from ${these}) as forgotten
          cross join lateral (select * from scenario_run where subject_id = forgotten.subject_id offset 0) as run
        where run.scenario_id = forgotten.scenario_id)`
  const invited = invitedOf(sql`(invitation.pattern_id, delivery.subject_id) in (
    select pattern.id, forgotten.subject_id from (select scenario_id, subject_id from ${these}) as forgotten
      join pattern using (scenario_id))`)
  await keepLost(trx, {
    before: invitedBy(invited, startedOf(sql`true`, runs)),
    after: invitedBy(invited, startedOf(sql`run.id <> all(${runIds}::uuid[])`, runs)),
  })
}

/** Keeps what the deliveries count for of the waves with ids from `from` to before `to`, with their read marks. */
export async function keepDeliveries(trx: Trx, { from, to }: { from: string; to: string }): Promise<void> {
  const gone = sql`wave.id >= ${from}::uuid and wave.id < ${to}::uuid`
  const patterns = await lockPatterns(
    trx,
    sql`id in (select pattern_id from pattern_invitation join wave using (message_id) where ${gone})`,
  )
  if (patterns.length === 0) return
  const invited = sql`invitation.pattern_id = ${anyOf(patterns)}`
  const started = startedOf(sql`pattern.id = ${anyOf(patterns)}`)
  await keepLost(trx, {
    before: invitedBy(invitedOf(invited), started),
    after: invitedBy(invitedOf(sql`${invited} and not (${gone})`), started),
  })
}

/**
 * Locks the patterns in which a person stands, answered, was invited or had a run, for an erasure: patterns come before
 * people. Returns their ids.
 */
export function lockPatternsOf(trx: Trx, subjectId: string): Promise<string[]> {
  return lockPatterns(
    trx,
    sql`id in (
      select pattern_id from registration where subject_id = ${subjectId}
      union all
      select pattern_id from pattern_answer where subject_id = ${subjectId}
      union all
      select pattern.id from scenario_run join pattern using (scenario_id) where subject_id = ${subjectId}
      union all
      select pattern_id from inbox_read join wave on wave.id = inbox_read.wave_id join pattern_invitation using (message_id)
      where inbox_read.subject_id = ${subjectId})`,
  )
}

/**
 * Keeps what a person counts for in these patterns beside their deliveries, which stay. Requires the locks of the
 * patterns and of the person, whose runs have not been emptied yet.
 */
export async function keepErased(trx: Trx, subjectId: string, patterns: readonly string[]): Promise<void> {
  const invited = sql`delivery.subject_id = ${subjectId} and invitation.pattern_id = ${anyOf(patterns)}`
  const runs = sql`(select * from scenario_run where subject_id = ${subjectId} offset 0)`
  await keepLost(trx, {
    before: invitedBy(invitedOf(invited), startedOf(sql`pattern.id = ${anyOf(patterns)}`, runs)),
    after: invitedBy(invitedOf(invited, sql`false`), startedOf(sql`false`)),
  })
  for (const id of patterns) await keepDecliners(trx, id, sql`answer.subject_id = ${subjectId}`)
}

/** Keeps that people declined who had asked for a place: `among` those whose answers or places lose their names. */
export async function keepDecliners(trx: Trx, patternId: string, among: RawBuilder<unknown>): Promise<void> {
  await sql`
    update pattern set kept = kept || jsonb_build_object('placesOfDecliners',
      coalesce((kept ->> 'placesOfDecliners')::int, 0) + decliners.n)
    from (select ${declinersOf(patternId, among)} as n) as decliners
    where pattern.id = ${patternId} and decliners.n > 0`.execute(trx)
}

async function lockPatterns(trx: Trx, which: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from pattern where ${which} order by id for no key update`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Adds what people counted for `before`, and no longer do `after`. Requires the locks of the patterns. */
async function keepLost(
  trx: Trx,
  { before, after }: { before: RawBuilder<unknown>; after: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    with lost as (
      select pattern_id, sum(n) as invited, coalesce(sum(n) filter (where reached), 0) as reached,
        coalesce(sum(n) filter (where read), 0) as read
      from (
        select pattern_id, 1 as n, reached, read from (${before}) as before
        union all
        select pattern_id, -1, reached, read from (${after}) as after
      ) as counted group by pattern_id
    )
    update pattern set kept = kept || jsonb_build_object(
      'invited', coalesce((kept ->> 'invited')::int, 0) + lost.invited,
      'reached', coalesce((kept ->> 'reached')::int, 0) + lost.reached,
      'read', coalesce((kept ->> 'read')::int, 0) + lost.read)
    from lost where pattern.id = lost.pattern_id and (lost.invited, lost.reached, lost.read) <> (0, 0, 0)`.execute(
    trx,
  )
}
