import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { EventError } from '../../../contract/enums.ts'
import type { Violation } from '../../../domain/audience/audience.ts'
import type { SigningSources } from '../../../domain/event/signing-sources.ts'
import type { Db } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'
import type { EventTable } from '../../tables.ts'
import { versionInForce } from '../approval/version-in-force.ts'

/** A recorded event without its content. `subjectCount`: the number of uids it names. */
export type RecordedEventRow = Omit<
  Selectable<EventTable>,
  'subject_uids' | 'data' | 'unit_id' | 'tries' | 'next_try_at'
> & {
  subjectCount: number
  /** The first names in its data that what its binding makes now does not take. */
  unusedVariables: string[]
  /** Of the message that it created, as it was submitted. */
  warnings: Violation[]
}

type RecordedEventFilter = {
  unitId: string
  source: string | null
  type: string | null
  error: EventError | null
  eventId: string | null
  messageId: string | null
  signingSources: SigningSources
}

const columns = sql`id, source, event_id, unnamed, type, occurred_at, received_at, key_id, message_id, runs, error, details,
    cardinality(subject_uids) as "subjectCount"`

/** Unused names that an event shows. */
const unusedShown = 20

/**
 * Of the event `page` the names in its data that are no variable of the template or the scenario which its binding uses
 * now: what a producer has misspelt. A scenario that no person approved takes every name.
 */
const unusedVariables = sql`array(
      select name from event as same, jsonb_object_keys(same.data) as name
      where same.id = page.id and name <> all((
        select case when v.template_id is not null then (
            select array(select one ->> 'name' from jsonb_array_elements(t.variables) as one) from template_version as t
            where t.template_id = v.template_id and t.version = ${versionInForce(sql.ref('v.template_id'))})
          else (
            select array(select one ->> 'name' from jsonb_array_elements(s.content -> 'variables') as one)
            from scenario_version as s
            where s.scenario_id = v.scenario_id and s.state = 'in_force' and not s.automatic) end
        from event_binding_version as v
        where v.source = page.source and v.type = page.type and v.state = 'in_force' and v.enabled)::text[])
      order by name limit ${unusedShown})`

/** What its author should know of the message that the event `page` created. */
const warnings = sql`coalesce((
      select m.snapshot -> 'warnings' from message as m where m.id = page.message_id), '[]')`

/**
 * A unit's recorded events, newest first: of each (source, type) that a binding of the unit has named, those that made
 * something in the unit, and, while no other unit has an enabled binding for it, those that made nothing; of each source
 * that is the unit's alone, all that made nothing. Reads a page of each pair and source, by its index, so that the events
 * of others cost nothing.
 */
export async function listRecordedEvents(
  db: Db,
  {
    unitId,
    source,
    type,
    error,
    eventId,
    messageId,
    signingSources,
    after,
    limit,
  }: RecordedEventFilter & RowPage,
): Promise<RecordedEventRow[]> {
  const paged = sql`(${after}::uuid is null or id < ${after}) and ${maySee(sql`${unitId}::uuid`, signingSources)}
      and (${error}::text is null or error = ${error})
      and (${eventId}::text is null or (event_id = ${eventId} and not unnamed))
      and (${messageId}::uuid is null or message_id = ${messageId})
      order by id desc limit ${limit}`
  const { rows } = await sql<RecordedEventRow>`
    with named as (
      select v.source, v.type, bool_or(${isOpenTo(sql.ref('b.unit_id'))}) as open
      from event_binding as b join event_binding_version as v on v.binding_id = b.id
      where b.unit_id = ${unitId} and (${source}::text is null or v.source = ${source})
        and (${type}::text is null or v.type = ${type})
      group by v.source, v.type
    ), own as (
      select source from (${sourcesOf(unitId)}) as claimed where ${isOwn(sql.ref('claimed.source'), sql`${unitId}::uuid`)}
        and (${source}::text is null or source = ${source})
    )
    select page.*, ${unusedVariables} as "unusedVariables", ${warnings} as warnings from (
    select page.* from named, lateral (
      (select ${columns} from event
        where unit_id = ${unitId} and source = named.source and type = named.type and ${paged})
      union all
      (select ${columns} from event
        where named.open and named.source not in (select source from own)
          and event.unit_id is null and source = named.source and type = named.type and ${paged})
    ) as page
    union all
    select page.* from own, lateral (
      select ${columns} from event
      where event.unit_id is null and source = own.source and (${type}::text is null or type = ${type}) and ${paged}
    ) as page
    order by id desc limit ${limit}) as page
    order by id desc
  `.execute(db)
  return rows
}

/** A recorded event that one of these units may see, by the rules of the list, and that unit. */
export async function findRecordedEvent(
  db: Db,
  id: string,
  unitIds: string[],
  signingSources: SigningSources,
): Promise<(RecordedEventRow & { unitId: string }) | undefined> {
  const { rows } = await sql<RecordedEventRow & { unitId: string }>`
    select ${columns}, seen_by as "unitId", (select ${unusedVariables} from event as page where page.id = event.id) as "unusedVariables",
      (select ${warnings} from event as page where page.id = event.id) as warnings
    from event, lateral (
      select unit_id as seen_by where unit_id = any(${unitIds}::uuid[])
      union all
      select b.unit_id from event_binding as b join event_binding_version as v on v.binding_id = b.id
      where event.unit_id is null and b.unit_id = any(${unitIds}::uuid[])
        and v.source = event.source and v.type = event.type and ${isOpenTo(sql.ref('b.unit_id'))}
      union all
      select mine.unit_id from unnest(${unitIds}::uuid[]) as mine (unit_id)
      where event.unit_id is null and ${isOwn(sql.ref('event.source'), sql.ref('mine.unit_id'))}
    ) as seen
    where id = ${id} and ${maySee(sql.ref('seen_by'), signingSources)}
    limit 1
  `.execute(db)
  return rows[0]
}

/** The version `v` may get events that made nothing: it counts or waits, and no other unit has an enabled binding. */
function isOpenTo(unitId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`v.state in ('in_force', 'submitted') and not exists (
        select from event_binding_version as taken join event_binding as theirs on theirs.id = taken.binding_id
        where taken.source = v.source and taken.type = v.type and taken.state = 'in_force' and taken.enabled
          and theirs.unit_id <> ${unitId})`
}

/** The sources that a unit has a key for, or binds. */
function sourcesOf(unitId: string): RawBuilder<unknown> {
  return sql`select unnest(sources) as source from event_key where unit_id = ${unitId}
      union select v.source from event_binding as b join event_binding_version as v on v.binding_id = b.id
      where b.unit_id = ${unitId} and v.state = 'in_force'`
}

/**
 * The unit has had a key for the source or has a binding of it in force, and no other unit has a key that is not revoked,
 * or a binding that is in force or waits.
 */
function isOwn(source: RawBuilder<unknown>, unitId: RawBuilder<unknown>): RawBuilder<boolean> {
  const key = (isHeld: RawBuilder<unknown>) => sql<boolean>`exists (
          select from event_key as k where k.sources @> array[${source}] and ${isHeld})`
  const binding = (isHeld: RawBuilder<unknown>) => sql<boolean>`exists (
          select from event_binding_version as used join event_binding as whose on whose.id = used.binding_id
          where used.source = ${source} and ${isHeld})`
  return sql<boolean>`(${key(sql`k.unit_id = ${unitId}`)}
        or ${binding(sql`used.state = 'in_force' and whose.unit_id = ${unitId}`)})
      and not ${key(sql`k.revoked_at is null and k.unit_id <> ${unitId}`)}
      and not ${binding(sql`used.state in ('in_force', 'submitted') and whose.unit_id <> ${unitId}`)}`
}

/**
 * The event's signing key may raise its source; what another recorded does not count as an event of that source. What
 * made nothing under a key of another unit stays that unit's, whoever gets the source after it.
 */
function maySee(unitId: RawBuilder<unknown>, signingSources: SigningSources): RawBuilder<boolean> {
  const sources = Object.fromEntries([...signingSources].map(([keyId, names]) => [keyId, [...names]]))
  return sql<boolean>`(coalesce((${JSON.stringify(sources)}::jsonb -> key_id) ? source, true)
      and (event.unit_id is not null
        or not exists (select from event_key as signer where signer.id = event.key_id and signer.unit_id <> ${unitId})))`
}
