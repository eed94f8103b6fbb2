import type { MessageListItem } from '../contract/messages/list.ts'
import type { Pattern } from '../contract/patterns/pattern.ts'
import { countUnanswered } from '../db/queries/handoff/open.ts'
import type { Unit } from '../db/queries/identity/unit.ts'
import { attentionDays, findAttention } from '../db/queries/message/attention.ts'
import { findStanding, type StandingRow } from '../db/queries/message/standing.ts'
import { findRejectedPatterns } from '../db/queries/pattern/attention.ts'
import { findPatterns } from '../db/queries/pattern/pattern.ts'
import { statsOf } from '../domain/message/stats.ts'
import { readsOwnFirst, roleRefusal } from '../domain/rights/permission.ts'
import { actorOf, type PersonPrincipal } from '../domain/rights/principal.ts'
import { type WaitingInUnit, waitingFor } from './approvals/list.ts'
import { listCompositions } from './compositions/compositions.ts'
import type { Services } from './context.ts'
import { messagesOf } from './messages/read.ts'
import { patternOf } from './patterns/patterns.ts'
import { unitsOf } from './unit-access.ts'

/**
 * How the messages of a unit stand. `mine`: those of the reader, who writes some; `writing`: compositions and drafts; `sent`:
 * since the day before; `reached`: people of those, who count once for each message.
 */
export type Standing = Pick<StandingRow, 'waiting' | 'planned' | 'nextAt'> & {
  mine: boolean
  writing: number
  sent: number
  reached: number
}

/** What waits for a person: decisions, messages that need them, and how many people wait for an answer of their units. */
export type Home = {
  waiting: WaitingInUnit[]
  attention: MessageListItem[]
  /** Those of the reader that were rejected. */
  patterns: Pattern[]
  unanswered: number
  /** null: the person is in no unit. */
  standing: (Standing & { unit: Unit }) | null
}

/** Messages that need somebody, and decisions of a unit, at most: the lists have all. */
const [attentionMost, waitingMost] = [10, 3]

/** Everything that waits for a person, of all of their units, and how the messages of `unit` stand. */
export async function homeFor(
  services: Services,
  principal: PersonPrincipal,
  unit: Unit | null,
): Promise<Home> {
  const units = unitsOf(principal)
  const ids = await findAttention(services.db, units, actorOf(principal), attentionMost)
  const rejected = await findRejectedPatterns(services.db, units, actorOf(principal), {
    limit: attentionMost,
    days: attentionDays,
  })
  const [waiting, attention, patterns, unanswered, standing] = await Promise.all([
    waitingFor(services, principal, { limit: waitingMost }),
    ids.length === 0 ? [] : messagesOf(services, principal, ids),
    findPatterns(services.db, rejected, units),
    countUnanswered(services.db, units),
    unit && standingIn(services, principal, unit),
  ])
  attention.sort((one, other) => (one.id < other.id ? 1 : -1))
  return {
    ...{ waiting, attention, patterns: patterns.map(patternOf), unanswered },
    standing: standing && unit && { ...standing, unit },
  }
}

/** What the list of messages shows the reader first. */
async function standingIn(
  services: Services,
  principal: PersonPrincipal,
  { id, timeZone }: Unit,
): Promise<Standing> {
  const mine = readsOwnFirst(principal, id)
  const query = { unitId: id, actor: actorOf(principal), mine, timeZone }
  const { waiting, planned, nextAt, drafts, sent } = await findStanding(services.db, query)
  const writes = roleRefusal(principal, 'create', id) === null
  const compositions = writes ? await listCompositions(services, principal, id) : []
  const reached = sent.map(({ mode, ...counts }) => statsOf(counts, mode).people?.reached ?? 0)
  return {
    ...{ waiting, planned, nextAt, mine },
    writing: drafts + compositions.filter(({ isAuthor }) => isAuthor || !mine).length,
    sent: sent.length,
    reached: reached.reduce((sum, n) => sum + n, 0),
  }
}
