import { ServiceError } from '../../contract/errors.ts'
import type { CreatePattern } from '../../contract/patterns/pattern.ts'
import type { Composition } from '../../db/queries/composition/composition.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { createPattern, getPattern } from '../patterns/patterns.ts'
import { createPatternVersion } from '../patterns/versions.ts'
import { putScenario } from '../scenarios/change.ts'
import { sameAs, writtenIn } from './compositions.ts'

/**
 * Makes a pattern of what is written, or a new version of one, and asks for its activation; what was written is then ended.
 * Pressed twice, it makes one. Returns the id of the pattern. `organisers`: who is to read the answers of one that has not
 * been in force. What cannot be activated yet is a draft.
 * @throws ServiceError invalid_transition if another version is stored than the one that was shown, and what
 *   `createPattern`, `createPatternVersion` and `putScenario` throw
 */
export async function submitPattern(
  services: Services,
  principal: PersonPrincipal,
  ref: Pick<Composition, 'id' | 'version'>,
  { body, organisers }: { body: CreatePattern; organisers: string[] },
): Promise<string> {
  const stored = await sameAs(services, principal, ref)
  const { unitId, patternId } = stored
  if (patternId !== null)
    return submitVersion(services, principal, { ...stored, patternId }, { body, organisers })
  const { id, scenarioId } = await createPattern(services, principal, { ...body, unitId }, writtenIn(stored))
  await putScenario(services, principal, scenarioId, { state: 'active', organisers })
  return id
}

async function submitVersion(
  services: Services,
  principal: PersonPrincipal,
  stored: Composition & { patternId: string },
  { body: { unitId: _, type: __, ...design }, organisers }: { body: CreatePattern; organisers: string[] },
): Promise<string> {
  const { patternId } = stored
  const { version, scenarioId, inForce, paused } = await getPattern(services, principal, patternId)
  // In a pause the state `active` would end the pause, and ask for nothing.
  if (paused)
    throw new ServiceError('invalid_transition', 'It is paused. End the pause, then submit the change.')
  const options = { ifMatch: version, writtenIn: writtenIn(stored) }
  await createPatternVersion(services, principal, patternId, design, options)
  // Of one that was in force, only an approver changes who reads the answers.
  const named = inForce === null ? { organisers } : {}
  await putScenario(services, principal, scenarioId, { state: 'active', ...named })
  return patternId
}
