import { type RawBuilder, sql } from 'kysely'
import { mayNamePeople } from './answers.ts'
import { afterOlder } from './sequence.ts'

/**
 * A delivery for each callback of the unit that subscribes to the end of a run, as part of the statement that ends it.
 * `ended`: a table expression with id, unit_id, test, state and reason. A test is reported to nobody.
 */
export function runEndsInto(ended: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into callback_delivery (callback_id, run_id, type, data, next_try_at)
      select callback.id, run.id, 'run.ended', jsonb_build_object('state', run.state, 'reason', run.reason),
        ${afterOlder({ callbackId: sql`callback.id`, objectId: sql`run.id` })}
      from ${ended} as run join callback on callback.unit_id = run.unit_id
      where not run.test and callback.enabled and 'run.ended' = any(callback.types)`
}

/**
 * The same for an answer, to callbacks that may name people. `answered`: id, unit_id, test and subject_id of its run, and
 * node, option_id and data of the answer.
 */
export function runAnswerInto(answered: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into callback_delivery (callback_id, run_id, type, subject_id, data, next_try_at)
      select c.id, run.id, 'run.answered', run.subject_id,
        jsonb_build_object('node', run.node, 'optionId', run.option_id, 'data', run.data),
        ${afterOlder({ callbackId: sql`c.id`, objectId: sql`run.id` })}
      from ${answered} as run join callback as c on c.unit_id = run.unit_id
      where not run.test and c.enabled and 'run.answered' = any(c.types) and ${mayNamePeople}`
}
