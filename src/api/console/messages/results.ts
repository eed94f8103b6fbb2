import { channelFacts } from '../../../channels/facts/by-channel.ts'
import type { Locale } from '../../../contract/enums.ts'
import type { MessageDetail } from '../../../contract/messages/detail.ts'
import { optionsOf } from '../../../domain/content/options.ts'
import { channelEntries } from '../../../domain/lib/channel-entries.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { MessageView } from '../../../services/approvals/messages.ts'
import { type Members, organisersSection } from '../answers/organisers.ts'
import { answersWords } from '../answers/words.ts'
import { answerBars, shareOf } from '../kit/answer-bars.ts'
import { numberOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import { hasBegun } from './acts.ts'
import { messageWords } from './words.ts'

/**
 * How many of the people to whom it was sent answered, and what; where its reader may know, who did. Empty where nothing can
 * be answered. `reads`: whether the reader may; `members`: to name organisers of, null where the reader may not.
 */
export function answersSection(
  locale: Locale,
  { detail }: MessageView,
  { reads, members }: { reads: boolean; members: Members | null },
): Markup {
  const { answers, answered, organisers } = detail
  const options = optionsOf(detail.content?.messages ?? [])
  const begun = detail.stats !== undefined && hasBegun(detail.stats)
  if (options.length === 0 && organisers.length === 0) return html``
  const heading = html`<h2>${messageWords[locale].sections.answers}</h2>\n`
  if (!begun)
    return html`${detail.state === 'draft' ? html`` : organisersSection(locale, organisers, members)}`
  const { link, forbidden } = answersWords[locale]
  const { all, reached } = askedPeople(detail)
  const people = kitWords[locale].people(numberOf(locale, all))
  const number = (n: number) => numberOf(locale, n)
  const share = shareOf(locale, answered ?? 0, all)
  const line = messageWords[locale].asked(people, number(reached), number(answered ?? 0), share)
  const counts = answered === null ? html`` : html`<p>${line}</p>\n`
  const bars = answers === null ? html`` : answerBars(locale, options, answers, all)
  const list = reads
    ? html`<p><a href="/messages/${detail.id}/answers">${link}</a></p>\n`
    : html`<p class="quiet">${forbidden}</p>\n`
  return html`${heading}${counts}${bars}${list}${organisersSection(locale, organisers, members)}`
}

/** To how many people it was sent, and how many of them it reached. Before that is counted, as many as were to be. */
function askedPeople({ stats, recipients }: MessageDetail): { all: number; reached: number } {
  if (!stats?.people) return { all: recipients?.total ?? 0, reached: 0 }
  const { reached, unknown, failed, pending } = stats.people
  return { all: reached + unknown + failed + pending, reached }
}

/** Clicks on the tracked links, by the number of the link; empty where none is tracked. */
export function clicksSection(locale: Locale, { detail }: MessageView): Markup {
  const clicks = Object.entries(detail.clicks ?? {})
  if (clicks.length === 0) return html``
  const { sections, clickLine } = messageWords[locale]
  const rows = clicks.map(
    ([place, { total, people }]) =>
      html`<tr><th scope="row">${place}</th><td>${clickLine(numberOf(locale, total), numberOf(locale, people))}</td></tr>\n`,
  )
  return html`<h2>${sections.clicks}</h2>\n<table><tbody>\n${rows}</tbody></table>\n`
}

/** Deliveries that reached nobody, by channel and reason. */
export function missedLines(locale: Locale, { detail }: MessageView): string[] {
  const { skippedBy, counts } = messageWords[locale]
  const { colon } = kitWords[locale]
  return channelEntries(detail.stats?.byChannel ?? {}).flatMap(([channel, { skipped, failed, unknown }]) => {
    const name = channelFacts[channel].names[locale].inSummary
    const reasons = Object.entries(skipped).map(([reason, n]) => [skippedBy[reason] ?? reason, n] as const)
    return [...reasons, [counts.failed, failed] as const, [counts.unknown, unknown] as const]
      .filter(([, n]) => n > 0)
      .map(([what, n]) => `${name}${colon}${what} ${numberOf(locale, n)}`)
  })
}
