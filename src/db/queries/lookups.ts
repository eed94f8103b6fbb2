import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Db } from '../connect.ts'

export type LookupsOf = {
  unitId: string
  idempotencyKey: string | null
  categoryId: string
  /** a well-formed id, or null where the body has none */
  templateId: string | null
  topicId: string | null
}

/**
 * Everything that a body of a message refers to, and what its idempotency key stands for already, in one round trip.
 * Templates and topics of other units are not found; disabled categories and inactive topics are, and say so.
 */
export async function lookUp(db: Db, { unitId, idempotencyKey, categoryId, templateId, topicId }: LookupsOf) {
  return db
    .selectNoFrom((from) => [
      jsonObjectFrom(
        from
          .selectFrom('message as m')
          .select(['m.id', 'm.state', sql<string>`encode(m.body_hash, 'hex')`.as('bodyHash')])
          .where('m.unit_id', '=', unitId)
          .where('m.idempotency_key', '=', idempotencyKey),
      ).as('known'),
      jsonObjectFrom(
        from
          .selectFrom('category as c')
          .select(['c.id', 'c.name', 'c.channel_plan as channelPlan', 'c.enabled'])
          .where('c.id', '=', categoryId),
      ).as('category'),
      jsonObjectFrom(
        from
          .selectFrom('template as t')
          .innerJoin('template_version as v', 'v.template_id', 't.id')
          .select(['t.id', 'v.version', 'v.messages', 'v.subject', 'v.variables'])
          .where('t.id', '=', templateId)
          .where('t.unit_id', '=', unitId)
          .orderBy('v.version', 'desc')
          .limit(1),
      ).as('template'),
      jsonObjectFrom(
        from
          .selectFrom('topic as o')
          .select(['o.id', 'o.status'])
          .where('o.id', '=', topicId)
          .where('o.unit_id', '=', unitId),
      ).as('topic'),
      sql<Date>`clock_timestamp()`.as('now'),
    ])
    .executeTakeFirstOrThrow()
}
export type Lookups = Awaited<ReturnType<typeof lookUp>>
