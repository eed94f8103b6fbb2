import { sql } from 'kysely'
import type { Invariant } from './invariant.ts'

/** I8: no run is forgotten. I10: nothing goes out before its time or after its end. I11: nor to who wants no reminder. */
export const times: Invariant[] = [
  {
    name: 'I8',
    means: 'while Postgres and Temporal are up, no run is more than 60 s late, unless its wave is parked',
    broken: sql`
      select format('message %s: %s', id, state) as violation
      from message
      where (next_look_at < now() - interval '60 seconds'
          or (acked_version < version and changed_at < now() - interval '60 seconds'))
        and not exists (select from wave where message_id = message.id and parked is not null)`,
  },
  {
    name: 'I10',
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
    name: 'I11',
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
