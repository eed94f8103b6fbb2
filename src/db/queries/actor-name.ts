import { type Expression, type RawBuilder, sql } from 'kysely'

/** The name people know an actor by: a person's or a key's; null for the system's own actors. */
export function actorName(actor: Expression<string | null>): RawBuilder<string | null> {
  return sql<string | null>`case
    when ${actor} like 'person:%' then (select p.name from person p where p.id = substr(${actor}, 8)::uuid)
    when ${actor} like 'key:%' then (select k.name from producer_key k where k.id = substr(${actor}, 5))
  end`
}
