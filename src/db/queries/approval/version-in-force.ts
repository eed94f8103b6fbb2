import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * The number of the version of a template that messages use: the newest approved one or, if none has been approved, the
 * newest, so that a new template can be tested, and sent with a person's approval.
 */
export function versionInForce(templateId: Expression<string | null>): RawBuilder<number> {
  return sql<number>`(
    select version from template_version where template_id = ${templateId}
    order by state = 'approved' desc, version desc limit 1)`
}
