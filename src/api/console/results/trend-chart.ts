import type { Locale } from '../../../contract/enums.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { numberOf } from '../kit/format.ts'

/** A day of a curve; null: it is not known, and drawn as a gap. */
export type Point = { date: string; value: number | null }

/** In units of the drawing, which is as wide as its frame. */
const [width, height, top, bottom] = [720, 132, 18, 20]

/** The bars of one count, day by day, with the highest value and the first and last day beside them. */
export function trendChart(locale: Locale, title: string, points: readonly Point[]): Markup {
  const most = Math.max(0, ...points.map(({ value }) => value ?? 0))
  const step = width / Math.max(1, points.length)
  const room = height - top - bottom
  const bars = points.map(({ date, value }, index) => {
    if (value === null) return html``
    const tall = most === 0 ? 0 : (value / most) * room
    const [x, y] = [(index * step + step * 0.1).toFixed(1), (top + room - tall).toFixed(1)]
    const size = html`width="${(step * 0.8).toFixed(1)}" height="${tall.toFixed(1)}"`
    const about = html`<title>${dayOf(locale, date)} · ${numberOf(locale, value)}</title>`
    return html`<rect class="bar" x="${x}" y="${y}" ${size}>${about}</rect>`
  })
  const [first, last] = [points[0], points.at(-1)]
  const total = points.reduce((sum, { value }) => sum + (value ?? 0), 0)
  return html`<figure class="trend"><figcaption>${title} <strong>${numberOf(locale, total)}</strong></figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<line class="base" x1="0" x2="${width}" y1="${height - bottom}" y2="${height - bottom}"/>
<text x="0" y="12">${numberOf(locale, most)}</text>
${bars}
<text x="0" y="${height - 4}">${first ? dayOf(locale, first.date) : ''}</text>
<text x="${width}" y="${height - 4}" text-anchor="end">${last ? dayOf(locale, last.date) : ''}</text>
</svg></figure>\n`
}

/** A date without its year. */
export function dayOf(locale: Locale, date: string): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${date}T00:00:00Z`))
}
