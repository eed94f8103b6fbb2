import { type RawBuilder, sql } from 'kysely'
import { type Exclusion, exclusions, type RunState } from '../../../contract/enums.ts'
import { currentTraceparent } from '../../../tracing/spans.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { anyKey } from '../../rows.ts'
import type { Opening } from '../../tables/scenario.ts'
import { capOf } from '../audience/eligibility.ts'
import { type AudienceSpec, audience } from '../audience/rows.ts'
import { findGroupQueries } from '../audience/subjects.ts'
import { unansweredWakes } from '../run/reconcile.ts'

/** Values of variables by uid. */
export type OwnVariables = Record<string, Record<string, unknown>>

/** Runs to start, for everybody whom `people` names and admits. */
export type NewRuns = {
  scenarioId: string
  versionNumber: number
  unitId: string
  /** The first node of the version. */
  node: string
  /** Who may be written to, by the rules of messages. */
  people: AudienceSpec
  /** '' or the event of a binding that runs once per event. */
  occasion: string
  /** Where the variables of the runs stand, if they have any. */
  startId: string | null
  /** Those of single people, which replace them. */
  own?: OwnVariables
  /** The actor. */
  startedBy: string
  /** The webhook event by which the person started it. */
  startedByWebhook: string | null
  /** Jumps since the person last said something. */
  jumps: number
  /** The scenarios of those jumps before this one. */
  jumpedThrough: readonly string[]
  /** When the person last said something; `now`: by starting it; null: others began it, and they said nothing. */
  spokeAt: Date | 'now' | null
  /** The person reads on a page behind a link. */
  onPage?: boolean
  /** What they chose on it. */
  opening?: Opening | null
  /** The run whose jump begins this one. */
  jumpedFrom?: string | null
  test: boolean
}

/**
 * A run of somebody who was named. `created`: by this start; otherwise it is the open run that they have already.
 * `queued`: this start made it stand in line, so it need not be woken.
 */
type StartedRun = { id: string; subjectId: string; created: boolean; queued: boolean }

/**
 * The most runs of a unit that have begun and not taken their first step; further ones stand in line. On two cores a burst
 * of 200 made another unit's single message 5 to 7 times slower with 25 or 100, and 2.4 times with 8.
 */
export const beginAtOnce = 8

/**
 * The people of a start: `runs` of those who may be written to, in the order of their ids, and how many others are
 * excluded and why. `frequency`: how many others have reached the category's frequency cap, if it has one.
 */
export type Started = { runs: StartedRun[]; excluded: Record<Exclusion, number>; frequency?: number }

/**
 * Starts a run of a scenario for each person who may be written to, in one statement; who has an open run of that occasion
 * keeps it. Nothing is woken.
 */
export async function insertRuns(trx: Trx, runs: NewRuns): Promise<Started> {
  const { unitId, audience: named } = runs.people
  const groupQueries = await findGroupQueries(trx, unitId, named)
  const { rows } = await insertQuery({ ...runs, people: { ...runs.people, groupQueries } }).execute(trx)
  const admitted = rows.filter(({ verdict }) => verdict === null)
  const created = admitted.flatMap(({ subject_id: subjectId, id, queued }) =>
    id === null ? [] : [{ id, subjectId, created: true, queued: queued === true }],
  )
  const others = admitted.flatMap(({ subject_id, id }) => (id === null ? [subject_id] : []))
  const existing = await findNewestRuns(trx, runs, others)
  return {
    runs: [...created, ...existing].sort(bySubject),
    excluded: countsOf(rows),
    ...(capOf(runs.people) && { frequency: rows.filter(({ verdict }) => verdict === 'frequency').length }),
  }
}

type Row = {
  subject_id: string
  verdict: Exclusion | 'frequency' | null
  id: string | null
  queued: boolean | null
}

/** The statement of `insertRuns`: everybody who is named, why they are excluded, and the run that they got. */
function insertQuery(runs: NewRuns): RawBuilder<Row> {
  const {
    scenarioId,
    versionNumber,
    unitId,
    occasion,
    startId,
    startedBy,
    startedByWebhook,
    jumps,
    jumpedThrough,
    spokeAt,
    test,
    node,
    own = {},
    onPage = false,
    opening = null,
    jumpedFrom = null,
  } = runs
  const hasOwn = Object.keys(own).length > 0
  return sql`
    with people as materialized (
      select subject_id, ${verdictOf(runs)} from (${audience(runs.people)}) as audience
    ),
    started as (
      insert into scenario_run (scenario_id, version_number, unit_id, subject_id, occasion, start_id, started_by,
        started_by_webhook, jumps, jumped_through, spoke_at, test, node, traceparent, queued_at, queued_mass,
        observed_version, on_page, opening, jumped_from${hasOwn ? sql`, variables` : sql``})
      select ${scenarioId}::uuid, ${versionNumber}::integer, ${unitId}::uuid, subject_id, ${occasion}, ${startId}::uuid,
        ${startedBy}, ${startedByWebhook}::uuid, ${jumps}::integer,
        ${[...jumpedThrough, scenarioId]}::uuid[], ${momentOf(spokeAt)}, ${test}::boolean, ${node},
        ${currentTraceparent()}::text, case when queued then clock_timestamp() end, queued and mass,
        case when queued then 1 else 0 end, ${onPage}::boolean, ${opening && JSON.stringify(opening)}::jsonb,
        ${jumpedFrom}::uuid${hasOwn ? ownOf(own) : sql``}
      from (
        select subject_id, mass, ${isQueued(unitId)} as queued from (
          select subject_id, count(*) over () > 1 as mass, row_number() over (order by subject_id) as place
          from people where verdict is null
        ) as eligible
      ) as placed
      order by subject_id
      on conflict (scenario_id, subject_id, occasion) where closed_at is null do nothing
      returning id, subject_id, queued_at
    )
    select people.subject_id, people.verdict, started.id, started.queued_at is not null as queued
    from people left join started on started.subject_id = people.subject_id`
}

/** The person's own variables. */
function ownOf(own: OwnVariables): RawBuilder<unknown> {
  return sql`,
        coalesce((select ${JSON.stringify(own)}::jsonb -> uid from subject where subject.id = subject_id), '{}')`
}

/**
 * Beyond `beginAtOnce`, and behind those that stand in line already; a run that began alone passes those of mass starts.
 * What is in line counts as observed, so that the reconciler does not wake it before `admitRuns`.
 */
function isQueued(unitId: string): RawBuilder<boolean> {
  const unit = anyKey(unitId)
  const inLine = sql`select from scenario_run where unit_id = ${unit} and queued_at is not null`
  return sql`place + ${countBehind(unit, beginAtOnce)} > ${beginAtOnce}::int
          or case when mass then exists (${inLine}) else exists (${inLine} and not queued_mass) end`
}

/**
 * How many open runs of a unit wait for their next step and do not stand in line, up to `most`. Each leaves this number
 * within half a minute while Temporal takes wakes: it takes its step or ends, or the reconciler has woken it as often as
 * it does before it examines a run. What no run reads any more is not counted.
 */
function countBehind(unitId: RawBuilder<unknown>, most: number): RawBuilder<number> {
  return sql<number>`(select count(*) from (
          select from scenario_run where unit_id = ${unitId} and observed_version < version and queued_at is null
            and closed_at is null and wake_count < ${unansweredWakes}::int
          order by wake_count limit ${most}) as behind)`
}

/** The units in which runs stand in line, one after the other. */
const unitsInLine = sql`in_line (unit_id) as (
      (select unit_id from scenario_run where queued_at is not null order by unit_id, queued_mass, queued_at, id limit 1)
      union all
      select (
        select unit_id from scenario_run where queued_at is not null and unit_id > in_line.unit_id
        order by unit_id, queued_mass, queued_at, id limit 1)
      from in_line where in_line.unit_id is not null
    )`

/**
 * Admits runs that stand in line, those that began alone first and then the oldest, so many of each unit that no more than
 * `most` of its runs wait for their next step. Returns their ids, to be woken after the commit.
 */
export async function admitRuns(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive ${unitsInLine},
    next as (
      select admitted.id from in_line cross join lateral (
        select id from (
          select id, queued_mass, queued_at from scenario_run where unit_id = in_line.unit_id and queued_at is not null
          order by queued_mass, queued_at, id limit ${most}
        ) as first
        order by queued_mass, queued_at, id limit greatest(0, ${most} - ${countBehind(sql.ref('in_line.unit_id'), most)})
      ) as admitted
    ),
    free as (
      select id from scenario_run where id in (select id from next) and queued_at is not null
      for no key update skip locked
    ),
    admitted as (
      update scenario_run as run set queued_at = null, changed_at = clock_timestamp(), observed_version = 0
      from free where run.id = free.id
      returning run.id, run.unit_id
    ),
    moved as (
      insert into start_line (unit_id, moved_at)
      select unit_id, clock_timestamp() from admitted group by unit_id order by unit_id
      on conflict (unit_id) do update set moved_at = excluded.moved_at
    )
    select id from admitted`.execute(db)
  return rows.map(({ id }) => id)
}

/** For how many seconds the line of a unit has not moved, of the one that has stood longest; 0 if nobody stands in line. */
export async function longestStandingLine(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    with recursive ${unitsInLine}
    select coalesce(max(extract(epoch from clock_timestamp() - greatest(start_line.moved_at, first.queued_at))), 0)::float8 as seconds
    from in_line join lateral (
      select least(
        (select min(queued_at) from scenario_run where unit_id = in_line.unit_id and queued_at is not null and not queued_mass),
        (select min(queued_at) from scenario_run where unit_id = in_line.unit_id and queued_at is not null and queued_mass)
      ) as queued_at
    ) as first on in_line.unit_id is not null
    left join start_line on start_line.unit_id = in_line.unit_id`.execute(db)
  return rows[0]!.seconds
}

/** The open run of a person is answered, also where that very run makes them reach the frequency cap. */
function verdictOf({ people, scenarioId, occasion }: NewRuns): RawBuilder<unknown> {
  if (!capOf(people)) return sql`verdict`
  return sql`case when verdict = 'frequency' and exists (
          select from scenario_run as open where open.scenario_id = ${scenarioId}::uuid
            and open.subject_id = audience.subject_id and open.occasion = ${occasion} and open.closed_at is null offset 0)
        then null else verdict end as verdict`
}

/** As SQL. */
export function momentOf(spokeAt: NewRuns['spokeAt']): RawBuilder<unknown> {
  return spokeAt === 'now' ? sql`clock_timestamp()` : sql`${spokeAt}::timestamptz`
}

/**
 * The newest run of each of these people: the one that stood in the way, even if it has ended since. A statement of its
 * own, because the one that inserts does not see a run that it waited for (docs/design/transactions.md).
 */
async function findNewestRuns(
  trx: Trx,
  { scenarioId, occasion }: Pick<NewRuns, 'scenarioId' | 'occasion'>,
  subjectIds: string[],
): Promise<StartedRun[]> {
  if (subjectIds.length === 0) return []
  const rows = await trx
    .selectFrom((of) =>
      of
        .selectFrom('scenario_run')
        .selectAll()
        .where('subject_id', '=', anyOf(subjectIds))
        .offset(sql.lit(0))
        .as('theirs'),
    )
    .distinctOn('subject_id')
    .select(['id', 'subject_id as subjectId'])
    .where('scenario_id', '=', scenarioId)
    .where('occasion', '=', occasion)
    .orderBy('subject_id')
    .orderBy('id', 'desc')
    .$narrowType<{ subjectId: string }>()
    .execute()
  return rows.map((row) => ({ ...row, created: false, queued: false }))
}

function bySubject(one: StartedRun, other: StartedRun): number {
  return one.subjectId < other.subjectId ? -1 : 1
}

function countsOf(rows: Row[]): Record<Exclusion, number> {
  const count = (reason: Exclusion) => rows.filter(({ verdict }) => verdict === reason).length
  return Object.fromEntries(exclusions.map((reason) => [reason, count(reason)])) as Record<Exclusion, number>
}

/**
 * Lets one start by others at a time add runs of a unit, until the transaction ends, so that the counts below hold. Lock
 * order: before the rows of runs. Starts by people do not take it: each adds one run.
 */
export async function lockStarts(trx: Trx, unitId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`starts ${unitId}`}, 0))`.execute(trx)
}

/** Whether a unit has more than `most` open runs. Tests count too: they are carried on like any other. */
export async function hasMoreOpenRuns(db: Db, unitId: string, most: number): Promise<boolean> {
  const { rows } = await sql`
    select from scenario_run where unit_id = ${unitId} and closed_at is null offset ${most} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether a run of a scenario is open. */
export async function hasOpenRuns(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from scenario_run where scenario_id = ${id} and closed_at is null order by subject_id limit 1`.execute(
    trx,
  )
  return rows.length > 0
}

/** How many conversations of a scenario are open. */
export async function countOpenRuns(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from scenario_run
    where scenario_id = ${id} and closed_at is null and not test`.execute(db)
  return rows[0]!.open
}

/** The scenarios of a category in a unit. */
type ScenariosOf = { unitId: string; categoryId: string }

/**
 * How many people others than themselves began runs for in 24 hours, in all scenarios of a category of the unit, as far as
 * no person approved the version.
 */
export async function countReached(db: Db, of: ScenariosOf): Promise<number> {
  const { rows } = await sql<{ people: number }>`select ${reached(of)} as people`.execute(db)
  return rows[0]!.people
}

/** The expression of `countReached`; it leaves out the person `except`. */
export function reached(
  { unitId, categoryId }: { unitId: string; categoryId: string | RawBuilder<unknown> },
  except: string | null = null,
): RawBuilder<number> {
  const others = except === null ? sql`` : sql`and reached.subject_id is distinct from ${except}`
  return sql`(
    select count(distinct coalesce(reached.subject_id, reached.id)) from scenario
      join scenario_version as automatic on automatic.scenario_id = scenario.id
      cross join lateral (
        select * from scenario_run as run where run.scenario_id = scenario.id and run.version_number = automatic.version
          and run.id > (select uuidv7(interval '-24 hours')) offset 0
      ) as reached
    where scenario.unit_id = ${unitId} and automatic.category_id = ${categoryId} and automatic.automatic
      and reached.created_at > now() - interval '24 hours' and not reached.test and reached.started_by not like 'recipient:%' ${others})`
}

/**
 * The open run of a person in a scenario that a start by themselves ends or keeps, locked. `waits`: for a place of the
 * pattern, or to read that it has got one.
 */
export async function lockOpenRuns(
  trx: Trx,
  { scenarioId, subjectId, occasion }: { scenarioId: string; subjectId: string; occasion: string },
): Promise<{ id: string; state: RunState; young: boolean; waits: boolean }[]> {
  return trx
    .selectFrom('scenario_run')
    .select(['id', 'state'])
    .select(sql<boolean>`created_at > clock_timestamp() - interval '1 minute'`.as('young'))
    .select(
      sql<boolean>`exists (
        select from registration where run_id = scenario_run.id
          and (registration.state = 'waitlisted' or promoted_at is not null))`.as('waits'),
    )
    .where('scenario_id', '=', scenarioId)
    .where('subject_id', '=', subjectId)
    .where('occasion', '=', occasion)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
