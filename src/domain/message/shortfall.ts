import type { Channel } from '../../contract/enums.ts'
import type { CountedPeople } from './stats.ts'

/** Failed deliveries of one channel and reason. */
export type FailedDeliveries = { channel: Channel; reason: string; deliveries: number }

/**
 * A send that ended and reached nobody, or missed many: of `people` to whom it was sent, `reached`. The reasons come
 * with the commonest first.
 */
export type Shortfall = { people: number; reached: number; reasons: FailedDeliveries[] }

/** From this many people on, a share of them that was missed is a shortfall, and a start of conversations is a send. */
export const many = 20
/** The share that was missed of which authors are told. */
const missedShare = 1 / 10

/**
 * Whether a send that ended reached nobody though it was sent to somebody, or missed a tenth of many. Those who were
 * skipped were not sent to; those of unknown outcome may have received it.
 */
export function shortOf({
  reached,
  unknown,
  failed,
}: Pick<CountedPeople, 'reached' | 'unknown' | 'failed'>): Pick<Shortfall, 'people' | 'reached'> | null {
  const maybeReached = reached + unknown
  const people = maybeReached + failed
  const isShort = failed > 0 && (maybeReached === 0 || (people >= many && failed >= people * missedShare))
  return isShort ? { people, reached: maybeReached } : null
}

/** Whether operators are alerted to a shortfall: it reached fewer than half of many. */
export function isAlerted({ people, reached }: Pick<Shortfall, 'people' | 'reached'>): boolean {
  return people >= many && missesMost({ people, reached })
}

/** Whether more people were missed than reached: people read that the send failed. */
export function missesMost({ people, reached }: Pick<Shortfall, 'people' | 'reached'>): boolean {
  return reached < people - reached
}

/** What people read of a reason: whose fault it is. Every code of a provider that is not listed is its rejection. */
export type Blame = 'address' | 'full' | 'content' | 'provider' | 'scenario'

const blames: Record<string, Blame> = {
  bad_address: 'address',
  invalid_recipient: 'address',
  unreachable_recipient: 'address',
  mailbox_full: 'full',
  content: 'content',
  invalid_message: 'content',
  too_large: 'content',
}

/** Why a run of a scenario fails at a node (docs/api/reasons.md). */
const ofNodes = [
  ...['missing_variable', 'content_violation', 'not_answerable', 'no_instant', 'no_group', 'not_active'],
  ...['jump_circle', 'chain_too_long', 'no_way', 'timeout', 'status', 'network', 'shape', 'size'],
]

/** Whose fault a failure for this reason is; `inTalk`: of a conversation. */
export function blameOf(reason: string, { inTalk = false }: { inTalk?: boolean } = {}): Blame {
  return inTalk && ofNodes.includes(reason) ? 'scenario' : (blames[reason] ?? 'provider')
}

/** Whose faults the failures are, first that of the most. */
export function blamesOf({ reasons }: Pick<Shortfall, 'reasons'>, of: { inTalk?: boolean } = {}): Blame[] {
  const sums = new Map<Blame, number>()
  for (const { reason, deliveries } of reasons) {
    const blame = blameOf(reason, of)
    sums.set(blame, (sums.get(blame) ?? 0) + deliveries)
  }
  return [...sums].toSorted(([, a], [, b]) => b - a).map(([blame]) => blame)
}
