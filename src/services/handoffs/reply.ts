import { ServiceError } from '../../contract/errors.ts'
import type { HandoffReply, ReplyInHandoff } from '../../contract/handoffs.ts'
import { limits } from '../../contract/limits.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { broken } from '../../contract/rules.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findHandoff, type HandoffRow } from '../../db/queries/handoff/records.ts'
import {
  countToldByKeys,
  findReply,
  insertReply,
  lockForReply,
  type ReplyCall,
} from '../../db/queries/handoff/reply.ts'
import { findSendingUnit } from '../../db/queries/identity/unit.ts'
import { actionGroups } from '../../domain/content/actions.ts'
import { contentViolations } from '../../domain/content/content-check.ts'
import { mapTexts } from '../../domain/content/texts.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { normaliseText } from '../../domain/lib/normalise-text.ts'
import { handoffReplyRefusal, saidToMany } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { sha256 } from '../../signing.ts'
import type { Services } from '../context.ts'
import { compileFor } from '../messages/prepare.ts'
import { refuse } from '../refuse.ts'
import { findInUnits } from '../unit-access.ts'
import { type Issue, validationError } from '../validation-error.ts'
import { closedAlready } from './close.ts'

/**
 * Replies in an open handoff: stores what the unit says, which a background task sends in the chat. A known key returns its
 * reply, whatever has become of the handoff.
 * @throws ServiceError not_found, forbidden, idempotency_mismatch, invalid_transition if the handoff is closed or its person
 *   has no chat address, validation_error for buttons that answer, content_violation, not_configured
 */
export async function replyInHandoff(
  services: Services,
  principal: Principal,
  id: string,
  { messages }: ReplyInHandoff,
  idempotencyKey: string | null,
): Promise<HandoffReply> {
  const { db } = services
  const handoff = await findInUnits(db, principal, id, 'handoff', findHandoff)
  refuse(handoffReplyRefusal(principal))
  const call = { handoffId: handoff.id, idempotencyKey, bodyHash: sha256(canonicalJson({ messages })) }
  const reply = await findKnown(db, call)
  if (reply) return reply
  await checkMessages(services, handoff, messages)
  const actor = actorOf(principal)
  const replyId = await db.transaction().execute(async (trx) => {
    const { closedAt, closedBy, subjectId, chat } = await lockForReply(trx, handoff.id)
    if (closedAt !== null) throw closedAlready({ closedAt, closedBy })
    if (subjectId === null || !chat) throw unreachable()
    const words = principal.kind === 'producer' ? wordsOf(messages) : null
    if (
      words &&
      (await countToldByKeys(trx, { unitId: handoff.unitId, words, subjectId })) >= limits.sameWordsByKeys
    )
      refuse(saidToMany)
    const says = [{ node: '', messages }]
    const inserted = await insertReply(trx, { ...call, subjectId, actor, says, words })
    const about = { unitId: handoff.unitId, actor, objectKind: 'handoff', objectId: handoff.id } as const
    if (inserted) await insertAudit(trx, { ...about, action: 'reply', details: { messageId: inserted } })
    return inserted
  })
  // A concurrent request with the same key has committed: its answer is this one's.
  return replyId === undefined ? (await findKnown(db, call))! : { id: replyId, state: 'pending' }
}

/** What a reply says, as people compare what they read: the digest of its texts and addresses. */
function wordsOf(messages: CanonicalMessage[]): Buffer {
  const words: string[] = []
  mapTexts(messages, (text, _path, use) => {
    words.push(use === 'url' ? text : normaliseText(text))
    return text
  })
  return sha256(words.join('\n'))
}

async function findKnown(db: Db, call: ReplyCall): Promise<HandoffReply | null> {
  const { handoffId, idempotencyKey, bodyHash } = call
  const reply = idempotencyKey === null ? undefined : await findReply(db, { handoffId, idempotencyKey })
  if (!reply) return null
  if (bodyHash.equals(reply.bodyHash)) return { id: reply.id, state: reply.state }
  throw new ServiceError(
    'idempotency_mismatch',
    'This Idempotency-Key was used with a different body. Use a new key for a new reply.',
    { id: reply.id },
  )
}

function unreachable(): ServiceError {
  return new ServiceError(
    'invalid_transition',
    'The person cannot be reached in the chat: this chat address is not bound to a subject. Ask them to ' +
      'bind it, then retry.',
    { state: 'open', by: null, at: null },
  )
}

/** A reply is sent by nothing that takes an answer, so that its buttons may only lead to links. */
async function checkMessages(
  { channels, db }: Services,
  { id, unitId }: HandoffRow,
  messages: CanonicalMessage[],
): Promise<void> {
  const buttons = answeringButtons(messages)
  if (buttons.length > 0) throw validationError(buttons)
  const unit = await findSendingUnit(db, unitId)
  const { violations: ofChat } = compileFor(channels, ['chat'], {
    id,
    unit,
    messages,
    subject: unit.name,
    wave: 'only',
    categoryId: '',
    category: unit.name,
    unsubscribe: false,
  })
  const violations = [...contentViolations({ messages, subject: null }), ...ofChat]
  if (violations.length > 0)
    throw new ServiceError(
      'content_violation',
      `The reply cannot be sent as it is; details list ${violations.length} violation(s). Change it, then retry.`,
      { violations },
    )
}

function answeringButtons(messages: CanonicalMessage[]): Issue[] {
  const noLink = broken('answer_button', { of: 'button' })
  const actions = actionGroups(messages).flat()
  return [
    ...actions.flatMap(({ path, action }) =>
      action.kind === 'uri' ? [] : [{ path: `${path}.kind`, ...noLink }],
    ),
    ...messages.flatMap(({ kind }, n) =>
      kind === 'quickReply'
        ? [
            {
              path: `messages[${n}].kind`,
              ...broken('answer_button', { of: 'quickReply' }),
            },
          ]
        : [],
    ),
  ]
}
