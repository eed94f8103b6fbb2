import { findHandoff } from '../../db/queries/handoff/records.ts'
import { findReply, hasReplyOfOthers } from '../../db/queries/handoff/reply.ts'
import { actorOf, type PersonPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { findInUnits } from '../unit-access.ts'
import { replyInHandoff } from './reply.ts'

/** What a person wrote on the page of a handoff. `seen`: the newest message that the page showed; null: there was none. */
type Answer = { text: string; key: string; seen: string | null }

/**
 * Replies with a text for a person who has read the conversation up to `seen`. False, and nothing is stored, if somebody
 * else of the unit has replied since: two people would say the same, or the opposite.
 * @throws ServiceError as `replyInHandoff`
 */
export async function answerInHandoff(
  services: Services,
  principal: PersonPrincipal,
  id: string,
  { text, key, seen: after }: Answer,
): Promise<boolean> {
  const { db } = services
  const { id: handoffId } = await findInUnits(db, principal, id, 'handoff', findHandoff)
  const reply = await findReply(db, { handoffId, idempotencyKey: key })
  if (!reply && (await hasReplyOfOthers(db, { handoffId, actor: actorOf(principal), after }))) return false
  const messages = [{ kind: 'text' as const, text: { 'zh-TW': text } }]
  await replyInHandoff(services, principal, handoffId, { messages }, key)
  return true
}
