import type { Trx } from '../../db/connect.ts'
import { countAudience } from '../../db/queries/audience/count.ts'
import { recordDefinitions } from '../../db/queries/audience/definitions.ts'
import { recordAudience } from '../../db/queries/audience/sample.ts'
import type { Category } from '../../db/queries/catalogue/category.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Snapshot } from '../../domain/audience/audience.ts'
import { bindsPeople } from '../../domain/audience/drift.ts'
import { audienceSpecOf } from './forecast.ts'

/**
 * Gathers the facts about an audience that an approval rests on, at submit and again when a message returns to review:
 * counts its people, keeps who they are, and what defines the groups it names. The one place where such facts are made;
 * `src/activities/delivery/check-audience.ts` compares them at the start. A plain dry-run only counts.
 * @throws ServiceError validation_error if the audience uses an unavailable dimension
 */
export async function gatherAudienceFacts(
  trx: Trx,
  message: MessageRow,
  category: Category,
): Promise<Snapshot['recipients']> {
  const spec = audienceSpecOf(message, category)
  if (!bindsPeople(message)) return countAudience(trx, spec)
  await recordDefinitions(trx, message.id, spec)
  return recordAudience(trx, message.id, spec)
}
