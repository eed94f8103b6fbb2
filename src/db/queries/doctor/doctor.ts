import { sql } from 'kysely'
import type { MessageState } from '../../../contract/enums.ts'
import { type AuditedMove, pathFault } from '../../../domain/message/audit-path.ts'
import { type RunKind, runKinds } from '../../../domain/run/run-kinds.ts'
import type { Db } from '../../connect.ts'
import { tableOf, unionOfKinds } from '../run/union-of-kinds.ts'
import type { Invariant } from './invariant.ts'
import { numberInvariants } from './metrics.ts'
import { patternInvariants } from './patterns.ts'
import { scenarioInvariants } from './scenarios.ts'
import { scheduleInvariants } from './schedules.ts'

/**
 * The result of checking an invariant: `count` violations, the first of them in `violations` (ids and numbers only).
 */
export type Finding = { name: string; means: string; ok: boolean; count: number; violations: string[] }

const violationsShown = 20

/** Checks every invariant. Scans whole tables: too slow for a request. */
export async function checkInvariants(db: Db): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const invariant of [...recipients, ...ledgerInvariants]) findings.push(await check(db, invariant))
  findings.push(
    finding(
      'trail-leads-to-state',
      'the audit trail of a message is a legal path to its state',
      await brokenTrails(db),
    ),
  )
  const tables = [scenarioInvariants, scheduleInvariants, numberInvariants, patternInvariants]
  for (const invariant of [...times, ...tables.flat()]) findings.push(await check(db, invariant))
  return findings
}

async function check(db: Db, { name, means, broken }: Invariant): Promise<Finding> {
  const { rows } = await sql<{ violation: string; count: number }>`
    select violation, count(*) over () as count from (${broken}) as broken limit ${violationsShown}
  `.execute(db)
  return finding(
    name,
    means,
    rows.map(({ violation }) => violation),
    rows[0]?.count,
  )
}

/** The finding for an invariant; pass `count` if `violations` is not complete. */
export function finding(
  name: string,
  means: string,
  violations: string[],
  count = violations.length,
): Finding {
  return { name, means, ok: count === 0, count, violations: violations.slice(0, violationsShown) }
}

/** Every recipient is accounted for. */
const recipients: Invariant[] = [
  {
    name: 'rows-match-expected',
    means: 'a wave has as many deliveries as it expects',
    broken: sql`
      select format('wave %s: %s expected, %s rows', id, expected, rows) as violation
      from wave cross join lateral (
        select count(*) as rows from delivery where wave_id = wave.id
      ) as counted
      where rows <> coalesce(expected, 0) and purged_at is null`,
  },
  {
    name: 'members-match-size',
    means: 'the number of members of a batch equals its size',
    broken: sql`
      select format('wave %s: %s batch %s: size %s, %s rows', wave_id, channel, number, size, rows) as violation
      from batch full join (
        select wave_id, channel, batch as number, count(*) as rows
        from delivery where batch is not null group by wave_id, channel, batch
      ) as member using (wave_id, channel, number)
      where size is distinct from coalesce(rows, 0)`,
  },
  {
    name: 'closed-leaves-none-pending',
    means: 'a closed message has no pending delivery and no uncounted batch',
    broken: sql`
      select format('message %s: %s pending, %s batches not counted', message.id, pending, batches) as violation
      from message join wave on wave.message_id = message.id
      cross join lateral (
        select count(*) as pending from delivery where wave_id = wave.id and state = 'pending'
      ) as waiting
      cross join lateral (
        select count(*) as batches from batch where wave_id = wave.id and state <> 'counted'
      ) as uncounted
      where message.closed_at is not null and pending + batches > 0`,
  },
  {
    name: 'counts-match-rows',
    means: "a closed message's counters match its deliveries",
    broken: sql`
      select format('message %s: wave %s', message.id, wave.id) as violation
      from message join wave on wave.message_id = message.id
      cross join lateral (
        select count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'failed') as failed,
          count(*) filter (where state = 'unknown') as unknown, count(*) filter (where state = 'skipped') as skipped
        from delivery where wave_id = wave.id
      ) as counted
      where message.closed_at is not null and wave.purged_at is null
        and (wave.sent, wave.failed, wave.unknown,
          (select coalesce(sum(value::integer), 0) from jsonb_each_text(wave.skipped)))
          is distinct from (counted.sent, counted.failed, counted.unknown, counted.skipped)`,
  },
]

/** What names a run in a violation; the command finds its workflow by it. */
const nounOf = (kind: RunKind) => sql.lit(runKinds[kind].noun)

/** No run is late; nothing is sent too early, after expiry, or as an unwanted reminder. */
const times: Invariant[] = [
  {
    name: 'runs-on-time',
    means: 'while Postgres and Temporal are up, no run is overdue (60 s late) unless its wave is parked',
    broken: sql`${unionOfKinds(
      (kind) => sql`
        select format('%s %s: %s', ${nounOf(kind)}, run.id, run.state) as violation
        from ${tableOf(kind)} as run
        where (next_wakeup_at < now() - interval '60 seconds'
            or (observed_version < version and changed_at < now() - interval '60 seconds'))
          and not exists (select from wave where wave.message_id = run.id and parked is not null)`,
    )}`,
  },
  {
    name: 'runs-replay',
    means: 'no run is wedged: its workflow task keeps failing, usually since an upgrade',
    broken: sql`${unionOfKinds(
      (kind) => sql`
        select format('%s %s: wedged since %s, %s failed workflow tasks', ${nounOf(kind)}, id,
          to_char(wedged_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), wedged_failures) as violation
        from ${tableOf(kind)} where wedged_at is not null`,
    )}`,
  },
  {
    name: 'calls-on-time',
    means: 'no call is tried before the time of its wave or after the message expires',
    broken: sql`
      select format('message %s: %s batch %s', message.id, call.channel, call.batch) as violation
      from call
      join wave on wave.id = call.wave_id
      join message on message.id = wave.message_id
      where first_try_at < case wave.number when 0 then schedule_at else remind_at end
        or first_try_at > expires_at`,
  },
  // An opt-out and a call may commit at the same moment: hence the tolerance of one second.
  {
    name: 'no-unwanted-reminder',
    means: 'no recipient is reminded after opting out of the reminder',
    broken: sql`
      select format('message %s: subject %s', message_id, subject_id) as violation
      from call
      join wave on wave.id = call.wave_id and wave.number = 1
      join do_not_remind using (message_id)
      where do_not_remind.subject_id = any(call.subject_ids)
        and (call.state in ('accepted', 'unknown') or call.unclear)
        and do_not_remind.at < call.first_try_at - interval '1 second'`,
  },
]

const messagesAtOnce = 1_000

/**
 * Messages whose audit rows are not a legal path to their state. Reads all messages in pages, except purged ones, whose
 * trail may have been purged as well.
 */
async function brokenTrails(db: Db): Promise<string[]> {
  const broken: string[] = []
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const trails = await readTrails(db, after)
    for (const { id, state, steps } of trails) {
      const fault = pathFault(steps, state)
      if (fault) broken.push(`message ${id}: ${fault}`)
    }
    if (trails.length < messagesAtOnce) return broken
    after = trails.at(-1)!.id
  }
}

async function readTrails(db: Db, after: string) {
  const { rows } = await sql<{ id: string; state: MessageState; steps: AuditedMove[] }>`
    select id, state, (
      select coalesce(json_agg(
        json_build_object('action', action, 'from', from_state, 'to', to_state) order by audit.id
      ), '[]')
      from audit
      where object_kind = 'message' and object_id = message.id::text and to_state is not null
    ) as steps
    from message where id > ${after} and purged_at is null order by id limit ${messagesAtOnce}
  `.execute(db)
  return rows
}

/** The ledger is exact, and closed messages reserve nothing. */
const ledgerInvariants: Invariant[] = [
  {
    name: 'ledger-matches-reservations',
    means:
      'reserved and committed of an account are the sums of its reservations and turns, and together within its limit',
    broken: sql`
      with paid as (
        select unit_id, channel, month, unit_reserved, unit_committed, pool_reserved, pool_committed
        from quota_reservation
        union all
        select unit_id, channel, month, 0, unit_pushes, 0, pool_pushes
        from turn where unit_pushes + pool_pushes > 0
      ),
      held as (
        select unit_id::text as scope, channel, month, sum(unit_reserved) as reserved,
          sum(unit_committed) as committed
        from paid group by unit_id, channel, month
        union all
        select 'pool', channel, month, sum(pool_reserved), sum(pool_committed)
        from paid group by channel, month
      )
      select format('%s %s %s', scope, channel, month) as violation
      from quota_ledger account full join held using (scope, channel, month)
      where coalesce(account.reserved, 0) <> coalesce(held.reserved, 0)
        or coalesce(account.committed, 0) <> coalesce(held.committed, 0)
        or least(account.reserved, account.committed) < 0
        or account.reserved + account.committed > account.monthly_limit`,
  },
  {
    name: 'committed-matches-batches',
    means: 'a wave has committed the pushes of its counted batches',
    broken: sql`
      select format('wave %s: %s: %s committed, %s counted', wave_id, channel, coalesce(committed, 0),
        coalesce(counted, 0)) as violation
      from (
        select wave_id, channel, sum(unit_committed + pool_committed) as committed
        from quota_reservation group by wave_id, channel
      ) as reserved
      full join (
        select wave_id, channel, sum(pushes) as counted from batch where state = 'counted' group by wave_id, channel
      ) as counted_batches using (wave_id, channel)
      where coalesce(committed, 0) <> coalesce(counted, 0)
        and not exists (select from wave where wave.id = wave_id and purged_at is not null)`,
  },
  {
    name: 'pushes-match-calls',
    means: 'a counted batch costs one push for each recipient of each call that is accepted or unknown',
    broken: sql`
      select format('wave %s: %s batch %s: %s pushes', wave_id, channel, number, pushes) as violation
      from batch
      where state = 'counted' and pushes <> (
        select coalesce(sum(cardinality(subject_ids)), 0) from call
        where call.wave_id = batch.wave_id and call.channel = batch.channel and call.batch = batch.number
          and call.state in ('accepted', 'unknown')
      )`,
  },
  {
    name: 'closed-reserves-nothing',
    means: 'a closed message reserves nothing',
    broken: sql`
      select format('message %s: wave %s holds %s', message.id, wave.id, unit_reserved + pool_reserved) as violation
      from quota_reservation
      join wave on wave.id = quota_reservation.wave_id
      join message on message.id = wave.message_id
      where message.closed_at is not null and unit_reserved + pool_reserved > 0`,
  },
]
