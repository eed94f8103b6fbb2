import { keysOf, type Locale, stages } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { ExecutiveMetrics } from '../../../contract/metrics/executive.ts'
import type { Trend } from '../../../contract/metrics/trend.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { numberOf } from '../kit/format.ts'
import { head, scrollingTable } from '../kit/list-frame.ts'
import type { Page } from '../kit/page.ts'
import { unitField } from '../kit/unit-in.ts'
import { kitWords } from '../kit/words.ts'
import { dayOf, trendChart } from './trend-chart.ts'
import { resultsWords } from './words.ts'

/** A unit's last days. `names`: of the patterns and messages in the numbers, by id. */
export type Results = {
  unit: Unit
  days: number
  metrics: ExecutiveMetrics
  trend: Trend
  names: ReadonlyMap<string, string>
}

/** Periods to choose from, in days. */
const periods = [7, 30, 90, limits.metricsDays]

/** What became of a unit's messages, people before deliveries; no share without the number it is of. */
export function resultsPage(locale: Locale, results: Results): Page {
  const { unit, days, metrics } = results
  const words = resultsWords[locale].results
  const body = [
    html`<form class="filters">${unitField(unit)}<label>${words.days}<select name="days">${periods.map(
      (n) =>
        html`<option value="${n}"${n === days ? html` selected` : html``}>${words.lastDays(numberOf(locale, n))}</option>`,
    )}</select></label><button class="mild">${words.show}</button></form>\n`,
    html`<p class="quiet">${words.today}</p>\n`,
    tiles(locale, metrics),
    trendSection(locale, results),
    patternTable(locale, results),
    reminderTable(locale, results),
    peopleSection(locale, metrics),
  ]
  return {
    lang: kitWords[locale].lang,
    from: shownName(locale, unit),
    title: words.title,
    body,
    width: 'broad',
  }
}

function tiles(locale: Locale, { reach, unsubscribes, handoffs, conversations }: ExecutiveMetrics): Markup {
  const words = resultsWords[locale].results
  const number = (n: number) => numberOf(locale, n)
  const share = (n: number | null) => (n === null ? words.nobody : percentOf(locale, n))
  const figures: [label: string, value: string, of?: string][] = [
    [words.tiles.people, number(reach.people)],
    [words.tiles.reached, number(reach.reached)],
    [words.tiles.readRate, share(reach.readRate), number(reach.reached)],
    [words.tiles.completed, number(conversations.completed), number(conversations.runs)],
    [words.tiles.handoffs, number(handoffs.toPerson)],
    [words.tiles.unsubscribes, number(unsubscribes.topics + unsubscribes.categories)],
    [words.tiles.blocked, number(reach.blocked), number(reach.people)],
  ]
  const cells = figures.map(
    ([label, value, of]) =>
      html`<div><dt>${label}</dt><dd>${value}</dd>${of === undefined ? html`` : html`<dd class="of">${words.of(of)}</dd>`}</div>`,
  )
  return html`<dl class="numbers">${cells}</dl>\n`
}

function percentOf(locale: Locale, share: number): string {
  return share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 })
}

function trendSection(locale: Locale, { unit, days, metrics, trend: { points } }: Results): Markup {
  const words = resultsWords[locale].results
  // A day has its point once it is over.
  const none = metrics.reach.people > 0 ? words.tomorrow : words.none
  if (points.length === 0) return html`<h2>${words.trend}</h2>\n<p>${none}</p>\n`
  const curves = keysOf(words.curves)
  const charts = curves.map((curve) =>
    trendChart(
      locale,
      words.curves[curve],
      points.map((point) => ({ date: point.date, value: point[curve] })),
    ),
  )
  const heads = [head(words.day), ...curves.map((curve) => head(words.curves[curve], true))]
  const rows = points.map((point) => {
    const cells = curves.map((curve) => html`<td class="number">${numberOf(locale, point[curve])}</td>`)
    return html`<tr><th scope="row" class="whole">${dayOf(locale, point.date)}</th>${cells}</tr>\n`
  })
  return html`<h2>${words.trend}</h2>\n<div class="trends">${charts}</div>
<details><summary>${words.table}</summary>${scrollingTable(words.trend, heads, rows)}</details>
<p><a href="/results.csv?unit=${unit.id}&days=${days}" download>${words.csv}</a></p>\n`
}

function patternTable(locale: Locale, { metrics, names }: Results): Markup {
  const words = resultsWords[locale].results
  const rows = Object.entries(metrics.completion).map(
    ([id, { invited, completed, rate }]) =>
      [
        names.get(id) ?? id,
        numberOf(locale, invited),
        numberOf(locale, completed),
        rate === null ? words.nobody : percentOf(locale, rate),
      ] as const,
  )
  return table(words.patterns, words.patternColumns, rows)
}

function reminderTable(locale: Locale, { metrics, names }: Results): Markup {
  const words = resultsWords[locale].results
  const rows = Object.entries(metrics.reminders).map(
    ([id, { reached, read, doNotRemind, sentAfterReminder }]) =>
      [
        names.get(id) ?? id,
        ...[reached, read, doNotRemind, sentAfterReminder].map((n) => numberOf(locale, n)),
      ] as const,
  )
  return table(words.reminders, words.reminderColumns, rows)
}

/** How people came to be known; behind a colon stands a campaign, as it was given. */
function sourceName(locale: Locale, source: string): string {
  const { sources, fromSystem } = resultsWords[locale].results
  const { colon } = kitWords[locale]
  const [kind = source, ...more] = source.split(':')
  if (kind === 'event') return fromSystem(more.join(':'))
  const named = sources[kind] ?? kind
  return more.length === 0 ? named : `${named}${colon}${more.join(':')}`
}

/** A table whose first column names the row; empty without rows. */
function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): Markup {
  if (rows.length === 0) return html``
  const [name, ...numbers] = columns
  const lines = rows.map(
    ([head, ...cells]) =>
      html`<tr><th scope="row">${head!}</th>${cells.map((cell) => html`<td class="number">${cell}</td>`)}</tr>\n`,
  )
  const heads = [head(name!), ...numbers.map((one) => head(one, true))]
  return html`<h2>${title}</h2>\n${scrollingTable(title, heads, lines)}`
}

function peopleSection(locale: Locale, { funnel, interests, alumni }: ExecutiveMetrics): Markup {
  const words = resultsWords[locale].results
  const { stages: names } = kitWords[locale]
  const funnelRows = Object.entries(funnel).map(
    ([source, counts]) =>
      [sourceName(locale, source), ...stages.map((stage) => numberOf(locale, counts[stage]))] as const,
  )
  const interestRows = Object.entries(interests).map(
    ([tag, n]) =>
      [tag === 'other' ? words.other : tag.replace(/^interest:/, ''), numberOf(locale, n)] as const,
  )
  return html`${table(words.people, ['', ...stages.map((stage) => names[stage])], funnelRows)}<p class="quiet">${words.peopleText}</p>
<p>${words.alumni(numberOf(locale, alumni.active), numberOf(locale, alumni.total))}</p>\n${table(words.interests, ['', ''], interestRows)}`
}
