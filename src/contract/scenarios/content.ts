import { z } from 'zod'
import { limits } from '../limits.ts'
import { TemplateVariable } from '../templates/template.ts'
import { graphFields } from './graph.ts'

/** What starts a scenario by itself; one active scenario each in the installation. */
export const ScenarioTriggers = z
  .strictObject({
    follow: z
      .literal(true)
      .optional()
      .describe('Starts with who follows the account, once a day for each person.'),
    keywords: z
      .array(z.string().trim().min(1).max(100))
      .min(1)
      .max(limits.keywordsPerScenario)
      .optional()
      .describe(
        `Texts that start it, 1 to ${limits.keywordsPerScenario}, without regard to case or to full-width forms.`,
      ),
  })
  .meta({ id: 'ScenarioTriggers', description: 'What starts a scenario beside calls and buttons.' })
export type ScenarioTriggers = z.infer<typeof ScenarioTriggers>

/** What one version of a scenario says. */
export const scenarioContentFields = {
  description: z.string().max(2_000).optional().describe('What it is for, for who decides about it.'),
  variables: z
    .array(TemplateVariable)
    .max(limits.variablesPerTemplate)
    .optional()
    .describe('The variables of a start. Lookups and answers may bring others, which need not be declared.'),
  triggers: ScenarioTriggers.optional().describe(
    'What starts it by itself. Omitted: nothing. Each may belong to one scenario of the installation.',
  ),
  lateSeconds: z
    .int()
    .min(60)
    .max(limits.scenarioLateSeconds)
    .optional()
    .describe(
      'How long something may be held back by a provider or a quota before it is not said any more; pauses and quiet hours ' +
        'do not count. Omitted: a day.',
    ),
  ...graphFields,
}
/** The content of a version: what it says, its graph, and what starts it. */
export const ScenarioContent = z.strictObject(scenarioContentFields)
export type ScenarioContent = z.infer<typeof ScenarioContent>
