import { sql } from 'kysely'
import type { Invariant } from './invariant.ts'

/** Places of patterns: never more than there are, given in order, and kept for nobody who is not there. */
export const patternInvariants: Invariant[] = [
  {
    name: 'places-hold',
    means: 'no pattern has more people registered than its capacity',
    broken: sql`
      select format('pattern %s: %s registered, capacity %s', id, registered, capacity) as violation
      from pattern cross join lateral (
        select count(*) as registered from registration where pattern_id = pattern.id and state = 'registered') as taken
      where registered > capacity`,
  },
  {
    name: 'waiting-in-order',
    means: 'places are assigned in order of request, and none is free while people wait',
    broken: sql`
      select format('pattern %s: place %s waits, place %s is registered', pattern_id, first_waiting, last_registered)
        as violation
      from (
        select pattern_id, min(place) filter (where state = 'waitlisted') as first_waiting,
          max(place) filter (where state = 'registered') as last_registered,
          count(*) filter (where state = 'registered') as registered
        from registration group by pattern_id
      ) as places join pattern on pattern.id = pattern_id
      where first_waiting < last_registered
        or (first_waiting is not null and registered < capacity and deadline > clock_timestamp())`,
  },
  {
    name: 'waiting-with-a-run',
    means: 'every person who waits for a place, or has an unconfirmed one, has an open run',
    broken: sql`
      select format('pattern %s: place %s is %s, run %s', pattern_id, place, registration.state,
        coalesce(run.state, 'missing')) as violation
      from registration left join scenario_run as run on run.id = run_id
      where (registration.state = 'waitlisted' or promoted_at is not null)
        and (run.id is null or run.closed_at is not null or registration.subject_id is null)`,
  },
]
