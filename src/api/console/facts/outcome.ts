import type { Locale } from '../../../contract/enums.ts'
import { blamesOf, missesMost, type Shortfall } from '../../../domain/message/shortfall.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { Outcome } from '../../../services/approvals/kind.ts'
import type { ScenarioView } from '../../../services/approvals/scenarios.ts'
import { type BoxKind, box } from '../kit/box.ts'
import { dateOf, numberOf, timeOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import { actorName } from './actor-name.ts'
import type { ApprovalView } from './facts.ts'
import { type FactWords, factWords } from './words.ts'

type Decided = Pick<ApprovalView, 'outcome' | 'unit'>

/** Who decided while the reader was reading; null: the content has changed, or nobody is known. */
export function decidedBefore(locale: Locale, { outcome, unit }: Decided): string | null {
  const how = outcome && decisions[outcome.state]
  if (!how || !outcome.by || !outcome.at) return null
  return factWords[locale].decidedBefore[how](
    actorName(locale, outcome.by),
    timeOf(locale, unit.timeZone, outcome.at),
  )
}

/** The colours of outcomes; others are to be known. */
const boxes: Record<string, BoxKind> = {
  approved: 'done',
  in_force: 'done',
  sent: 'done',
  failed: 'wrong',
  rejected: 'wrong',
}

/** What a person has decided, by the states to which that leads, of messages and versions. */
const decisions: Record<string, keyof FactWords['decidedBefore']> = {
  approved: 'approved',
  in_force: 'approved',
  sending: 'approved',
  paused: 'approved',
  sent: 'approved',
  failed: 'approved',
  rejected: 'rejected',
  cancelled: 'cancelled',
  withdrawn: 'withdrawn',
}

/** The decision, and who made it when; empty while it waits. */
export function outcomeLine(locale: Locale, { outcome, unit }: Decided): Markup {
  if (!outcome) return html``
  const words = factWords[locale]
  const { colon } = kitWords[locale]
  const reason = outcome.reason ? html`<p>${words.reason}${colon}${outcome.reason}</p>` : html``
  const text = outcomeText(words, locale, unit.timeZone, outcome)
  return box(locale, boxes[outcome.state] ?? 'note', html`<p>${text}</p>${reason}`)
}

function outcomeText(
  words: FactWords,
  locale: Locale,
  timeZone: string,
  { state, by, at, shortfall }: Outcome,
): string {
  if (shortfall) {
    const { approvedBy } = words.shortfall
    const reached = reachedText(words, locale, shortfall)
    return by && at ? `${reached}${approvedBy(actorName(locale, by), timeOf(locale, timeZone, at))}` : reached
  }
  const what = words.outcome[state] ?? state
  return by && at ? words.outcomeBy(what, actorName(locale, by), dateOf(locale, timeZone, at)) : what
}

/** What became of a large start of a scenario that failed with too many; empty: there is none. */
export function shortStartLine(
  locale: Locale,
  { shortStart, unit }: Pick<ScenarioView, 'shortStart' | 'unit'>,
): Markup {
  if (!shortStart) return html``
  const { shortfall: words } = factWords[locale]
  const { comma } = kitWords[locale]
  const { people, reached, startedAt } = shortStart
  const why = blamesOf(shortStart, { inTalk: true })
    .map((blame) => words.blames[blame])
    .join(comma)
  const [all, failed] = [numberOf(locale, people), numberOf(locale, people - reached)]
  return html`<p class="wrong">${words.talks(timeOf(locale, unit.timeZone, startedAt), all, failed, why)}</p>\n`
}

function reachedText({ shortfall: words }: FactWords, locale: Locale, shortfall: Shortfall): string {
  const { people, reached } = shortfall
  const why = blamesOf(shortfall)
    .map((blame) => words.blames[blame])
    .join(kitWords[locale].comma)
  return missesMost(shortfall)
    ? words.failed(numberOf(locale, reached), why)
    : words.missed(numberOf(locale, people), numberOf(locale, people - reached), why)
}
