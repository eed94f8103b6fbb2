import { type QueryExecutorProvider, sql } from 'kysely'

/** Finds the templates that wait for an approver (docs/decisions/0053-approving-in-a-browser.md) without all the others. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(
      `create index template_version_draft on template_version (template_id, version) where state = 'draft'`,
    )
    .execute(db)
}
