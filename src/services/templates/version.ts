import type { CreateTemplateVersion, TemplateVersion } from '../../contract/templates/template.ts'
import type { NewVersion, TemplateVersion as Row } from '../../db/queries/catalogue/template.ts'
import { actorView } from '../actor.ts'
import { assertNoneFixed } from '../catalogue/categories.ts'
import type { Services } from '../context.ts'
import { validationError } from '../validation-error.ts'

/**
 * Checks the texts of a template against its list of variables.
 * @throws ServiceError validation_error with a path for every text that is not valid Liquid or uses an unlisted
 *   variable, fixed_category; RetryLater
 */
export async function checkVersion(
  { db, rendering }: Services,
  unitId: string,
  { messages, subject, variables = [] }: CreateTemplateVersion,
  createdBy: string,
): Promise<Omit<NewVersion, 'authors'>> {
  const text = { messages, subject: subject ?? null }
  const issues = await rendering.run(unitId, 'checkTemplate', { template: text, variables })
  if (issues.length > 0) throw validationError(issues)
  await assertNoneFixed(db, messages)
  return { ...text, variables, createdBy }
}

/** A version as the API returns it. */
export function versionOf(row: Row): TemplateVersion {
  const { state, version, messages, subject, variables } = row
  return {
    state,
    version,
    messages,
    subject,
    variables,
    author: actorView(row.createdBy, row.createdByName),
    createdAt: row.createdAt.toISOString(),
    decision: row.decidedBy && row.decidedAt ? decisionOf(row, row.decidedBy, row.decidedAt) : null,
  }
}

function decisionOf(row: Row, by: string, at: Date): TemplateVersion['decision'] {
  return {
    by: actorView(by, row.decidedByName),
    at: at.toISOString(),
    ...(row.reason && { reason: row.reason }),
  }
}
