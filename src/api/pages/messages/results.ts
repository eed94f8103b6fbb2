import { html, type Markup } from '../../../channels/email/markup.ts'
import { channelFacts } from '../../../channels/facts/by-channel.ts'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { localise } from '../../../domain/content/localise.ts'
import { optionsOf } from '../../../domain/content/options.ts'
import { channelEntries } from '../../../domain/lib/channel-entries.ts'
import type { MessageView } from '../../../services/approvals/messages.ts'
import { numberOf } from '../approvals/format.ts'
import { approvalWords } from '../approvals/words.ts'
import { hasBegun } from './acts.ts'
import { messageWords } from './words.ts'

/**
 * How many people chose each option, as bars with their numbers, from five people on: of fewer, a number says who they are
 * (docs/design/audiences.md). Empty where nothing can be answered.
 */
export function answersSection(locale: Locale, { detail }: MessageView): Markup {
  const options = optionsOf(detail.content?.messages ?? [])
  const begun = detail.stats !== undefined && hasBegun(detail.stats)
  if (detail.answers === null || options.length === 0 || !begun) return html``
  const { sections, fewAnswers, answerPeople } = messageWords[locale]
  const counted = options.map((option) => ({ ...option, n: detail.answers![option.id] ?? 0 }))
  const total = counted.reduce((sum, { n }) => sum + n, 0)
  if (total < limits.smallestAudience) return html`<h2>${sections.answers}</h2>\n<p>${fewAnswers}</p>\n`
  const rows = counted.map(({ label, n }) => {
    const share = n / total
    const text = answerPeople(numberOf(locale, n), share.toLocaleString(locale, { style: 'percent' }))
    return html`<tr><th scope="row">${localise(locale, label)}</th><td><meter max="${total}" value="${n}">${text}</meter></td><td class="whole">${text}</td></tr>\n`
  })
  return html`<h2>${sections.answers}</h2>\n<table class="bars"><tbody>\n${rows}</tbody></table>\n`
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
  const { colon } = approvalWords[locale]
  return channelEntries(detail.stats?.byChannel ?? {}).flatMap(([channel, { skipped, failed, unknown }]) => {
    const name = channelFacts[channel].names[locale].inSummary
    const reasons = Object.entries(skipped).map(([reason, n]) => [skippedBy[reason] ?? reason, n] as const)
    return [...reasons, [counts.failed, failed] as const, [counts.unknown, unknown] as const]
      .filter(([, n]) => n > 0)
      .map(([what, n]) => `${name}${colon}${what} ${numberOf(locale, n)}`)
  })
}
