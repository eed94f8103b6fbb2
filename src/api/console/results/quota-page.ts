import { channelFacts } from '../../../channels/facts/by-channel.ts'
import type { Locale } from '../../../contract/enums.ts'
import type { UnitQuota } from '../../../contract/identity/unit-quota.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { available, forecastOf } from '../../../domain/message/quota.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { monthOf, numberOf, shortDateOf } from '../kit/format.ts'
import { head, scrollingTable } from '../kit/list-frame.ts'
import type { Page } from '../kit/page.ts'
import { unitField } from '../kit/unit-in.ts'
import { kitWords } from '../kit/words.ts'
import { resultsWords } from './words.ts'

type ChannelQuota = UnitQuota['channels'][number]

/** `months`: those to choose from, yyyy-mm; `today`: in the time zone of quota, yyyy-mm-dd. */
type QuotaPageProps = { quota: UnitQuota; months: readonly string[]; today: string }

/** What is left of a unit's quota in a month, what reserves it, and what the month comes to. */
export function quotaPage(locale: Locale, unit: Unit, { quota, months, today }: QuotaPageProps): Page {
  const words = resultsWords[locale].quota
  const body = [
    html`<form class="filters">${unitField(unit)}<label>${words.month}<select name="month">${months.map(
      (month) =>
        html`<option value="${month}"${month === quota.month ? html` selected` : html``}>${monthName(locale, month)}</option>`,
    )}</select></label><button class="mild">${words.show}</button></form>\n`,
    html`${quota.channels.map((of) => channelSection(locale, unit, of, forecastOf(of.unit, quota.month, today)))}`,
    html`<p class="quiet">${words.poolText}</p>\n`,
  ]
  return {
    lang: kitWords[locale].lang,
    from: shownName(locale, unit),
    title: words.title,
    body,
    width: 'wide',
  }
}

function monthName(locale: Locale, month: string): string {
  return monthOf(locale, 'UTC', `${month}-15T00:00:00Z`)
}

function channelSection(
  locale: Locale,
  unit: Unit,
  { channel, unit: own, pool, threshold, holds }: ChannelQuota,
  forecast: number | null,
): Markup {
  const words = resultsWords[locale].quota
  const number = (n: number) => numberOf(locale, n)
  const tone = { ok: 'good', warning: 'look', exhausted: 'stop' }[threshold]
  const spent = own.committed + own.reserved
  const cells = (
    [
      [words.left, available(own)],
      [words.used, own.committed],
      [words.reserved, own.reserved],
      [words.limit, own.limit],
      [words.pool, available(pool)],
    ] as const
  ).map(([what, n]) => html`<div><dt>${what}</dt><dd>${number(n)}</dd></div>`)
  const beyond =
    forecast !== null && forecast > own.limit ? html` <span class="tag look">${words.beyond}</span>` : html``
  const forecastLine =
    forecast === null ? html`` : html`<p>${words.forecast(number(forecast))}${beyond}</p>\n`
  return html`<h2>${channelFacts[channel].names[locale].inSummary} <span class="tag ${tone}">${words.thresholds[threshold]}</span></h2>
<p><meter max="${Math.max(1, own.limit)}" value="${Math.min(spent, own.limit)}" aria-label="${words.used}">${number(spent)}</meter></p>
<dl class="numbers">${cells}</dl>
${forecastLine}<h3>${words.holds}</h3>
${holds.length === 0 ? html`<p>${words.noHolds}</p>\n` : holdTable(locale, unit, holds)}`
}

function holdTable(locale: Locale, { timeZone }: Unit, holds: ChannelQuota['holds']): Markup {
  const words = resultsWords[locale].quota
  const [message, when, pushes] = words.holdColumns
  const rows = holds.map(({ messageId, title, wave, sendAt, pushes }) => {
    const kind = wave === 'reminder' ? html` <span class="tag">${words.reminder}</span>` : html``
    const at = sendAt === null ? words.soon : shortDateOf(locale, timeZone, sendAt)
    return html`<tr>${[
      html`<th scope="row"><a href="/messages/${messageId}">${localise(locale, title)}</a>${kind}</th>`,
      html`<td class="whole">${at}</td>`,
      html`<td class="number">${numberOf(locale, pushes)}</td>`,
    ]}</tr>\n`
  })
  return scrollingTable(words.holds, [head(message), head(when), head(pushes, true)], rows)
}
