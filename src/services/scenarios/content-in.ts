import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import { triggersOf } from '../../domain/scenario/activation.ts'
import type { ScenarioBody } from './check-content.ts'

/** What a version stores of a body: the same content gives the same value. */
export function contentIn({ name, categoryId, triggers, variables = [], ...rest }: ScenarioBody): {
  name: string
  categoryId: string
  content: ScenarioContent
} {
  const starts = triggersOf(triggers).length > 0
  return { name, categoryId, content: { ...rest, variables, ...(starts && { triggers }) } }
}
