import type { Trx } from '../../db/connect.ts'
import { findSendingUnit } from '../../db/queries/identity/unit.ts'
import { patternGraph } from '../../domain/pattern/generate.ts'
import type { WholeDesign } from '../../domain/pattern/terms.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { calendarUrl, noPerson } from '../messages/calendar.ts'
import { checkContent } from '../scenarios/check-content.ts'
import { contentIn } from '../scenarios/content-in.ts'

/**
 * What a version stores that a pattern generates, with what it is made of.
 * @throws ServiceError what `checkContent` throws; not_configured for a calendar entry whose file would have no address
 */
export async function generatedVersion(
  services: Services,
  trx: Trx,
  principal: Principal,
  { unitId, scenarioId, design }: { unitId: string; scenarioId: string; design: WholeDesign },
) {
  const { name, categoryId, farewell } = design
  const graph = patternGraph(design, scenarioId, await timeZoneOf(services, trx, { unitId, design }))
  const body = { name, categoryId, ...graph, ...(farewell && { farewell }) }
  await checkContent(services, trx, principal, { unitId, pattern: true }, body)
  return { ...contentIn(body), design }
}

/** In which zone the times of its calendar entry are written. */
async function timeZoneOf(
  services: Services,
  trx: Trx,
  { unitId, design }: { unitId: string; design: WholeDesign },
): Promise<string> {
  if (!design.calendar) return 'UTC'
  calendarUrl(services, { patternId: unitId, subjectId: noPerson }, 'en')
  return (await findSendingUnit(trx, unitId)).timeZone
}
