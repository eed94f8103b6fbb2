import { channelFacts } from '../../../channels/facts/by-channel.ts'
import type { Locale } from '../../../contract/enums.ts'
import { optionsOf } from '../../../domain/content/options.ts'
import { channelEntries } from '../../../domain/lib/channel-entries.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { MessageView } from '../../../services/approvals/messages.ts'
import { answerBars } from '../kit/answer-bars.ts'
import { numberOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import { hasBegun } from './acts.ts'
import { messageWords } from './words.ts'

/** How many people chose each option; empty where nothing can be answered. */
export function answersSection(locale: Locale, { detail }: MessageView): Markup {
  const options = optionsOf(detail.content?.messages ?? [])
  const begun = detail.stats !== undefined && hasBegun(detail.stats)
  if (detail.answers === null || options.length === 0 || !begun) return html``
  const { sections, answerPeople } = messageWords[locale]
  return html`<h2>${sections.answers}</h2>\n${answerBars(locale, options, detail.answers, answerPeople)}`
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
