import type { CreatePattern } from '../../contract/patterns/pattern.ts'
import type { Composition } from '../../db/queries/composition/composition.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { createPattern } from '../patterns/patterns.ts'
import { putScenario } from '../scenarios/change.ts'
import { sameAs, writtenIn } from './compositions.ts'

/**
 * Makes a pattern of what is written, and asks for its activation; what was written is then ended. Pressed twice, it makes
 * one. Returns its id. `organisers`: who is to read the answers. A pattern that cannot be activated yet is a draft.
 * @throws ServiceError invalid_transition if another version is stored than the one that was shown, and what `createPattern`
 *   and `putScenario` throw
 */
export async function submitPattern(
  services: Services,
  principal: PersonPrincipal,
  ref: Pick<Composition, 'id' | 'version'>,
  { body, organisers }: { body: CreatePattern; organisers: string[] },
): Promise<string> {
  const stored = await sameAs(services, principal, ref)
  const whole = { ...body, unitId: stored.unitId }
  const { id, scenarioId } = await createPattern(services, principal, whole, writtenIn(stored))
  await putScenario(services, principal, scenarioId, { state: 'active', organisers })
  return id
}
