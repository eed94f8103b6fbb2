import { sql } from 'kysely'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import { jumpedScenarios } from '../../../domain/actions.ts'
import type { PatternCounts } from '../../../domain/pattern/report.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'

/** Records which patterns of its unit a message invites to that was just frozen. */
export async function recordInvitations(
  trx: Trx,
  { id, unitId }: { id: string; unitId: string },
  messages: readonly CanonicalMessage[],
): Promise<void> {
  const scenarios = jumpedScenarios(messages).map((jump) => jump.id)
  if (scenarios.length === 0) return
  await sql`
    insert into pattern_invitation (pattern_id, message_id)
    select id, ${id}::uuid from pattern
    where unit_id = ${unitId} and scenario_id::text = any(${scenarios}::text[])`.execute(trx)
}

/** People whom messages told of a pattern: `person`, surely (`reached`), and who opened one in the inbox (`opened`). */
const told = sql`
      select invitation.pattern_id, delivery.subject_id as person, bool_or(delivery.state = 'sent') as reached,
        bool_or(mark.subject_id is not null) as opened, max(wave.id::text) as last
      from pattern_invitation as invitation
        join wave on wave.message_id = invitation.message_id
        join delivery on delivery.wave_id = wave.id and delivery.state in ('sent', 'unknown')
        left join inbox_read as mark on mark.wave_id = wave.id and mark.subject_id = delivery.subject_id`

/** How many people a pattern has reached, and what became of them. Erased people are counted, without a name. */
export async function countPattern(db: Db, patternId: string): Promise<PatternCounts> {
  const { rows } = await sql<PatternCounts>`
    with told as materialized (${told}
      where invitation.pattern_id = ${patternId} group by 1, 2
    ),
    started as materialized (
      select coalesce(run.subject_id, run.id) as person, bool_or(run.started_by not like 'recipient:%') as begun,
        bool_or(exists (select from turn where turn.run_id = run.id and turn.state = 'sent')) as reached,
        bool_or(run.started_by like 'recipient:%'
          or exists (select from scenario_answer as answer where answer.run_id = run.id)) as acted
      from scenario_run as run join pattern on pattern.scenario_id = run.scenario_id
      where pattern.id = ${patternId} and not run.test group by 1
    ),
    people as (
      select coalesce(told.reached, false) or coalesce(begun and started.reached, false) as reached,
        coalesce(opened, false) or coalesce(acted, false) as read
      from told full join started using (person)
      where told.person is not null or begun
    )
    select
      (select json_build_object('invited', count(*), 'reached', count(*) filter (where reached),
        'read', count(*) filter (where read)) from people) as told,
      (select kept from pattern where id = ${patternId}) as kept,
      (select coalesce(json_object_agg(state, n), '{}') from (
        select state, count(*) as n from registration where pattern_id = ${patternId} group by state) as places) as places,
      (select coalesce(json_agg(json_build_object('question', question, 'optionId', option_id, 'count', n)), '[]') from (
        select question, option_id, count(*) as n from pattern_answer where pattern_id = ${patternId}
        group by question, option_id) as chosen) as answers,
      (select count(*) from pattern join pattern_answer as answer on answer.pattern_id = pattern.id
          and question = attendance and option_id is distinct from 'yes'
        join registration on registration.pattern_id = pattern.id and registration.subject_id = answer.subject_id
        where pattern.id = ${patternId}) as "placesOfDecliners"`.execute(db)
  return rows[0]!
}

/**
 * Keeps how many people were told of patterns by messages whose deliveries are about to be deleted: those of the waves with
 * ids from `from` to before `to`. Who was told again later is counted then.
 */
export async function keepTold(trx: Trx, { from, to }: { from: string; to: string }): Promise<void> {
  await sql`
    with gone as (
      select pattern_id, count(*) as invited, count(*) filter (where reached) as reached,
        count(*) filter (where opened) as read
      from (${told}
        where invitation.pattern_id in (
          select pattern_id from pattern_invitation join wave using (message_id)
          where wave.id >= ${from}::uuid and wave.id < ${to}::uuid)
        group by 1, 2
      ) as told
      where last < ${to} group by pattern_id
    )
    update pattern set kept = jsonb_build_object(
      'invited', coalesce((kept ->> 'invited')::int, 0) + gone.invited,
      'reached', coalesce((kept ->> 'reached')::int, 0) + gone.reached,
      'read', coalesce((kept ->> 'read')::int, 0) + gone.read)
    from gone where pattern.id = gone.pattern_id`.execute(trx)
}

/** Keeps that a person has opened messages that told them of patterns, whose marks go with them. */
export async function keepOpened(trx: Trx, subjectId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct pattern_id as id from inbox_read
      join wave on wave.id = inbox_read.wave_id
      join pattern_invitation using (message_id)
    where inbox_read.subject_id = ${subjectId}`.execute(trx)
  if (rows.length === 0) return
  await sql`
    update pattern set kept = jsonb_set(kept, '{read}', to_jsonb(coalesce((kept ->> 'read')::int, 0) + 1))
    where id = ${anyOf(rows.map(({ id }) => id))}`.execute(trx)
}
