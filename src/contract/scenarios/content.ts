import { z } from 'zod'
import { brokenAt } from '../broken-rule.ts'
import { liquidOpenings, locales } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'
import { TemplateVariable } from '../templates/template.ts'
import { graphFields } from './graph.ts'

/** What starts a scenario by itself; one active scenario each in the installation. */
export const ScenarioTriggers = z
  .strictObject({
    follow: z
      .literal(true)
      .optional()
      .describe('Starts for people who follow the account, once a day per person.'),
    otherwise: z
      .literal(true)
      .optional()
      .describe(
        'Starts for people who write what no conversation and no keyword takes, once an hour per person: an automatic answer.',
      ),
    keywords: z
      .array(z.string().trim().min(1).max(100))
      .min(1)
      .max(limits.keywordsPerScenario)
      .optional()
      .describe(
        `Texts that start it, 1 to ${limits.keywordsPerScenario}, without regard to case, width, marks around them and characters that nobody sees.`,
      ),
  })
  .meta({ id: 'ScenarioTriggers', description: 'What starts a scenario beside calls and buttons.' })
export type ScenarioTriggers = z.infer<typeof ScenarioTriggers>

/** Refuses a farewell with variables: a run that ends before its time may lack any of them. */
export function refuseLiquid(text: LocalisedText, context: z.RefinementCtx): void {
  for (const locale of locales)
    if (liquidOpenings.some((opening) => text[locale]?.includes(opening)))
      context.addIssue(brokenAt([locale], 'has_liquid', { of: 'farewell' }))
}
/** How a farewell is described, of a scenario and of a pattern. */
export const farewellMeans =
  'The text sent to people whose runs end because the scenario is retired, without variables. Omitted: ' +
  'none.'

/** What one version of a scenario says. */
export const scenarioContentFields = {
  description: z.string().max(2_000).optional().describe('Its purpose, for approvers.'),
  variables: z
    .array(TemplateVariable)
    .max(limits.variablesPerTemplate)
    .optional()
    .describe('The variables of a start. Lookups and answers may bring others, which need not be declared.'),
  triggers: ScenarioTriggers.optional().describe(
    'Triggers that start it. Omitted: none. Each can belong to one scenario of the installation.',
  ),
  lateSeconds: z
    .int()
    .min(60)
    .max(limits.scenarioLateSeconds)
    .optional()
    .describe(
      'How long a turn may be delayed by a provider or by quota before it is skipped; pauses and quiet ' +
        'hours do not count. Default: 86,400, a day.',
    ),
  farewell: LocalisedText.superRefine(refuseLiquid).optional().describe(farewellMeans),
  ...graphFields,
}
/** The content of a version: what it says, its graph, and what starts it. */
export const ScenarioContent = z.strictObject(scenarioContentFields)
export type ScenarioContent = z.infer<typeof ScenarioContent>
