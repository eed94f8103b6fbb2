import { channelFacts } from '../../channels/facts/by-channel.ts'
import type { Channel, Problem, ScenarioState, TurnWay } from '../../contract/enums.ts'
import { isRepeatable } from '../message/settlement.ts'

/** What decides how a turn is tried at this moment. Durations in ms. */
export type TurnSituation = {
  scenarioState: ScenarioState
  /** Its run is about to end, and this is the last it says. */
  ending: boolean
  /** Its run has ended. */
  over: boolean
  /** For how long the provider or the quota has held it back, and may. */
  heldMs: number
  lateMs: number
  /** The channels of the plan that have not refused it, in order. */
  channels: Channel[]
  /** Why the person may not be written to on a channel; null: they may. */
  verdicts: { [C in Channel]: string | null }
  /** The end of the quiet hours in which it falls, from now. */
  quietForMs: number | null
  /** How long the provider of a channel asked for rest, from now. */
  restsMs: { [C in Channel]?: number }
  /** A token by which the person can be answered for free. */
  token: boolean
  /** Whether the person has got as many pushes today as what they start may cost. */
  pushesSpent: boolean
  /**
   * Of an earlier try that the provider may have taken; null: none. `tokenAgeMs`: of the token it used. `moved`: its
   * address is no longer the person's.
   */
  unclear: { by: TurnWay; tries: number; triedMs: number; tokenAgeMs: number | null; moved: boolean } | null
}

/** How a turn is tried: newly on a channel, once more as it was, later, or not at all. */
export type TurnChoice =
  | { do: 'try'; channel: Channel; by: TurnWay }
  | { do: 'repeat' }
  /** `problem`: that of the provider; null: it waits for a person, or the end of quiet hours. */
  | { do: 'wait'; ms: number | null; problem: Extract<Problem, 'provider'> | null }
  | { do: 'end'; state: 'skipped' | 'failed' | 'unknown'; reason: string }

/** Why a turn is not pushed: its person has started what cost as many pushes in a day as it may. */
export const pushesSpent = 'pushes_spent'

/** A token is taken to work for so long; the provider's minute, less the way there. */
const tokenLifeMs = 50_000
/** A reply whose outcome is unclear is tried once more. */
const repliesMost = 2

/**
 * How a turn is tried. What may have been taken is repeated as it was or stays unknown; otherwise the first channel of
 * the plan on which the person may be written to is tried, by a free reply where there is a token.
 */
export function chooseWay(situation: TurnSituation): TurnChoice {
  const { unclear, scenarioState, ending, over, heldMs, lateMs, channels, verdicts } = situation
  if (unclear) return repeatOrGiveUp(unclear)
  if (over) return { do: 'end', state: 'skipped', reason: 'over' }
  // Held back until the scenario goes on, or its runs are ended.
  if ((scenarioState === 'paused' || scenarioState === 'retired') && !ending)
    return { do: 'wait', ms: null, problem: null }
  if (heldMs >= lateMs) return { do: 'end', state: 'skipped', reason: 'expired' }
  const wayOn = (one: Channel) => channelFacts[one].turnWay(situation.token)
  const verdictOn = (one: Channel) =>
    verdicts[one] ?? (situation.pushesSpent && wayOn(one) === 'push' ? pushesSpent : null)
  const channel = channels.find((one) => verdictOn(one) === null)
  if (channel === undefined) {
    const reason = channels.map(verdictOn).find((why) => why !== null)
    return reason === undefined || reason === null
      ? { do: 'end', state: 'failed', reason: 'refused' }
      : { do: 'end', state: 'skipped', reason }
  }
  if (situation.quietForMs !== null) return { do: 'wait', ms: situation.quietForMs, problem: null }
  const restMs = situation.restsMs[channel]
  if (restMs !== undefined) return { do: 'wait', ms: restMs, problem: 'provider' }
  return { do: 'try', channel, by: wayOn(channel) }
}

function repeatOrGiveUp({
  by,
  tries,
  triedMs,
  tokenAgeMs,
  moved,
}: NonNullable<TurnSituation['unclear']>): TurnChoice {
  switch (by) {
    case 'push':
      if (moved) return unknown('moved')
      return isRepeatable(triedMs) ? { do: 'repeat' } : unknown('too_old')
    case 'reply':
      if (moved) return unknown('moved')
      return tries < repliesMost && tokenAgeMs !== null && tokenAgeMs < tokenLifeMs
        ? { do: 'repeat' }
        : unknown('interrupted')
    case 'mail':
    case 'page':
      return unknown('interrupted')
  }
}

function unknown(reason: string): TurnChoice {
  return { do: 'end', state: 'unknown', reason }
}
