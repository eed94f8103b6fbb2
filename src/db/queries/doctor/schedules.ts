import { sql } from 'kysely'
import type { Invariant } from './invariant.ts'

/** An occurrence is made at most once, and none is left out. */
export const scheduleInvariants: Invariant[] = [
  {
    name: 'occurrences-once',
    means: 'a schedule has each occurrence once, and each message that it made belongs to one',
    broken: sql`
      select format('schedule %s: %s is there %s times', schedule_id, key, count(*)) as violation
      from occurrence group by schedule_id, key having count(*) > 1
      union all
      select format('schedule %s: message %s belongs to no occurrence', substr(created_by, 10), id)
      from message
      where origin = 'schedule' and not exists (select from occurrence where message_id = message.id)
        and exists (select from occurrence
          where schedule_id::text = substr(message.created_by, 10) and occurrence.at < message.created_at)`,
  },
  {
    name: 'occurrences-follow',
    means:
      'after each occurrence comes the one that was due next, unless the schedule was changed; open ones are due',
    broken: sql`
      select format('schedule %s: after what was due at %s', schedule_id, expected) as violation
      from (
        select schedule_id, plan, due_at, lag(plan) over earlier as plan_before, lag(next_at) over earlier as expected
        from occurrence window earlier as (partition by schedule_id order by id)
      ) as followed
      where plan = plan_before and due_at is distinct from expected
      union all
      select format('schedule %s: due at %s instead of %s', schedule.id, schedule.next_at, newest.next_at)
      from schedule cross join lateral (
        select plan, next_at from occurrence where schedule_id = schedule.id order by id desc limit 1
      ) as newest
      where state = 'active' and newest.plan = schedule.plan and newest.next_at is distinct from schedule.next_at
      union all
      select format('schedule %s: %s without a next time', id, state)
      from schedule where (state = 'active') <> (next_at is not null)`,
  },
]
