import { keysOf } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { CreatedMessage, CreateMessage, MessageField } from '../../contract/messages/create.ts'
import type { Db } from '../../db/connect.ts'
import { type AuditEntry, insertAudit } from '../../db/queries/audit/audit.ts'
import type { Writer } from '../../db/queries/message/content.ts'
import { insertMessage, insertPlainMessage, type NewMessage } from '../../db/queries/message/message.ts'
import { findReferences, type References } from '../../db/queries/message/references.ts'
import { audienceRefusal, categoryRefusal } from '../../domain/audience/audience-rights.ts'
import { mutedCategories } from '../../domain/content/actions.ts'
import { titleOf } from '../../domain/content/title.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { roleRefusal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { sha256 } from '../../signing.ts'
import type { Services } from '../context.ts'
import { unitOf } from '../unit-access.ts'
import { checkBody, plainDraft, referencesOf } from './check-body.ts'
import { assertMayAsk } from './rights.ts'

/**
 * Creates a draft, once per unit and key (docs/design/content-and-drafts.md). A known key returns its message in its
 * current state. A draft has no run, so none is woken. `authors`: who wrote it beside the caller.
 * @throws ServiceError unit_required, idempotency_mismatch, forbidden, category_not_allowed,
 *   individual_targeting_disabled, audience_dimension_not_allowed, fixed_category, and what `checkBody` throws
 */
export async function createMessage(
  services: Services,
  principal: Principal,
  idempotencyKey: string,
  body: CreateMessage,
  authors: readonly Writer[] = [],
): Promise<CreatedMessage> {
  const unitId = unitOf(principal, body.unitId)
  const bodyHash = hashOf(body)
  if (isPlain(body) && mayCreate(principal, unitId, body)) {
    const { id, known: existing } = await insertPlainMessage(services.db, {
      unitId,
      idempotencyKey,
      bodyHash,
      ...plainDraft(body),
      ...writtenBy(principal),
      authors,
      title: titleOf(body.messages ?? [], body.subject ?? null, null),
    })
    if (id !== null) return { id, state: 'draft', created: true }
    if (existing) return replay(existing, bodyHash)
  }
  return createOnce(services, principal, {
    unitId,
    idempotencyKey,
    bodyHash,
    references: body,
    bodyAt: () => body,
    authors,
  })
}

/** The fields that, where they are given, are compared with what they refer to, or with the clock. */
const compared: Record<MessageField, boolean> = {
  categoryId: false, // looked up by the statement that inserts
  audience: false, // but for individuals
  messages: false, // but for buttons that mute a category
  subject: false,
  templateId: true,
  variables: true,
  calendar: false,
  reference: false,
  scheduleAt: true,
  expiresAt: true,
  topicId: true,
  remindAt: true,
  remindTo: true,
  pace: false,
  channelPlanOverride: true,
  kind: false,
}

/** Whether nothing in a body has to be compared: only its category is looked up. */
function isPlain(body: CreateMessage): boolean {
  if (keysOf(compared).some((field) => compared[field] && body[field] !== undefined)) return false
  return body.audience.kind !== 'individual' && mutedCategories(body.messages ?? []).length === 0
}

function mayCreate(principal: Principal, unitId: string, { categoryId, audience }: CreateMessage): boolean {
  const refusals = [
    roleRefusal(principal, 'create', unitId),
    categoryRefusal(principal, categoryId),
    audienceRefusal(principal, audience),
  ]
  return refusals.every((refusal) => refusal === null)
}

/** A draft to create. `bodyAt`: its body, once it is known that no message has the key; `now` in ms since the epoch. */
type NewDraft = {
  unitId: string
  idempotencyKey: string
  bodyHash: Buffer
  references: Pick<CreateMessage, 'categoryId' | 'templateId' | 'topicId'>
  bodyAt(now: number): CreateMessage
  /** Throws if the caller may not read what the draft is made of. */
  mayRead?(): Promise<void>
  copyOf?: NonNullable<NewMessage['copyOf']>
  authors?: readonly Writer[]
}

/**
 * Creates a draft, or returns the message that has the key already.
 * @throws ServiceError as `createMessage` does, and what `bodyAt` throws
 */
export async function createOnce(
  services: Services,
  principal: Principal,
  { unitId, idempotencyKey, bodyHash, references, mayRead, bodyAt, copyOf, authors = [] }: NewDraft,
): Promise<CreatedMessage> {
  const lookUp = () => findReferences(services.db, referencesOf(references, unitId, idempotencyKey))
  const lookups = await lookUp()
  if (lookups.known) return replay(lookups.known, bodyHash)
  assertMayAsk(principal, 'create', unitId)
  await mayRead?.()
  const body = bodyAt(lookups.now.getTime())
  const checksVariables = copyOf === undefined
  const { draft } = await checkBody(services, principal, unitId, body, { lookups, checksVariables })
  const id = await insert(services.db, {
    ...draft,
    unitId,
    idempotencyKey,
    bodyHash,
    ...writtenBy(principal),
    authors,
    ...(copyOf !== undefined && { copyOf }),
  })
  if (id !== undefined) return { id, state: 'draft', created: true }
  // A concurrent request with the same key has committed: its row is the answer.
  return replay((await lookUp()).known!, bodyHash)
}

function writtenBy(principal: Principal) {
  const origin = principal.kind === 'producer' ? ('api' as const) : ('console' as const)
  return { origin, createdBy: actorOf(principal) }
}

/** Ignores key order, white space, and the unit, which is the scope of the key. */
function hashOf({ unitId: _, ...body }: CreateMessage): Buffer {
  return sha256(canonicalJson(body))
}

function replay(existing: NonNullable<References['known']>, bodyHash: Buffer): CreatedMessage {
  if (existing.bodyHash !== bodyHash.toString('hex'))
    throw new ServiceError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with a different body. Use a new key for a new message.',
      { id: existing.id },
    )
  return { id: existing.id, state: existing.state, created: false }
}

/** An audience of individuals is audited in the same transaction as the message. */
async function insert(db: Db, message: NewMessage): Promise<string | undefined> {
  if (message.audience.kind !== 'individual') return insertMessage(db, message)
  return db.transaction().execute(async (trx) => {
    const id = await insertMessage(trx, message)
    for (const entry of id === undefined ? [] : individualEntries(id, message, message.createdBy))
      await insertAudit(trx, entry)
    return id
  })
}

/** What the audit log says of a message to an audience of individuals: the count, never the uids. */
export function individualEntries(
  id: string,
  { unitId, audience }: Pick<NewMessage, 'unitId' | 'audience'>,
  actor: string,
): AuditEntry[] {
  if (audience.kind !== 'individual') return []
  return [targetingEntry({ id, unitId, count: audience.uids.length, actor })]
}

/** The audit entry of a message that targets so many individuals. */
export function targetingEntry({
  id,
  unitId,
  count,
  actor,
}: {
  id: string
  unitId: string
  count: number
  actor: string
}): AuditEntry {
  return {
    unitId,
    actor,
    action: 'individual_targeting',
    objectKind: 'message',
    objectId: id,
    details: { count },
  }
}
