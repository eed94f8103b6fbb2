import type { CreatePatternVersion, Pattern } from '../../contract/patterns/pattern.ts'
import { findPattern, lockPattern, replaceTerms } from '../../db/queries/pattern/pattern.ts'
import { insertScenarioVersion, lockScenario } from '../../db/queries/scenario/scenario.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { termsOf } from '../../domain/pattern/terms.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { assertMayAsk, assertMayUse } from '../messages/rights.ts'
import { auditScenario } from '../scenarios/audit.ts'
import { transitionError } from '../scenarios/change.ts'
import { findInUnits } from '../unit-access.ts'
import { nowhere, type WrittenIn } from '../written-in.ts'
import { checkDesign } from './check-design.ts'
import { generatedVersion } from './generated.ts'
import { checkCapacity, getPattern } from './patterns.ts'

/** `ifMatch`: the newest version, as it was shown; `writtenIn`: what it was written in, which ends with it. */
type VersionOptions = { ifMatch?: number | undefined; writtenIn?: WrittenIn }

/**
 * Generates a new version of a pattern's scenario as a draft, which replaces one that is a draft or waits; the same as the
 * newest makes none. Until one is in force the pattern shows the newest, afterwards what people answer.
 * @throws ServiceError not_found, forbidden, category_not_allowed for its category, before and after, validation_error,
 *   also for fewer places than one in force has, invalid_transition if the scenario is retired or has a newer version
 */
export async function createPatternVersion(
  services: Services,
  principal: Principal,
  id: string,
  body: CreatePatternVersion,
  { ifMatch, writtenIn = nowhere }: VersionOptions = {},
): Promise<Pattern> {
  const { type, unitId, scenarioId } = await findInUnits(services.db, principal, id, 'pattern', findPattern)
  assertMayAsk(principal, 'create', unitId)
  const design = { type, ...body }
  await checkDesign(services, unitId, design, Date.now())
  await services.db.transaction().execute(async (trx) => {
    const authors = await writtenIn.lock(trx)
    const scenario = await findInUnits(trx, principal, scenarioId, 'scenario', lockScenario)
    const pattern = await findInUnits(trx, principal, id, 'pattern', lockPattern)
    assertMayUse(principal, scenario.categoryId)
    if (scenario.state === 'retired')
      throw transitionError(scenario, 'it is retired for good. Create another one.', 'retired')
    if (ifMatch !== undefined && ifMatch !== scenario.version)
      throw transitionError(scenario, `version ${ifMatch} is not the newest. Get it again, then retry.`)
    if (pattern.inForce !== null && design.capacity !== undefined) checkCapacity(pattern, design.capacity)
    const next = await generatedVersion(services, trx, principal, { unitId, scenarioId, design })
    const { name, categoryId, content } = scenario
    const newest = { name, categoryId, content, design: pattern.design }
    if (canonicalJson(next) !== canonicalJson(newest)) {
      await assertRoomFor(trx, 'scenarioVersions', scenarioId)
      const createdBy = actorOf(principal)
      const version = await insertScenarioVersion(trx, scenarioId, { ...next, createdBy, authors })
      await auditScenario(trx, principal, 'edit', { id: scenarioId, unitId, version })
      if (pattern.inForce === null) await replaceTerms(trx, pattern.id, termsOf(design))
    }
    await writtenIn.end(trx, pattern.id)
  })
  return getPattern(services, principal, id)
}
