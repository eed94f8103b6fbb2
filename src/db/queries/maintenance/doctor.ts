import { type RawBuilder, sql } from 'kysely'
import type { MessageState } from '../../../contract/enums.ts'
import { type AuditedMove, pathFault } from '../../../domain/audit-path.ts'
import type { Db } from '../../connect.ts'

/**
 * A rule that must always hold, with a query that finds what breaks it, one line each: ids and numbers only.
 */
type Invariant = { name: string; means: string; broken: RawBuilder<{ violation: string }> }

/**
 * How an invariant stands: `count` things break it, the first of them in `violations` (ids and numbers only).
 */
export type Finding = { name: string; means: string; ok: boolean; count: number; violations: string[] }

const violationsShown = 20

/**
 * Looks at every invariant. Reads the tables whole: not for a page.
 */
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
  for (const invariant of times) findings.push(await check(db, invariant))
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

/** How an invariant stands, by what breaks it; `count` where `violations` are not all of it. */
export function finding(
  name: string,
  means: string,
  violations: string[],
  count = violations.length,
): Finding {
  return { name, means, ok: count === 0, count, violations: violations.slice(0, violationsShown) }
}

/** Nobody is lost. */
const recipients: Invariant[] = [
  {
    name: 'rows-match-expected',
    means: 'a wave has as many deliveries as it expected when its rows were written',
    broken: sql`
      select format('wave %s: %s expected, %s rows', id, expected, rows) as violation
      from wave cross join lateral (
        select count(*) as rows from delivery where wave_id = wave.id
      ) as counted
      where rows <> coalesce(expected, 0) and purged_at is null`,
  },
  {
    name: 'members-match-size',
    means: 'a batch has as many members as its size says',
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
    means: 'a closed message has nobody pending and no batch that was not counted',
    broken: sql`
      select format('message %s: %s pending, %s batches not counted', message.id, pending, batches) as violation
      from message join wave on wave.message_id = message.id
      cross join lateral (
        select count(*) as pending from delivery where wave_id = wave.id and state = 'pending'
      ) as waiting
      cross join lateral (
        select count(*) as batches from batch where wave_id = wave.id and state <> 'folded'
      ) as uncounted
      where message.closed_at is not null and pending + batches > 0`,
  },
  {
    name: 'counts-match-rows',
    means: "a closed message's counters say what its rows say",
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

/** No run is forgotten; nothing is sent before its time, after its end, or to those who want no reminder. */
const times: Invariant[] = [
  {
    name: 'runs-on-time',
    means: 'while Postgres and Temporal are up, no run is more than 60 s late, unless its wave is parked',
    broken: sql`
      select format('message %s: %s', id, state) as violation
      from message
      where (next_look_at < now() - interval '60 seconds'
          or (acked_version < version and changed_at < now() - interval '60 seconds'))
        and not exists (select from wave where message_id = message.id and parked is not null)`,
  },
  {
    name: 'calls-on-time',
    means: 'no call is tried before the time of its wave or after the message has expired',
    broken: sql`
      select format('message %s: %s batch %s', message.id, call.channel, call.batch) as violation
      from call
      join wave on wave.id = call.wave_id
      join message on message.id = wave.message_id
      where first_try_at < case wave.number when 0 then schedule_at else remind_at end
        or first_try_at > expires_at`,
  },
  // An answer that is being committed and a call that is being stored may pass each other: hence the second.
  {
    name: 'no-unwanted-reminder',
    means: 'nobody is reminded after they answered that they want no reminder',
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
 * Messages whose state and audit rows do not form a legal path. Reads all of them, some at a time; the trail of one
 * whose text is gone may be gone as well.
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

/** The ledger is exact, and closed messages hold none of it. */
const ledgerInvariants: Invariant[] = [
  {
    name: 'ledger-matches-reservations',
    means: 'an account has reserved and committed what the reservations on it say, together within its limit',
    broken: sql`
      with held as (
        select unit_id::text as scope, channel, month, sum(unit_reserved) as reserved,
          sum(unit_committed) as committed
        from quota_reservation group by unit_id, channel, month
        union all
        select 'pool', channel, month, sum(pool_reserved), sum(pool_committed)
        from quota_reservation group by channel, month
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
    means: 'a wave has committed what its counted batches cost',
    broken: sql`
      select format('wave %s: %s: %s committed, %s counted', wave_id, channel, coalesce(committed, 0),
        coalesce(counted, 0)) as violation
      from (
        select wave_id, channel, sum(unit_committed + pool_committed) as committed
        from quota_reservation group by wave_id, channel
      ) as reserved
      full join (
        select wave_id, channel, sum(pushes) as counted from batch where state = 'folded' group by wave_id, channel
      ) as folded using (wave_id, channel)
      where coalesce(committed, 0) <> coalesce(counted, 0)
        and not exists (select from wave where wave.id = wave_id and purged_at is not null)`,
  },
  {
    name: 'pushes-match-calls',
    means:
      'a counted batch costs one push for each recipient of each call that was accepted or stayed unclear',
    broken: sql`
      select format('wave %s: %s batch %s: %s pushes', wave_id, channel, number, pushes) as violation
      from batch
      where state = 'folded' and pushes <> (
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
