import { sql } from 'kysely'
import type { Channel, SuppressionReason } from '../../../contract/enums.ts'
import type { Trx } from '../../connect.ts'
import { mayNamePeople } from './answers.ts'
import { afterOlder } from './sequence.ts'

/** Callbacks about what is neither a message nor a run. Each insert is part of the transaction of the change. */

const ofCallback = { callbackId: sql`c.id` }

/** Reports where people of a pattern stand now, after a change of it; for the run by which each of them asked last. */
export async function announceRegistrations(
  trx: Trx,
  patternId: string,
  subjectIds: readonly string[],
): Promise<void> {
  if (subjectIds.length === 0) return
  await sql`
    insert into callback_delivery (callback_id, run_id, type, subject_id, data, next_try_at)
    select c.id, registration.run_id, 'registration.changed', registration.subject_id, jsonb_build_object(
        'patternId', pattern.id, 'state', registration.state, 'position', registration.place),
      ${afterOlder({ ...ofCallback, objectId: sql`registration.run_id`, sequence: sql.lit('registration') })}
    from registration join pattern on pattern.id = registration.pattern_id
      join callback as c on c.unit_id = pattern.unit_id
    where registration.pattern_id = ${patternId} and registration.subject_id = any(${subjectIds}::uuid[])
      and registration.run_id is not null
      and c.enabled and 'registration.changed' = any(c.types) and ${mayNamePeople}
    order by c.id, registration.place`.execute(trx)
}

/** Reports that a handoff was opened or closed. */
export async function announceHandoff(
  trx: Trx,
  handoffId: string,
  type: 'handoff.opened' | 'handoff.closed',
): Promise<void> {
  await sql`
    insert into callback_delivery (callback_id, object_id, type, data, next_try_at)
    select c.id, handoff.id, ${type}, jsonb_build_object('runId', handoff.run_id, 'reason', handoff.end_reason),
      ${afterOlder({ ...ofCallback, objectId: sql`handoff.id` })}
    from handoff join callback as c on c.unit_id = handoff.unit_id
    where handoff.id = ${handoffId} and not handoff.test and c.enabled and ${type} = any(c.types)`.execute(
    trx,
  )
}

/** Reports that an import is completed. */
export async function announceImport(trx: Trx, importId: string): Promise<void> {
  await sql`
    insert into callback_delivery (callback_id, object_id, type, data, next_try_at)
    select c.id, import.id, 'import.closed', jsonb_build_object(
      'lines', coalesce(lines, 0), 'written', coalesce(lines, 0) - rejected, 'rejected', rejected), clock_timestamp()
    from import join callback as c on c.unit_id = import.unit_id
    where import.id = ${importId} and import.state = 'completed'
      and c.enabled and 'import.closed' = any(c.types)`.execute(trx)
}

/** Reports to administrative units that nothing more is sent to an address of these people. */
export async function announceSuppressions(
  trx: Trx,
  subjectIds: readonly string[],
  { channel, reason }: { channel: Channel; reason: SuppressionReason },
): Promise<void> {
  if (subjectIds.length === 0) return
  await sql`
    insert into callback_delivery (callback_id, object_id, subject_id, type, data, next_try_at)
    select c.id, subject.id, subject.id, 'address.suppressed', ${JSON.stringify({ channel, reason })}::jsonb,
      ${afterOlder({ ...ofCallback, objectId: sql`subject.id` })}
    from subject cross join callback as c join unit on unit.id = c.unit_id
    where subject.id = any(${subjectIds}::uuid[]) and unit.kind = 'administrative'
      and c.enabled and 'address.suppressed' = any(c.types) and ${mayNamePeople}
    order by c.id, subject.id`.execute(trx)
}

/** What a person has switched: categories by channel, topics, the language. */
export type SwitchedPreferences = {
  categories: Record<string, Partial<Record<Channel, boolean>>>
  topics: Record<string, boolean>
  language?: string
}

/**
 * Reports what a person has switched: all of it to administrative units, and to others the topics that are theirs.
 */
export async function announcePreferences(
  trx: Trx,
  subjectId: string,
  switched: SwitchedPreferences,
): Promise<void> {
  const data = JSON.stringify(switched)
  const own = sql`(
      select jsonb_object_agg(changed.key, changed.value) from jsonb_each(${data}::jsonb -> 'topics') as changed
        join topic on topic.id = changed.key::uuid where topic.unit_id = c.unit_id)`
  await sql`
    insert into callback_delivery (callback_id, object_id, subject_id, type, data, next_try_at)
    select * from (
      select c.id, ${subjectId}::uuid as object_id, ${subjectId}::uuid as subject_id, 'preference.changed',
        case when unit.kind = 'administrative' then ${data}::jsonb
          else jsonb_build_object('categories', '{}'::jsonb, 'topics', ${own}) end as data,
        ${afterOlder({ ...ofCallback, objectId: sql`${subjectId}::uuid` })}
      from callback as c join unit on unit.id = c.unit_id
      where c.enabled and 'preference.changed' = any(c.types) and ${mayNamePeople}
    ) as reported
    where data -> 'topics' <> 'null'::jsonb
    order by 1`.execute(trx)
}
