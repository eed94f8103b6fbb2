import { type RawBuilder, sql } from 'kysely'
import {
  type Channel,
  channels,
  type Layer,
  type Locale,
  type Problem,
  type ScenarioState,
  type TurnWay,
} from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { ScenarioContent } from '../../../contract/scenarios/content.ts'
import type { SkipReason } from '../../../domain/audience/audience.ts'
import type { ChannelPlan } from '../../../domain/content/channel-plan.ts'
import type { SendingUnit } from '../../../domain/content/sending-unit.ts'
import type { Month } from '../../../domain/lib/month.ts'
import type { QuietPeriod } from '../../../domain/message/quiet-hours.ts'
import type { Halves } from '../../../domain/message/quota.ts'
import type { Approval } from '../../../domain/rights/approval.ts'
import type { NodeMessages } from '../../../domain/scenario/deliverable-channels.ts'
import { backOffAfter, maxTries } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'
import { eligibilityJoins, verdict } from '../audience/eligibility.ts'
import { quietPeriodOf } from '../catalogue/category.ts'
import { sendingUnit } from '../identity/unit.ts'
import { joinRunVersion, versionApproval } from '../scenario/version.ts'

/** What the form of a turn depends on beside what it says: its scenario, category and unit, and the person's language. */
export type TurnContext = {
  /** Of the scenario; null: a reply in a handoff. */
  content: ScenarioContent | null
  category: { id: string; name: LocalisedText; layer: Layer }
  unit: SendingUnit
  locale: Locale
}

/** A turn that is to be said, with what does not change while it waits. */
export type PendingTurn = TurnContext & {
  id: string
  /** Null: it replies in a handoff. */
  runId: string | null
  /** It is said on the page on which its person has answered. */
  onPage: boolean
  unitId: string
  subjectId: string
  lastNode: string
  says: NodeMessages[]
  answersPerson: boolean
  /** Who approved the version of its run; null: nobody. */
  approval: Approval | null
  /** The member who answers for it instead: who started a test, to themselves, or wrote a reply; null: nobody. */
  member: string | null
  category: { consentScope: string | null; plan: ChannelPlan }
}

/**
 * The turn of a run that waits to be said, the first of them, because a farewell waits for one that was begun; undefined
 * if there is none. A test is said in the chat alone, and asks neither consent nor preference, as at its start; a block
 * always counts.
 */
export async function findPendingTurn(db: Db, runId: string): Promise<PendingTurn | undefined> {
  const { rows } = await sql<PendingTurn>`
    select turn.id, run.id as "runId", turn.channel is not distinct from 'page' as "onPage", turn.unit_id as "unitId", turn.subject_id as "subjectId",
      turn.last_node as "lastNode", turn.locale, turn.says, turn.answers_person or run.test as "answersPerson",
      version.content, ${versionApproval} as approval,
      case when run.test and run.started_by like 'person:%' then run.started_by end as member,
      json_build_object('id', c.id, 'name', c.name, 'layer', c.layer, 'consentScope', case when not run.test then c.consent_scope end,
        'plan', ${runPlan('c')}) as category,
      ${sendingUnit} as unit
    from turn join scenario_run as run on run.id = turn.run_id
      ${joinRunVersion}
      join category as c on c.id = version.category_id
      join unit on unit.id = turn.unit_id
    where turn.run_id = ${runId} and turn.state = 'pending' and turn.subject_id is not null
    order by turn.number limit 1`.execute(db)
  return rows[0]
}

/** Who wrote a reply in a handoff, as it stands there and in the audit log; null: nobody. */
const replyMember = sql`(select message.actor from handoff_message as message
        where message.turn_id = turn.id and exists (select from audit where object_kind = 'handoff'
          and object_id = turn.handoff_id::text and action = 'reply' and actor = message.actor
          and details ->> 'messageId' = message.id::text))`

/** The handoffs with replies to be said, one after the other: what waits behind their first ones is not read. */
const handoffsToReply = sql`replying (id) as (
      (select handoff_id from turn where state = 'pending' and handoff_id is not null order by handoff_id limit 1)
      union all
      select (select handoff_id from turn where state = 'pending' and handoff_id > replying.id order by handoff_id limit 1)
      from replying where replying.id is not null
    )`

/**
 * The oldest reply in a handoff that is due and that nobody tries; undefined if there is none. It has no category: it
 * goes by the chat alone, in which the person asked, and only a block holds it back.
 */
export async function findPendingReply(db: Db): Promise<PendingTurn | undefined> {
  const { rows } = await sql<PendingTurn>`
    with recursive ${handoffsToReply}
    select turn.id, null as "runId", false as "onPage", turn.unit_id as "unitId", turn.subject_id as "subjectId",
      turn.last_node as "lastNode", turn.locale, turn.says, true as "answersPerson", null as content,
      null as approval, ${replyMember} as member,
      json_build_object('id', '', 'name', json_build_object('zh-TW', unit.name), 'layer', 'mandatory', 'consentScope', null,
        'plan', json_build_object('mode', 'first_available', 'channels', json_build_array('chat'))) as category,
      ${sendingUnit} as unit
    from replying cross join lateral (
        select * from turn where turn.handoff_id = replying.id and turn.state = 'pending' order by number limit 1
      ) as turn
      join unit on unit.id = turn.unit_id
    where turn.subject_id is not null
      and (turn.lease_until is null or turn.lease_until <= clock_timestamp())
      and (turn.next_try_at is null or turn.next_try_at <= clock_timestamp())
    order by turn.next_try_at nulls first, turn.id limit 1`.execute(db)
  return rows[0]
}

/** The channels of a run: those of its category; of a test the chat, where its author sees what is said. */
export function runPlan(category: 'c' | 'category'): RawBuilder<ChannelPlan> {
  return sql`case when run.test then '{"mode": "all", "channels": ["chat"]}'::jsonb
        else ${sql.ref(`${category}.channel_plan`)} end`
}

/** Whether the person's consent to the category of a run (`run`, `category`) stands; a test asks none. */
export const runConsent = sql<boolean>`(run.test or category.consent_scope is null or exists (
        select from consent where consent.subject_id = run.subject_id and consent.scope = category.consent_scope
          and consent.withdrawn_at is null))`

/** What may change while a turn waits, read under its lock. */
export type LockedTurn = {
  scenarioState: ScenarioState
  /** Why its run is about to end; null: it goes on. */
  ending: string | null
  /** Its run has ended: only a try that was under way is still settled. */
  over: boolean
  /** Its person has started its run, and no member. */
  startedByPerson: boolean
  /** For how long the provider or the quota has held it back, and how long ago it was first tried (ms). */
  heldMs: number
  triedMs: number | null
  channel: Channel | null
  address: string | null
  compiled: unknown
  by: TurnWay | null
  retryKey: string | null
  /** The provider may have taken an earlier try. */
  unclear: boolean
  refused: Channel[]
  tries: number
  /** Why the person may not be written to on a channel; null: they may. */
  verdicts: { [C in Channel]: SkipReason | null }
  addresses: { [C in Channel]: string | null }
  quiet: QuietPeriod | null
  /** Until when the provider of a channel asked for rest. */
  rests: { [C in Channel]?: string }
  /** The newest token by which the person can be answered for free. */
  token: { eventId: string; token: string; ageMs: number } | null
  /** The token that an earlier try used. */
  usedToken: { token: string; ageMs: number } | null
  now: Date
}

/** Who tries: a later attempt of the same activity takes the claim of an earlier one. */
export type TurnClaimant = { activity: string }

/** How long a claim of a turn holds (ms). */
export const turnLeaseMs = 30_000
/** For how long a reply token is taken to work: the provider's, less the way there (ms). */
const tokenMs = 50_000

/**
 * Locks a turn that may be tried now, and reads what may have changed; undefined if another worker tries it, or it is
 * not due. What answers the person passes preference and quiet hours, never consent, address and block.
 */
export function lockTurn(trx: Trx, turn: PendingTurn, claimant: TurnClaimant) {
  return readTurn(trx, turn, claimant, sql`for no key update of turn skip locked`)
}

/** The same without the lock. */
export function peekTurn(db: Db, turn: PendingTurn, claimant: TurnClaimant) {
  return readTurn(db, turn, claimant, sql``)
}

async function readTurn(
  db: Db | Trx,
  { id, subjectId, category, answersPerson }: PendingTurn,
  { activity }: TurnClaimant,
  lock: RawBuilder<unknown>,
): Promise<LockedTurn | undefined> {
  const layer = answersPerson ? ('mandatory' as const) : category.layer
  const rules = { categoryId: category.id, layer, consentScope: category.consentScope, topicId: null }
  const { rows } = await sql<LockedTurn>`
    select coalesce(scenario.state, 'active') as "scenarioState", run.reason as ending,
      run.closed_at is not null as over,
      coalesce(run.started_by like 'recipient:%' and not run.test, false) as "startedByPerson", turn.channel, turn.address,
      turn.content as compiled, turn.by, turn.retry_key as "retryKey", turn.unclear, turn.refused, turn.tries,
      turn.held_ms as "heldMs", ${age(sql`turn.first_try_at`)} as "triedMs",
      ${byChannel((channel) => verdict(rules, channel))} as verdicts,
      ${byChannel((channel) => sql.ref(`${channel}_address.address`))} as addresses,
      case when ${answersPerson}::boolean then null else ${quietPeriodOf} end as quiet,
      (select coalesce(json_object_agg(channel, until), '{}') from channel_rest where until > clock_timestamp()) as rests,
      (select json_build_object('eventId', event.id, 'token', event.payload ->> 'replyToken',
          'ageMs', ${age(sql`event.received_at`)})
        from webhook_event as event
        where event.channel = 'chat' and event.address = chat_address.address and event.reply_used_at is null
          and event.received_at > clock_timestamp() - ${milliseconds(tokenMs)}
          and event.payload ->> 'replyToken' <> ''
        order by event.received_at desc limit 1) as token,
      (select json_build_object('token', event.payload ->> 'replyToken', 'ageMs', ${age(sql`event.received_at`)})
        from webhook_event as event where event.id = turn.reply_event_id) as "usedToken",
      clock_timestamp() as now
    from turn left join scenario_run as run on run.id = turn.run_id
      left join scenario on scenario.id = run.scenario_id
      left join category as c on c.id = ${category.id}
      join unit as u on u.id = turn.unit_id
      join subject as person on person.id = ${subjectId}
      ${eligibilityJoins(rules, channels)}
    where turn.id = ${id} and turn.state = 'pending' 
      and (turn.lease_until is null or turn.lease_until <= clock_timestamp() or turn.claimed_by = ${activity})
      and (turn.next_try_at is null or turn.next_try_at <= clock_timestamp())
    ${lock}`.execute(db)
  return rows[0]
}

/** An object with a value for each channel. */
function byChannel(wanted: (channel: Channel) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`json_build_object(${sql.join(channels.map((channel) => sql`${sql.lit(channel)}, ${wanted(channel)}`))})`
}

function age(at: RawBuilder<unknown>): RawBuilder<number> {
  return sql`extract(epoch from clock_timestamp() - ${at})::float8 * 1000`
}

/** A try of a turn as it is stored before it is made. */
export type TurnTry = {
  channel: Channel
  address: string
  compiled: unknown
  by: TurnWay
  retryKey: string
  /** The event whose token it uses. */
  replyEventId: string | null
  /** Set at the first try that is paid. */
  paid: { halves: Halves; month: Month } | null
}

/** Claims a turn for a try, and stores what is sent; the token it uses is used up. Requires its lock. */
export async function claimTurn(
  trx: Trx,
  { id }: PendingTurn,
  { activity }: TurnClaimant,
  { channel, address, compiled, by, retryKey, replyEventId, paid }: TurnTry,
): Promise<void> {
  await sql`
    with used as (
      update webhook_event set reply_used_at = clock_timestamp() where id = ${replyEventId}
    )
    update turn set channel = ${channel}, address = ${address}, content = ${JSON.stringify(compiled)}, by = ${by},
      retry_key = ${retryKey}, reply_event_id = coalesce(${replyEventId}, reply_event_id), unclear = true,
      unit_pushes = coalesce(${paid?.halves.unit ?? null}, unit_pushes),
      pool_pushes = coalesce(${paid?.halves.pool ?? null}, pool_pushes), month = coalesce(${paid?.month ?? null}, month),
      first_try_at = coalesce(first_try_at, clock_timestamp()), tries = tries + 1, next_try_at = null,
      claimed_by = ${activity}, lease_until = clock_timestamp() + ${milliseconds(turnLeaseMs)}
    where id = ${id}`.execute(trx)
}

/**
 * Claims a turn for its first try, a reply, by one statement that needs no lock: it takes effect only if nobody has tried
 * the turn and its token is still unused. Returns whether it did.
 */
export async function claimReply(
  db: Db,
  { id }: PendingTurn,
  { activity }: TurnClaimant,
  { channel, address, compiled, by, retryKey, replyEventId }: TurnTry,
): Promise<boolean> {
  const { rows } = await sql<{ claimed: boolean }>`
    with free as materialized (
      select id from turn where id = ${id} and state = 'pending' and tries = 0 and claimed_by is null
      for no key update skip locked
    ),
    used as (
      update webhook_event set reply_used_at = clock_timestamp()
      from free where webhook_event.id = ${replyEventId} and reply_used_at is null
      returning free.id
    ),
    claimed as (
      update turn set channel = ${channel}, address = ${address}, content = ${JSON.stringify(compiled)}, by = ${by},
        retry_key = ${retryKey}, reply_event_id = ${replyEventId}, unclear = true,
        first_try_at = clock_timestamp(), tries = 1, claimed_by = ${activity},
        lease_until = clock_timestamp() + ${milliseconds(turnLeaseMs)}
      from used where turn.id = used.id
      returning turn.id
    )
    select exists (select from claimed) as claimed`.execute(db)
  return rows[0]!.claimed
}

/**
 * Takes a turn over from an earlier try whose lease is over, so that it can be ended or put off without another one.
 * Requires its lock.
 */
export async function takeOverTurn(
  trx: Trx,
  { id }: Pick<PendingTurn, 'id'>,
  { activity }: TurnClaimant,
): Promise<void> {
  await trx.updateTable('turn').set({ claimed_by: activity }).where('id', '=', id).execute()
}

/** How a turn ended. */
export type TurnEnd = {
  state: 'sent' | 'skipped' | 'failed' | 'unknown'
  reason: string | null
  requestId?: string | undefined
}

/**
 * Ends a turn that this activity has claimed, or that it has locked; its run goes on. Returns what was paid for it;
 * undefined if it is not this one's any more.
 */
export async function endTurn(
  db: Db | Trx,
  { id, runId }: Pick<PendingTurn, 'id' | 'runId'>,
  { activity }: TurnClaimant,
  { state, reason, requestId }: TurnEnd,
): Promise<PaidTurn | undefined> {
  const { rows } = await sql<PaidTurn>`
    with ended as (
      update turn set state = ${state}, reason = ${reason}, request_id = ${requestId ?? null}, unclear = false,
        closed_at = clock_timestamp(), lease_until = null, next_try_at = null
      where id = ${id} and state = 'pending' and (claimed_by is null or claimed_by = ${activity})
      returning unit_id as "unitId", channel, month, unit_pushes as unit, pool_pushes as pool
    ),
    run as (
      update scenario_run set version = version + 1, changed_at = clock_timestamp(), problem = null
      from ended where id = ${runId}
    )
    select * from ended`.execute(db)
  return rows[0]
}

/**
 * Puts off a reply that could not be tried, with back-off; after the last try it ends with the reason `internal`.
 * Returns its failures.
 */
export async function deferFailedReply(db: Db, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ failures: number }>`
    update turn set failures = before.tries + 1,
      next_try_at = case when before.tries + 1 < ${maxTries} then ${backOffAfter(sql`before.tries`)} end,
      lease_until = case when before.tries + 1 < ${maxTries} then lease_until end,
      state = case when before.tries + 1 < ${maxTries} then state when unclear then 'unknown' else 'failed' end,
      reason = case when before.tries + 1 < ${maxTries} then reason else 'internal' end,
      closed_at = case when before.tries + 1 >= ${maxTries} then clock_timestamp() end
    from (select failures as tries from turn where id = ${id}) as before
    where id = ${id} and state = 'pending'
    returning failures`.execute(db)
  return rows[0]?.failures
}

/** What a turn was paid with. */
export type PaidTurn = {
  unitId: string
  channel: Channel | null
  month: Month | null
  unit: number
  pool: number
}

/** Clears what a turn was paid with, after it was given back. */
export async function clearPayment(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('turn')
    .set({ unit_pushes: 0, pool_pushes: 0, month: null })
    .where('id', '=', id)
    .execute()
}

/** Why a turn waits, and for how long (ms). */
export type TurnDelay = {
  afterMs: number
  problem: Problem | null
  /** The provider may have taken it: the same is sent again. Otherwise the next try chooses again. */
  unclear: boolean
  /** The channel that has refused it for certain. */
  refused?: Channel
}

/** Puts off a turn that this activity has claimed or locked; its run waits. Returns what had been paid for it. */
export async function deferTurn(
  db: Db | Trx,
  { id, runId }: Pick<PendingTurn, 'id' | 'runId'>,
  { activity }: TurnClaimant,
  { afterMs, problem, unclear, refused }: TurnDelay,
): Promise<PaidTurn | undefined> {
  const { rows } = await sql<PaidTurn>`
    with deferred as (
      update turn set unclear = ${unclear}, lease_until = null,
        next_try_at = clock_timestamp() + ${milliseconds(afterMs)},
        held_ms = held_ms + ${problem === null ? 0 : afterMs}::float8,
        refused = case when ${refused ?? null}::text is null then refused else refused || ${refused ?? null}::text end,
        channel = case when ${unclear} then channel end, address = case when ${unclear} then address end,
        content = case when ${unclear} then content end, by = case when ${unclear} then by end
      where id = ${id} and state = 'pending' and (claimed_by is null or claimed_by = ${activity})
      returning unit_id as "unitId", old.channel, month, unit_pushes as unit, pool_pushes as pool
    ),
    run as (
      update scenario_run set version = version + 1, changed_at = clock_timestamp(), problem = ${problem}
      from deferred where id = ${runId}
    )
    select * from deferred`.execute(db)
  return rows[0]
}
