import type { MessageListItem } from '../contract/messages/list.ts'
import { countUnanswered } from '../db/queries/handoff/open.ts'
import { findAttention } from '../db/queries/message/attention.ts'
import { actorOf, type PersonPrincipal } from '../domain/rights/principal.ts'
import { type WaitingInUnit, waitingFor } from './approvals/list.ts'
import type { Services } from './context.ts'
import { messagesOf } from './messages/read.ts'
import { unitsOf } from './unit-access.ts'

/** What waits for a person: decisions, messages that need them, and how many people wait for an answer of their units. */
export type Home = { waiting: WaitingInUnit[]; attention: MessageListItem[]; unanswered: number }

/** Messages that need somebody, at most. */
const attentionMost = 10

/** Everything that waits for a person, of all of their units. */
export async function homeFor(services: Services, principal: PersonPrincipal): Promise<Home> {
  const ids = await findAttention(services.db, unitsOf(principal), actorOf(principal), attentionMost)
  const [waiting, attention, unanswered] = await Promise.all([
    waitingFor(services, principal),
    ids.length === 0 ? [] : messagesOf(services, principal, ids),
    countUnanswered(services.db, unitsOf(principal)),
  ])
  attention.sort((one, other) => (one.id < other.id ? 1 : -1))
  return { waiting, attention, unanswered }
}
