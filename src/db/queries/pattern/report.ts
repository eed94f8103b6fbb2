import { type RawBuilder, sql } from 'kysely'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import { jumpedScenarios } from '../../../domain/content/actions.ts'
import type { PatternCounts } from '../../../domain/pattern/report.ts'
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

/**
 * People whom messages invited to patterns: surely (`reached`), and who opened one in the inbox (`opened`). `marks`:
 * the marks of those who did. Erased people are counted under an id without a subject, like their deliveries.
 */
export function invitedOf(
  of: RawBuilder<unknown>,
  marks: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return sql`
      select invitation.pattern_id, delivery.subject_id as person, bool_or(delivery.state = 'sent') as reached,
        bool_or(mark.subject_id is not null) as opened
      from pattern_invitation as invitation
        join wave on wave.message_id = invitation.message_id
        join delivery on delivery.wave_id = wave.id and delivery.state in ('sent', 'unknown')
        left join inbox_read as mark on mark.wave_id = wave.id and mark.subject_id = delivery.subject_id and ${marks}
      where ${of} group by 1, 2`
}

/**
 * People with runs of the scenarios of patterns: whether others began one, and whether it reached them, or they acted.
 * `runs`: those among which they are looked for.
 */
export function startedOf(
  of: RawBuilder<unknown>,
  runs: RawBuilder<unknown> = sql`scenario_run`,
): RawBuilder<unknown> {
  return sql`
      select pattern.id as pattern_id, run.subject_id as person, bool_or(run.started_by not like 'recipient:%') as begun,
        bool_or(exists (select from turn where turn.run_id = run.id and turn.state = 'sent' offset 0)) as reached,
        bool_or(run.started_by like 'recipient:%'
          or exists (select from scenario_answer as answer where answer.run_id = run.id offset 0)) as acted
      from ${runs} as run join pattern on pattern.scenario_id = run.scenario_id
      where ${of} and not run.test and run.subject_id is not null group by 1, 2`
}

/** Who was invited to a pattern, by a message or by a run that others began, and the outcome: a row for each. */
export function invitedBy(invited: RawBuilder<unknown>, started: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
      select pattern_id, coalesce(invited.reached, false) or coalesce(begun and started.reached, false) as reached,
        coalesce(opened, false) or coalesce(acted, false) as read
      from (${invited}) as invited full join (${started}) as started using (pattern_id, person)
      where invited.person is not null or begun`
}

/** How many people declined after they had asked for a place: those of the pattern who are `among` these. */
export function declinersOf(patternId: string, among: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(
      select count(*)::int from pattern
        join pattern_answer as answer on answer.pattern_id = pattern.id
          and question = attendance and option_id is distinct from 'yes'
      where pattern.id = ${patternId} and attendance is not null and ${among} and exists (
        select from registration where registration.pattern_id = pattern.id and registration.subject_id = answer.subject_id
        offset 0))`
}

/** The runs of a person (`first`) in a `pattern`. */
const theirRuns = sql`select from scenario_run as run
          where run.scenario_id = pattern.scenario_id and run.subject_id = first.subject_id and not run.test`
const openRun = sql`${theirRuns} and run.closed_at is null offset 0`
const refusals = sql`('{"kind":"result","result":"full"}', '{"kind":"result","result":"closed"}')`
const refusal = sql`${theirRuns} and exists (
            select from scenario_step as step where step.run_id = run.id and step.edge in ${refusals}) offset 0`

/** How many people answered the first question and did not come to the end, `which` of them. */
function halfWay(patternId: string, which: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(
      select count(*)::int from pattern
        join pattern_answer as first on first.pattern_id = pattern.id and first.question = questions -> 0 ->> 'id'
      where pattern.id = ${patternId} and first.subject_id is not null and ${which} and case
        when attendance is null then not exists (
          select from pattern_answer as last where last.pattern_id = pattern.id and last.subject_id = first.subject_id
            and last.question = questions -> -1 ->> 'id' offset 0)
        else not exists (
            select from registration where registration.pattern_id = pattern.id
              and registration.subject_id = first.subject_id offset 0)
          and not exists (
            select from pattern_answer as chosen where chosen.pattern_id = pattern.id
              and chosen.subject_id = first.subject_id and chosen.question = attendance
              and chosen.option_id is distinct from 'yes' offset 0)
        end)`
}

/** Runs past retention that were told that no place is left. */
function keptRefusals(patternId: string): RawBuilder<number> {
  return sql`(
      select coalesce(sum(count), 0)::int from pattern join scenario_count using (scenario_id)
      where pattern.id = ${patternId} and edge in ${refusals})`
}

/** How many people a pattern has reached, and with what outcome, with the counts that are kept of those without a name. */
export async function countPattern(db: Db, patternId: string): Promise<PatternCounts> {
  const { rows } = await sql<PatternCounts>`
    with people as (${invitedBy(
      invitedOf(sql`invitation.pattern_id = ${patternId}`),
      startedOf(sql`pattern.id = ${patternId}`),
    )})
    select
      (select json_build_object('invited', count(*), 'reached', count(*) filter (where reached),
        'read', count(*) filter (where read)) from people) as invitations,
      (select kept from pattern where id = ${patternId}) as kept,
      (select coalesce(json_object_agg(state, n), '{}') from (
        select state, count(*) as n from registration where pattern_id = ${patternId} group by state) as places) as places,
      (select coalesce(json_agg(json_build_object('question', question, 'optionId', option_id, 'count', n)), '[]') from (
        select question, option_id, count(*) as n from pattern_answer where pattern_id = ${patternId}
        group by question, option_id) as chosen) as answers,
      ${declinersOf(patternId, sql`true`)} as "placesOfDecliners",
      ${halfWay(patternId, sql`exists (${openRun})`)} as "underWay",
      ${halfWay(patternId, sql`not exists (${openRun}) and exists (${refusal})`)} + ${keptRefusals(patternId)} as refused`.execute(
    db,
  )
  return rows[0]!
}
