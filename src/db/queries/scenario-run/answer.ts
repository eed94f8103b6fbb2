import { type RawBuilder, sql } from 'kysely'
import type { Locale, RunState } from '../../../contract/enums.ts'
import type { PostbackData } from '../../../contract/messages/content.ts'
import type { ScenarioContent } from '../../../contract/scenarios/content.ts'
import type { ChatSender } from '../../../domain/content/sending-unit.ts'
import type { NodeMessages } from '../../../domain/scenario/deliverable-channels.ts'
import type { Db, Trx } from '../../connect.ts'
import { runAnswerInto } from '../callback/runs.ts'
import { joinRunVersion } from '../scenario/version.ts'

/** A run as what a person says to it finds it, at one of its nodes. */
export type AnsweredRun = {
  id: string
  unitId: string
  scenarioId: string
  subjectId: string
  /** Whether its scenario starts now, with the version that it follows. */
  startable: boolean
  state: RunState
  /** Whether its buttons do nothing beside it. */
  test: boolean
  /** Why the run is about to end; null: it goes on. */
  ending: string | null
  /** Where the run is now. */
  node: string
  deadline: Date | null
  /** The deadline of the pattern of its scenario; null: it belongs to none. */
  patternEnds: Date | null
  /** Where the person stands in it; `unaware`: they have a place of which this run has not notified them. Null: nowhere. */
  place: 'registered' | 'unaware' | 'waiting' | null
  /** Whether a run of the scenario is open for the person: this one, or a later one. */
  goesOn: boolean
  /** The node that is asked about, and what was said there; null: nothing was. */
  askedNode: string
  says: NodeMessages | null
  /** The turn that said it. */
  turnId: string | null
  turnNumber: number | null
  /** When its turn was sent or failed; null: its outcome is not written yet. */
  turnClosedAt: Date | null
  content: ScenarioContent
  answer: { optionId: string | null; text: string | null } | null
  locale: Locale
  sender: ChatSender | null
  now: Date
}

/** A node of a run with a person. */
type AnsweredNode = { runId: string; subjectId: string; node: string }

/** The run of a button, locked; undefined if it does not exist or is somebody else's. */
export function lockAnsweredRun(trx: Trx, at: AnsweredNode): Promise<AnsweredRun | undefined> {
  return answeredRun(trx, at, sql`for no key update of run`)
}

/**
 * Who tapped a button of a run that is past retention, so that nobody can tell whose it was; undefined if it is not.
 * Only the person who was shown the button knows the id of the run.
 */
export async function findLateReader(
  trx: Trx,
  { runId, subjectId }: Pick<AnsweredNode, 'runId' | 'subjectId'>,
): Promise<Pick<AnsweredRun, 'locale' | 'sender'> | undefined> {
  const { rows } = await sql<Pick<AnsweredRun, 'locale' | 'sender'>>`
    select subject.locale, unit.sender
    from scenario_run as run join unit on unit.id = run.unit_id join subject on subject.id = ${subjectId}
    where run.id = ${runId} and run.purged_at is not null`.execute(trx)
  return rows[0]
}

/** The run of a button, to be shown. Undefined as in `lockAnsweredRun`. */
export function findAnsweredRun(db: Db, at: AnsweredNode): Promise<AnsweredRun | undefined> {
  return answeredRun(db, at, sql``)
}

async function answeredRun(
  db: Db | Trx,
  { runId, subjectId, node }: AnsweredNode,
  lock: RawBuilder<unknown>,
): Promise<AnsweredRun | undefined> {
  const { rows } = await sql<AnsweredRun>`
    select ${columns(node)}
    from scenario_run as run ${joins}
      left join lateral (
        select turn.id, turn.number, turn.says, turn.closed_at from turn
        where turn.run_id = run.id and exists (
          select from jsonb_array_elements(turn.says) as saying where saying ->> 'node' = ${node})
        order by number desc limit 1
      ) as asked on true
    where run.id = ${runId} and run.subject_id = ${subjectId}
    ${lock}`.execute(db)
  return rows[0]
}

/**
 * The run whose question was sent to a person last, within a day if it has ended; locked. Undefined if nothing was asked. A
 * question that was just sent counts before its outcome is written: people type as soon as they read it. `until`: what was
 * sent later is left out, since what they typed then cannot be about it; null: nothing is. `newest`: nothing else was sent
 * since, and it was sent within a day.
 */
export function lockNewestQuestion(
  trx: Trx,
  subjectId: string,
  until: Date | null,
): Promise<NewestQuestion | undefined> {
  return lockQuestion(
    trx,
    { subjectId, until },
    sql`(run_closed_at is null or run_closed_at > clock_timestamp() - interval '1 day')`,
  )
}

type NewestQuestion = AnsweredRun & { newest: boolean }

/**
 * The run whose question was sent to a person last of those that wait for an answer; locked, and with `until` and `newest`
 * as above. Its time may be over.
 */
export function lockOpenQuestion(
  trx: Trx,
  subjectId: string,
  until: Date | null,
): Promise<NewestQuestion | undefined> {
  return lockQuestion(
    trx,
    { subjectId, until },
    sql`run_closed_at is null and exists (select from scenario_run as run
      where run.id = run_id and run.node = last_node and run.reason is null and not exists (
        select from scenario_answer as answer where answer.run_id = run.id and answer.node = run.node))`,
  )
}

/**
 * A question counts as sent from its first try on, as nobody can have read it before: its outcome is written only once the
 * provider has answered, when the person may have typed already. A pending turn that is between two tries was refused. What
 * stands on a page alone is not asked in the chat, where it would take whatever is typed weeks later.
 */
async function lockQuestion(
  trx: Trx,
  { subjectId, until }: { subjectId: string; until: Date | null },
  condition: RawBuilder<boolean>,
): Promise<NewestQuestion | undefined> {
  const { rows } = await sql<{ runId: string; node: string; newest: boolean }>`
    with asked as materialized (
      select turn.run_id, turn.last_node, coalesce(turn.closed_at, 'infinity') as asked_at,
        run.closed_at as run_closed_at, exists (
        select from jsonb_array_elements(version.content -> 'nodes') as one
        where one ->> 'id' = turn.last_node and one ->> 'kind' in ('question', 'register')) as question
      from turn join scenario_run as run on run.id = turn.run_id
        ${joinRunVersion}
      where turn.subject_id = ${subjectId} and turn.channel is distinct from 'page' and (turn.state in ('sent', 'unknown')
        or turn.state = 'pending' and turn.unclear and turn.last_node = run.node
          and turn.first_try_at > clock_timestamp() - interval '1 minute')
        and (${until}::timestamptz is null or coalesce(turn.first_try_at, turn.closed_at) <= ${until})
      order by turn.id desc limit 20
    )
    select run_id as "runId", last_node as node,
      asked_at = (select max(asked_at) from asked) and asked_at > clock_timestamp() - interval '1 day' as newest
    from asked
    where question and ${condition}
    order by asked_at desc limit 1`.execute(trx)
  const question = rows[0]
  if (!question) return undefined
  const run = await lockAnsweredRun(trx, { ...question, subjectId })
  return run && { ...run, newest: question.newest }
}

/**
 * The open run that said something to a person last, else the newest one; undefined if none is open. `until`: one that
 * began later is left out; null: none is.
 */
export async function findNewestRun(
  db: Db | Trx,
  subjectId: string,
  until: Date | null,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select run.id from scenario_run as run
    where run.subject_id = ${subjectId} and run.closed_at is null
      and (${until}::timestamptz is null or run.created_at <= ${until})
    order by (select max(coalesce(turn.closed_at, turn.first_try_at)) from turn where turn.run_id = run.id)
      desc nulls last, run.id desc
    limit 1`.execute(db)
  return rows[0]?.id
}

function columns(node: string) {
  return sql`run.id, run.unit_id as "unitId", run.scenario_id as "scenarioId", run.subject_id as "subjectId",
      version.state = 'in_force'
        and exists (select from scenario where id = run.scenario_id and state = 'active') as startable, run.state, run.test, run.reason as ending, run.node, run.deadline,
      version.content, subject.locale,
      (select pattern.deadline from pattern where pattern.scenario_id = run.scenario_id) as "patternEnds",
      (select case when registration.state = 'registered' and promoted_at is not null and run_id = run.id then 'unaware'
          when registration.state = 'registered' then 'registered'
          when registration.state = 'waitlisted' and run_id = run.id then 'waiting' end
        from registration join pattern on pattern.id = pattern_id
        where pattern.scenario_id = run.scenario_id and registration.subject_id = run.subject_id) as place,
      exists (select from scenario_run as open
        where open.scenario_id = run.scenario_id and open.subject_id = run.subject_id and open.closed_at is null) as "goesOn",
      unit.sender, clock_timestamp() as now, ${node} as "askedNode", asked.id as "turnId",
      asked.number as "turnNumber", asked.closed_at as "turnClosedAt",
      (select saying from jsonb_array_elements(asked.says) as saying where saying ->> 'node' = ${node} limit 1) as says,
      (select json_build_object('optionId', option_id, 'text', answer.text) from scenario_answer as answer
        where answer.run_id = run.id and answer.node = ${node}) as answer`
}

const joins = sql`
      ${joinRunVersion}
      join subject on subject.id = run.subject_id
      join unit on unit.id = run.unit_id`

/**
 * Stores the answer of a person, by which the run goes on, and ends the webhook event that brought it; the first one stays.
 * In a pattern, the last one of all their runs is counted. Requires the locks of the run and of the event.
 */
export async function insertScenarioAnswer(
  trx: Trx,
  answer: {
    runId: string
    node: string
    optionId: string | null
    text: string | null
    data: PostbackData | null
    webhookEventId: string | null
    /** It was given on a page behind a link; `earlier`: with the start of the run. */
    onPage: boolean | 'earlier'
  },
): Promise<void> {
  const { runId, node, optionId, text, data, webhookEventId, onPage } = answer
  await sql`
    with stored as (
      insert into scenario_answer (run_id, node, option_id, text, data, webhook_event_id)
      values (${runId}, ${node}, ${optionId}, ${text}, ${data && JSON.stringify(data)}, ${webhookEventId})
      on conflict do nothing
      returning run_id, node, option_id, text, data
    ),
    reported as (
      ${runAnswerInto(sql`(select run.id, run.unit_id, run.test, run.subject_id, stored.node, stored.option_id, stored.data
        from stored join scenario_run as run on run.id = stored.run_id)`)}
    ),
    counted as (
      insert into pattern_answer (pattern_id, subject_id, question, option_id, text)
      select pattern.id, run.subject_id, ${node}, ${optionId}, stored.text
      from stored join scenario_run as run on run.id = stored.run_id
        join pattern on pattern.scenario_id = run.scenario_id
      where not run.test
      on conflict (pattern_id, subject_id, question) do update
      set option_id = excluded.option_id, text = excluded.text, at = excluded.at
    ),
    heard as (
      update webhook_event set outcome = 'answered', subject_id = run.subject_id, done_at = clock_timestamp()
      from scenario_run as run where run.id = ${runId} and webhook_event.id = ${webhookEventId}
    )
    update scenario_run set version = version + 1, changed_at = clock_timestamp(), jumps = 0,
      jumped_through = '{}', on_page = ${onPage !== false},
      spoke_at = case when ${onPage === 'earlier'} then spoke_at else clock_timestamp() end
    from stored where scenario_run.id = stored.run_id`.execute(trx)
}
