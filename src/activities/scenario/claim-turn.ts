import { randomUUID } from 'node:crypto'
import { channels as allChannels, type Channel } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { Trx } from '../../db/connect.ts'
import { payTurn } from '../../db/queries/quota/turn-payment.ts'
import { hasPushesLeft } from '../../db/queries/scenario-run/pushes.ts'
import {
  claimTurn,
  deferTurn,
  endTurn,
  type LockedTurn,
  lockTurn,
  type PendingTurn,
  type TurnClaimant,
  type TurnEnd,
  type TurnTry,
  takeOverTurn,
} from '../../db/queries/scenario-run/turn.ts'
import { monthOf } from '../../domain/lib/month.ts'
import { quietHoursEnd } from '../../domain/message/quiet-hours.ts'
import { notApproved } from '../../domain/rights/clearance.ts'
import { chooseWay, type TurnChoice, type TurnSituation } from '../../domain/scenario/choose-way.ts'
import { countTurn } from '../../metrics/sending.ts'
import type { Services } from '../../services/context.ts'
import { isAnsweredFor } from '../../services/scenario-runs/clear-turn.ts'
import { compileTurn, isUndeliverable } from '../../services/scenario-runs/compile-turn.ts'

/** A claimed turn, to be tried now. `token`: by which a reply is made. */
export type ClaimedTurn = TurnTry & {
  token: string | null
  /** The provider may have taken an earlier try. */
  unclear: boolean
  tries: number
  failingMs: number
  /** Whether another channel of the plan is left. */
  another: boolean
}

/** For how long the provider or the quota may hold back a turn, unless its scenario says otherwise (s): a day. */
const lateSeconds = 86_400
/** A turn that finds no quota looks again after a minute, then each time after twice as long, within these (ms). */
const quotaWaitMs = { first: 60_000, longest: 3_600_000 }

/**
 * Decides how a turn is tried now, under its lock, and stores the try before it is made: channel, address, content, and
 * what it is paid with. Null if there is nothing to try: it waits, has ended, or another worker tries it.
 */
export async function claim(
  services: Services,
  turn: PendingTurn,
  claimant: TurnClaimant,
): Promise<ClaimedTurn | null> {
  const claimed = await services.db
    .transaction()
    .execute(async (trx): Promise<ClaimedTurn | EndedTurn | null> => {
      const standing = await lockTurn(trx, turn, claimant)
      if (!standing) return null
      if (standing.tries > 0) await takeOverTurn(trx, turn, claimant)
      if (!isAnsweredFor(turn)) {
        const state = standing.unclear ? 'unknown' : 'failed'
        await endTurn(trx, turn, claimant, { state, reason: notApproved })
        return { by: standing.by, ended: state }
      }
      const open = openChannels(services, turn, standing)
      const choice = await choose(trx, turn, standing, open)
      switch (choice.do) {
        case 'end':
          await endTurn(trx, turn, claimant, choice)
          return { by: standing.by, ended: choice.state }
        case 'wait':
          await deferTurn(trx, turn, claimant, {
            afterMs: choice.ms ?? 0,
            problem: choice.problem,
            unclear: false,
          })
          return null
        case 'repeat':
          return repeat(trx, turn, claimant, standing)
        case 'try':
          return tryAnew(services, trx, turn, claimant, { standing, open, ...choice })
      }
    })
  if (!claimed || !('ended' in claimed)) return claimed
  countTurn(turn, claimed.by, claimed.ended)
  return null
}

/** The way of a turn; one that would be pushed is judged once more by what its person has started today. */
async function choose(
  trx: Trx,
  turn: PendingTurn,
  standing: LockedTurn,
  channels: Channel[],
): Promise<TurnChoice> {
  const situation = situationOf(turn, standing, channels)
  const choice = chooseWay(situation)
  if (choice.do !== 'try' || choice.by !== 'push' || !standing.startedByPerson) return choice
  if (await hasPushesLeft(trx, turn, limits.startedPushesPerPersonDay)) return choice
  return chooseWay({ ...situation, pushesSpent: true })
}

/** A turn that ended instead of being tried. `by`: the way of an earlier try. */
type EndedTurn = { by: TurnTry['by'] | null; ended: TurnEnd['state'] }

/** The channels of the plan that have not refused it, and that this installation and its content have. */
function openChannels(services: Services, turn: PendingTurn, { refused }: LockedTurn): Channel[] {
  return turn.category.plan.channels.filter(
    (channel) => !refused.includes(channel) && services.channels[channel] !== undefined,
  )
}

function situationOf(turn: PendingTurn, standing: LockedTurn, channels: Channel[]): TurnSituation {
  const { scenarioState, ending, over, heldMs, verdicts, token, unclear, by, tries, triedMs, usedToken } =
    standing
  const { channel, address, addresses } = standing
  const now = standing.now.getTime()
  const quietEnd = standing.quiet && quietHoursEnd(standing.quiet, now)
  const rests = allChannels.flatMap((channel) => {
    const until = standing.rests[channel]
    return until === undefined ? [] : [[channel, Math.max(0, Date.parse(until) - now)]]
  })
  return {
    scenarioState,
    ending: ending !== null,
    over,
    heldMs,
    channels,
    verdicts,
    token: token !== null,
    pushesSpent: false,
    lateMs: (turn.content?.lateSeconds ?? lateSeconds) * 1_000,
    quietForMs: quietEnd === null ? null : quietEnd - now,
    restsMs: Object.fromEntries(rests),
    unclear:
      unclear && by !== null
        ? {
            by,
            tries,
            triedMs: triedMs ?? 0,
            tokenAgeMs: usedToken?.ageMs ?? null,
            moved: by !== 'mail' && address !== addresses[channel!],
          }
        : null,
  }
}

/** The same once more. */
async function repeat(
  trx: Trx,
  turn: PendingTurn,
  claimant: TurnClaimant,
  { channel, address, compiled, by, retryKey, usedToken, tries, triedMs }: LockedTurn,
): Promise<ClaimedTurn> {
  const same: TurnTry = {
    channel: channel!,
    address: address!,
    compiled,
    by: by!,
    retryKey: retryKey!,
    replyEventId: null,
    paid: null,
  }
  await claimTurn(trx, turn, claimant, same)
  return {
    ...same,
    token: usedToken?.token ?? null,
    unclear: true,
    tries,
    failingMs: triedMs ?? 0,
    another: false,
  }
}

type NewTry = { standing: LockedTurn; open: Channel[]; channel: Channel; by: TurnTry['by'] }

async function tryAnew(
  services: Services,
  trx: Trx,
  turn: PendingTurn,
  claimant: TurnClaimant,
  { standing, open, channel, by }: NewTry,
): Promise<ClaimedTurn | EndedTurn | null> {
  const { addresses, token, tries, triedMs, now } = standing
  const compiled = compileTurn(services, turn, channel)
  const another = open.some((one) => one !== channel && standing.verdicts[one] === null)
  if (isUndeliverable(compiled)) {
    if (!another) {
      await endTurn(trx, turn, claimant, { state: 'failed', reason: compiled.reason })
      return { by: null, ended: 'failed' }
    }
    await deferTurn(trx, turn, claimant, { afterMs: 0, problem: null, unclear: false, refused: channel })
    return null
  }
  const month = monthOf(now, services.quotaTimeZone)
  // Locks rows of the ledger: nothing else is locked after it.
  const halves = by === 'reply' ? null : await payTurn(trx, { unitId: turn.unitId, channel, month })
  if (by !== 'reply' && halves === null) {
    const afterMs = Math.min(quotaWaitMs.longest, quotaWaitMs.first + standing.heldMs)
    await deferTurn(trx, turn, claimant, { afterMs, problem: 'quota', unclear: false })
    return null
  }
  const begun: TurnTry = {
    channel,
    address: addresses[channel]!,
    compiled,
    by,
    retryKey: randomUUID(),
    replyEventId: by === 'reply' ? token!.eventId : null,
    paid: halves && { halves, month },
  }
  await claimTurn(trx, turn, claimant, begun)
  return {
    ...begun,
    ...{
      token: by === 'reply' ? token!.token : null,
      unclear: false,
      tries,
      failingMs: triedMs ?? 0,
      another,
    },
  }
}
