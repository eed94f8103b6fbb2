import { randomUUID } from 'node:crypto'
import { isUndeliverable } from '../../channels/turn.ts'
import { channels as allChannels, type Channel } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { Trx } from '../../db/connect.ts'
import { payTurn } from '../../db/queries/quota/turn-payment.ts'
import { hasPushesLeft } from '../../db/queries/scenario-run/pushes.ts'
import {
  claimReply,
  claimTurn,
  deferTurn,
  endTurn,
  type LockedTurn,
  lockTurn,
  type PendingTurn,
  peekTurn,
  type TurnClaimant,
  type TurnDelay,
  type TurnEnd,
  type TurnTry,
  takeOverTurn,
} from '../../db/queries/scenario-run/turn.ts'
import { monthOf } from '../../domain/lib/month.ts'
import { quietHoursEnd } from '../../domain/message/quiet-hours.ts'
import { notApproved } from '../../domain/rights/approval.ts'
import { chooseWay, type TurnChoice, type TurnSituation } from '../../domain/scenario/choose-way.ts'
import { countTurn } from '../../metrics/sending.ts'
import type { Services } from '../../services/context.ts'
import { isAnsweredFor } from '../../services/scenario-runs/clear-turn.ts'
import { compileTurn } from '../../services/scenario-runs/compile-turn.ts'

/** One attempt at a turn: for whom it is made, and by whom. Decided and claimed here, made and settled in send-turn.ts. */
export type TurnAttempt = { services: Services; turn: PendingTurn; claimant: TurnClaimant }

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

/** What an attempt comes to under the lock of its turn; written once, by `write`. */
type TurnDecision =
  | ({ do: 'end' } & TurnEnd)
  | ({ do: 'wait' } & TurnDelay)
  | { do: 'try'; claimed: ClaimedTurn }

/** For how long the provider or the quota may hold back a turn, unless its scenario says otherwise (s): a day. */
const lateSeconds = 86_400
/** A turn that finds no quota looks again after a minute, then each time after twice as long, within these (ms). */
const quotaWaitMs = { first: 60_000, longest: 3_600_000 }

/**
 * Decides how a turn is tried now and stores the try before it is made: channel, address, content, and what it is paid
 * with. Null if there is nothing to try: it waits, has ended, or another worker tries it.
 */
export async function claim(attempt: TurnAttempt): Promise<ClaimedTurn | null> {
  return (attempt.turn.answersPerson && (await claimFree(attempt))) || claimLocked(attempt)
}

/** The first try of a turn that a free reply carries: it pays nothing, and needs no transaction. Null: it is none. */
async function claimFree({ services, turn, claimant }: TurnAttempt): Promise<ClaimedTurn | null> {
  const read = isAnsweredFor(turn) && (await peekTurn(services.db, turn, claimant))
  if (!read || read.tries > 0) return null
  const open = openChannels(services, turn, read)
  const choice = chooseWay(situationOf(turn, read, open))
  if (choice.do !== 'try' || choice.by !== 'reply') return null
  const compiled = compileTurn(services, turn, choice.channel)
  if (isUndeliverable(compiled)) return null
  const claimed = newTry({ turn, locked: read, open, ...choice }, compiled, null)
  return (await claimReply(services.db, turn, claimant, claimed)) ? claimed : null
}

/** Decides under the lock of the turn. */
async function claimLocked(attempt: TurnAttempt): Promise<ClaimedTurn | null> {
  const { services, turn, claimant } = attempt
  const decided = await services.db.transaction().execute(async (trx) => {
    const locked = await lockTurn(trx, turn, claimant)
    if (!locked) return null
    if (locked.tries > 0) await takeOverTurn(trx, turn, claimant)
    const decision = await decide(trx, attempt, locked)
    await write(trx, attempt, decision)
    return { by: locked.by, decision }
  })
  if (!decided) return null
  const { by, decision } = decided
  if (decision.do === 'end') countTurn(turn, by, decision.state)
  return decision.do === 'try' ? decision.claimed : null
}

async function write(trx: Trx, { turn, claimant }: TurnAttempt, decision: TurnDecision): Promise<void> {
  switch (decision.do) {
    case 'end':
      await endTurn(trx, turn, claimant, decision)
      return
    case 'wait':
      await deferTurn(trx, turn, claimant, decision)
      return
    case 'try':
      await claimTurn(trx, turn, claimant, decision.claimed)
  }
}

/** A turn that would be pushed is judged once more by what its person has started today, and pays for its try. */
async function decide(trx: Trx, { services, turn }: TurnAttempt, locked: LockedTurn): Promise<TurnDecision> {
  if (!isAnsweredFor(turn))
    return { do: 'end', state: locked.unclear ? 'unknown' : 'failed', reason: notApproved }
  const open = openChannels(services, turn, locked)
  const choice = await choose(trx, turn, locked, open)
  switch (choice.do) {
    case 'end':
      return choice
    case 'wait':
      return { do: 'wait', afterMs: choice.ms ?? 0, problem: choice.problem, unclear: false }
    case 'repeat':
      return { do: 'try', claimed: repeated(locked) }
    case 'try':
      return begin(trx, { services, turn, locked, open, ...choice })
  }
}

async function choose(
  trx: Trx,
  turn: PendingTurn,
  locked: LockedTurn,
  channels: Channel[],
): Promise<TurnChoice> {
  const situation = situationOf(turn, locked, channels)
  const choice = chooseWay(situation)
  if (choice.do !== 'try' || choice.by !== 'push' || !locked.startedByPerson) return choice
  if (await hasPushesLeft(trx, turn, limits.startedPushesPerPersonDay)) return choice
  return chooseWay({ ...situation, pushesSpent: true })
}

/** The channels of the plan that have not refused it, and that this installation and its content have. */
function openChannels(services: Services, turn: PendingTurn, { refused }: LockedTurn): Channel[] {
  return turn.category.plan.channels.filter(
    (channel) => !refused.includes(channel) && services.channels[channel] !== undefined,
  )
}

function situationOf(turn: PendingTurn, locked: LockedTurn, channels: Channel[]): TurnSituation {
  const { scenarioState, ending, over, heldMs, verdicts, token, unclear, by, tries, triedMs, usedToken } =
    locked
  const { channel, address, addresses } = locked
  const now = locked.now.getTime()
  const quietEnd = locked.quiet && quietHoursEnd(locked.quiet, now)
  const rests = allChannels.flatMap((channel) => {
    const until = locked.rests[channel]
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
            moved: channel !== null && address !== addresses[channel],
          }
        : null,
  }
}

/** The same once more. */
function repeated(locked: LockedTurn): ClaimedTurn {
  const { channel, address, compiled, by, retryKey, usedToken, tries, triedMs } = locked
  return {
    channel: channel!,
    address: address!,
    compiled,
    by: by!,
    retryKey: retryKey!,
    replyEventId: null,
    paid: null,
    token: usedToken?.token ?? null,
    unclear: true,
    tries,
    failingMs: triedMs ?? 0,
    another: false,
  }
}

type NewTry = {
  services: Services
  turn: PendingTurn
  locked: LockedTurn
  open: Channel[]
  channel: Channel
  by: TurnTry['by']
}

/** A new try, which is paid for unless it is a reply; it waits where there is no quota. */
async function begin(trx: Trx, { services, turn, locked, open, channel, by }: NewTry): Promise<TurnDecision> {
  const { token, now } = locked
  const compiled = compileTurn(services, turn, channel)
  if (isUndeliverable(compiled))
    return hasAnother(open, locked, channel)
      ? { do: 'wait', afterMs: 0, problem: null, unclear: false, refused: channel }
      : { do: 'end', state: 'failed', reason: compiled.reason }
  const month = monthOf(now, services.quotaTimeZone)
  const reply = by === 'reply' ? token! : null
  // Locks rows of the ledger: nothing else is locked after it.
  const halves = reply ? null : await payTurn(trx, { unitId: turn.unitId, channel, month })
  if (!reply && halves === null) {
    const afterMs = Math.min(quotaWaitMs.longest, quotaWaitMs.first + locked.heldMs)
    return { do: 'wait', afterMs, problem: 'quota', unclear: false }
  }
  return {
    do: 'try',
    claimed: newTry({ turn, locked, open, channel, by }, compiled, halves && { halves, month }),
  }
}

/** A try that uses the token of the person's event if it is a reply, and else what was paid. */
function newTry(
  { locked, open, channel, by }: Omit<NewTry, 'services'>,
  compiled: unknown,
  paid: TurnTry['paid'],
): ClaimedTurn {
  const { addresses, token, tries, triedMs } = locked
  const reply = by === 'reply' ? token! : null
  return {
    channel,
    address: addresses[channel]!,
    compiled,
    by,
    retryKey: randomUUID(),
    replyEventId: reply?.eventId ?? null,
    paid,
    token: reply?.token ?? null,
    unclear: false,
    tries,
    failingMs: triedMs ?? 0,
    another: hasAnother(open, locked, channel),
  }
}

/** Whether another channel of the plan may still carry it. */
function hasAnother(open: Channel[], { verdicts }: LockedTurn, channel: Channel): boolean {
  return open.some((one) => one !== channel && verdicts[one] === null)
}
