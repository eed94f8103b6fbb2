import { sql } from 'kysely'
import type { Invariant } from './invariant.ts'

/** The numbers of units are those of their waves (docs/design/metrics.md). */
export const numberInvariants: Invariant[] = [
  {
    name: 'rolled-up-as-counted',
    means: 'a rolled-up wave has as many deliveries that arrived or may have as its counters',
    broken: sql`
      select format('wave %s: %s counted, %s rolled up', wave.id, wave.sent + wave.unknown, kept.sent) as violation
      from wave join wave_metric as kept on kept.wave_id = wave.id
      where rolled_up_at is not null and wave.sent + wave.unknown <> kept.sent`,
  },
  {
    name: 'days-add-up',
    means: 'the numbers of a day of a unit are the sums of its waves',
    broken: sql`
      select format('unit %s: %s', unit_id, date) as violation
      from day_metric as day full join (
        select unit_id, date, sum(sent) as sent, sum(reached) as reached, sum(read) as read
        from wave_metric group by unit_id, date
      ) as summed using (unit_id, date)
      where (day.sent, day.reached, day.read) is distinct from
        (coalesce(summed.sent, 0), coalesce(summed.reached, 0), coalesce(summed.read, 0))`,
  },
  {
    name: 'people-have-a-day',
    means: 'people last reached by a unit on a day are counted on that day',
    broken: sql`
      select format('unit %s: %s: %s people, %s counted', unit_id, date, known, coalesce(people, 0)) as violation
      from (select unit_id, last_on as date, count(*) as known from contact group by unit_id, last_on) as known
        left join contact_day using (unit_id, date)
      where known > coalesce(people, 0)`,
  },
]
