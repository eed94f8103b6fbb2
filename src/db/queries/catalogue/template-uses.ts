import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

/** What makes messages of a template without a request that names it. */
export type TemplateUses = {
  bindings: { id: string; source: string; type: string }[]
  schedules: { id: string; name: string }[]
}

/** What uses a template of this unit, the oldest first: at most `limit` of each. Deleted and rejected ones do not. */
export async function findTemplateUses(
  db: Db,
  { id, unitId, limit }: { id: string; unitId: string; limit: number },
): Promise<TemplateUses> {
  const { rows } = await sql<TemplateUses>`
    select
      coalesce((select json_agg(binding) from (
        select distinct b.id, v.source, v.type
        from event_binding as b join event_binding_version as v on v.binding_id = b.id
        where b.unit_id = ${unitId} and v.template_id = ${id} and v.state in ('submitted', 'in_force')
        order by b.id limit ${limit}) as binding), '[]') as bindings,
      coalesce((select json_agg(made) from (
        select id, name from schedule
        where unit_id = ${unitId} and message ->> 'templateId' = ${id} and state in ('active', 'disabled')
        order by id limit ${limit}) as made), '[]') as schedules`.execute(db)
  return rows[0]!
}
