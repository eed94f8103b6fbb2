import { ServiceError } from '../../contract/errors.ts'
import type { CreatedMessage, CreateMessage } from '../../contract/messages/create.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import { insertMessage, type NewMessage } from '../../db/queries/message/message.ts'
import { type Lookups, lookUp } from '../../db/queries/message/references.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import { sha256 } from '../../signing.ts'
import type { Services } from '../context.ts'
import { assertNoneFixed } from '../fixed-category.ts'
import { idOrNull } from '../invalid.ts'
import { unitOf } from '../unit-of.ts'
import { draftOf } from './draft.ts'
import { assertMayAsk, assertMayReach } from './rights.ts'

/**
 * Makes a draft, once per unit and key (design 3). A key that is known already answers the message it stands for, in
 * today's state. A draft has no run, so nobody is poked.
 * @throws ServiceError unit_required, idempotency_mismatch, forbidden, category_not_allowed,
 *   individual_targeting_disabled, audience_dimension_not_allowed, fixed_category, and what `draftOf` throws
 */
export async function createMessage(
  services: Services,
  principal: Principal,
  idempotencyKey: string,
  body: CreateMessage,
): Promise<CreatedMessage> {
  const unitId = unitOf(principal, body.unitId)
  const bodyHash = hashOf(body)
  const look = () => lookUp(services.db, referencesOf(body, unitId, idempotencyKey))

  const lookups = await look()
  if (lookups.known) return replay(lookups.known, bodyHash)
  assertMayAsk(principal, 'create', unitId)
  assertMayReach(principal, body.categoryId, body.audience)
  await assertNoneFixed(services.db, body.messages)

  const id = await insert(services.db, {
    ...draftOf(body, lookups),
    unitId,
    idempotencyKey,
    bodyHash,
    origin: principal.kind === 'producer' ? 'api' : 'console',
    createdBy: actorOf(principal),
  })
  if (id !== undefined) return { id, state: 'draft', created: true }
  // Somebody else wrote the same key in the meantime, and has committed: their row is the answer.
  return replay((await look()).known!, bodyHash)
}

/** Key order and white space do not matter, and neither does the unit: it is where the key lives. */
function hashOf({ unitId: _, ...body }: CreateMessage): Buffer {
  return sha256(canonicalJson(body))
}

/** What a body refers to, as `lookUp` wants it; what can be no id names nothing. */
export function referencesOf(
  body: Pick<CreateMessage, 'categoryId' | 'templateId' | 'topicId'>,
  unitId: string,
  idempotencyKey: string | null,
) {
  const { categoryId, templateId, topicId } = body
  return {
    unitId,
    idempotencyKey,
    categoryId,
    templateId: idOrNull(templateId),
    topicId: idOrNull(topicId),
  }
}

function replay(known: NonNullable<Lookups['known']>, bodyHash: Buffer): CreatedMessage {
  if (known.bodyHash !== bodyHash.toString('hex'))
    throw new ServiceError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with another body. Use a new key for a new message.',
      { id: known.id },
    )
  return { id: known.id, state: known.state, created: false }
}

/** Naming people by hand is written down at every use, together with the message. */
async function insert(db: Db, message: NewMessage): Promise<string | undefined> {
  if (message.audience.kind !== 'individual') return insertMessage(db, message)
  return db.transaction().execute(async (trx) => {
    const id = await insertMessage(trx, message)
    if (id !== undefined) await auditIndividual(trx, id, message, message.createdBy)
    return id
  })
}

/** Writes down that somebody named people one by one: how many, never whom. Nothing for other audiences. */
export async function auditIndividual(
  db: Db,
  id: string,
  { unitId, audience }: Pick<NewMessage, 'unitId' | 'audience'>,
  actor: string,
): Promise<void> {
  if (audience.kind !== 'individual') return
  const details = { count: audience.uids.length }
  await insertAudit(db, {
    unitId,
    actor,
    action: 'individual_targeting',
    objectKind: 'message',
    objectId: id,
    details,
  })
}
