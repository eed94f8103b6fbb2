import type { Updateable } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { countNamed } from '../../db/queries/audience/count.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import type { MessageRow, MessageTable } from '../../db/tables.ts'
import type { Snapshot } from '../../domain/audience/audience.ts'
import { fewByHistory, targetingRefusal } from '../../domain/audience/audience-rights.ts'
import {
  hasBecomeSmall,
  namedPeople,
  type Smallness,
  smallnessOf,
  usesOwnLists,
} from '../../domain/audience/small-audience.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { withCountLimit } from '../count-limit.ts'
import { refuse } from '../refuse.ts'
import { tellsHistory } from './count-view.ts'
import { targetingEntry } from './targeting-audit.ts'

/**
 * Applies the rules of individual targeting to a message that enters review, if its audience counts as that
 * (docs/design/audiences.md): the caller must have the right to it, it is audited, and the message
 * becomes personal. Returns the columns to write with the move. `principal`: who submits it; null for an event, and
 * where the run returns a message to review.
 * @throws ServiceError individual_targeting_disabled
 */
export async function applyTargetingRules(
  trx: Trx,
  message: MessageRow,
  recipients: Snapshot['recipients'],
  { principal, actor }: { principal: Principal | null; actor: string },
): Promise<Updateable<MessageTable>> {
  if ((await smallnessIn(trx, message, recipients)) !== 'targeting') return {}
  if (principal) refuse(targetingRefusal(principal))
  const { id, unit_id: unitId } = message
  await insertAudit(trx, targetingEntry({ id, unitId, count: namedPeople(recipients), actor }))
  return { kind: 'personal', review_reason: 'audience_small' }
}

/**
 * Checks that the caller may submit a draft with this audience, as `applyTargetingRules` does. Counts no more people than
 * decide it, and only if the right is missing.
 * @throws ServiceError individual_targeting_disabled, unavailable if the unit has too many counts running
 */
export async function assertMayTarget(
  db: Db,
  principal: Principal,
  { unit_id: unitId, audience }: Pick<MessageRow, 'unit_id' | 'audience'>,
): Promise<void> {
  const refusal = targetingRefusal(principal)
  if (!refusal || principal.kind === 'person') return
  const byHistory = await tellsHistory(db, unitId, audience)
  if (!byHistory && !usesOwnLists(audience, principal.unitKind)) return
  const total = await withCountLimit(unitId, () =>
    countNamed(db, { unitId, audience }, limits.smallestAudience),
  )
  if (byHistory && total < limits.smallestAudience) refuse(fewByHistory)
  if (smallnessOf(audience, principal.unitKind, { total, excluded: {} }) === 'targeting') refuse(refusal)
}

/**
 * Checks that the caller may learn the count that the snapshot of a submit tells, of an audience that names so many people.
 * Members may submit what they may not count: the approver sees it.
 * @throws ServiceError individual_targeting_disabled
 */
export async function assertMayLearnCount(
  db: Db,
  principal: Principal,
  { unit_id: unitId, audience }: Pick<MessageRow, 'unit_id' | 'audience'>,
  named: number,
): Promise<void> {
  if (named >= limits.smallestAudience || !targetingRefusal(principal)) return
  if (await tellsHistory(db, unitId, audience)) refuse(fewByHistory)
}

/** Whether the audience is smaller now, by these counts, than in a way that the approver of its snapshot saw. */
export async function becameSmall(
  db: Db,
  message: MessageRow,
  counted: Snapshot['recipients'],
): Promise<boolean> {
  const now = await smallnessIn(db, message, counted)
  return now !== null && hasBecomeSmall(await smallnessIn(db, message, message.snapshot!.recipients), now)
}

/** The smallness of a message's audience, by these counts. Reads the unit only if they are low. */
export async function smallnessIn(
  db: Db,
  { unit_id, audience }: Pick<MessageRow, 'unit_id' | 'audience'>,
  recipients: Snapshot['recipients'],
): Promise<Smallness | null> {
  if (audience.kind === 'individual' || recipients.total >= limits.smallestAudience) return null
  const unit = await findUnit(db, unit_id)
  return unit ? smallnessOf(audience, unit.kind, recipients) : null
}
