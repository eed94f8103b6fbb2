import { ServiceError } from '../../contract/errors.ts'
import type { CreatedMessage, CreateMessage } from '../../contract/messages/create.ts'
import type { Writer } from '../../db/queries/message/content.ts'
import { insertMessage, insertPlainMessage, type NewMessage } from '../../db/queries/message/message.ts'
import { findReferences, type References } from '../../db/queries/message/references.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { createRefusal, plainDraft } from '../../domain/message/draft.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { sha256 } from '../../signing.ts'
import type { Services } from '../context.ts'
import { unitOf } from '../unit-access.ts'
import { checkBody } from './check-body.ts'
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
  // One round trip instead of two for the bodies that most producers send: what bench B3 measures.
  const draft = createRefusal(principal, unitId, body) ? null : plainDraft(body)
  if (draft) {
    const { id, known: existing } = await insertPlainMessage(services.db, {
      ...draft,
      unitId,
      idempotencyKey,
      bodyHash,
      ...writtenBy(principal),
      authors,
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
  const lookUp = () => findReferences(services.db, { ...references, unitId, idempotencyKey })
  const lookups = await lookUp()
  if (lookups.known) return replay(lookups.known, bodyHash)
  assertMayAsk(principal, 'create', unitId)
  await mayRead?.()
  const body = bodyAt(lookups.now.getTime())
  const checksVariables = copyOf === undefined
  const { draft } = await checkBody(services, principal, unitId, body, { lookups, checksVariables })
  const id = await insertMessage(services.db, {
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
