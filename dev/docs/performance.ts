import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Result } from '../../bench/result.ts'
import { palette } from '../../src/channels/palette.ts'
import { html, textOf } from '../../src/html/markup.ts'

/** The newest full result of a bench that was written to `bench/results`, and the day on which it was measured. */
export type Newest = { result: Result; day: string }

type ResultFile = { small: boolean; temporalStore?: 'sqlite' | 'postgres'; results: Result[] }

const folder = resolve(import.meta.dirname, '../../bench/results')

/** The benches of the page, in its order, and what they measure. Those beside another unit have a page of their own. */
const benches: Record<string, string> = {
  B1: 'mail of a wave',
  B1L: 'mail, beside listmonk',
  B2: 'chat wave',
  B3: 'create a message',
  B4: 'event, to its run',
  B5: 'event, drained to sent',
  B6: 'approve, to the provider',
  B7: 'dry run of a wave',
  B8: 'messages due at once',
  B9: 'lists of a large unit',
  B11: 'pages of a large unit',
  S1: 'answer, to the next turn',
  S2: 'runs after a lost store',
}

/** The newest full results by bench, with Temporal's store of `npm start`. */
export function newestResults(): Map<string, Newest> {
  const newest = new Map<string, Newest>()
  for (const name of readdirSync(folder).sort()) {
    const file = JSON.parse(readFileSync(resolve(folder, name), 'utf8')) as ResultFile
    const { small, temporalStore = 'sqlite', results } = file
    if (small || temporalStore !== 'sqlite') continue
    for (const result of results) newest.set(result.name, { result, day: name.slice(0, 10) })
  }
  return newest
}

const [begin, end] = ['<!-- results -->', '<!-- /results -->']

/** The page with its table of results. */
export function withResults(page: string, newest: Map<string, Newest>): string {
  const [before, rest] = page.split(begin)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined)
    throw new Error(`docs/performance.md lacks ${begin} … ${end}.`)
  return `${before}${begin}\n\n${tableOf(newest)}\n\n${end}${after}`
}

function tableOf(newest: Map<string, Newest>): string {
  const rows = latestRows(newest).map(({ name, what, result, day }) => {
    const { unit, bar, spread } = result
    const { median, min, max } = spread.ratio
    const ratio = `**${two(median)}** (${two(min)} to ${two(max)})`
    const held = result.held ? 'held' : 'not held'
    const figures = `${figure(result.figure)} ${unit} | ${figure(result.floor)} ${unit}`
    return `| ${name} | ${what} | ${figures} | ${ratio} | ${unit === 's' ? '≤' : '≥'} ${bar}: ${held} | ${day} |`
  })
  const head = [
    '| | | Carillon | floor | ratio | bar | measured |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ]
  return [...head, ...rows].join('\n')
}

function latestRows(newest: Map<string, Newest>) {
  return Object.entries(benches).flatMap(([name, what]) => {
    const latest = newest.get(name)
    return latest ? [{ name, what, ...latest }] : []
  })
}

const two = (value: number) => value.toFixed(2)
const figure = (value: number) =>
  value.toLocaleString('en', value < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 })

const row = { height: 30, label: 215, width: 430, top: 34 }

/**
 * A bar for each bench: the speed of Carillon as a share of the floor's, with the least and the most of the rounds and a
 * mark at the bar.
 */
export function chartOf(newest: Map<string, Newest>): string {
  const rows = latestRows(newest).map(({ name, what, result }) => ({ name, what, ...sharesOf(result) }))
  const most = Math.max(1.2, ...rows.map(({ max, bar }) => Math.max(max, bar)))
  const x = (share: number) => Math.round((row.label + (share / most) * row.width) * 10) / 10
  const bottom = row.top + rows.length * row.height
  const drawn = rows.map((one, n) => {
    const middle = row.top + n * row.height + row.height / 2
    return html`
  <text x="${row.label - 10}" y="${middle + 4}" text-anchor="end">${one.what} (${one.name})</text>
  <rect class="bar" x="${row.label}" y="${middle - 8}" width="${Math.round(x(one.median) - row.label)}" height="16"/>
  <line class="spread" x1="${x(one.min)}" y1="${middle}" x2="${x(one.max)}" y2="${middle}"/>
  <line class="mark" x1="${x(one.bar)}" y1="${middle - 12}" x2="${x(one.bar)}" y2="${middle + 12}"/>
  <text x="${x(Math.max(one.max, one.median, one.bar)) + 8}" y="${middle + 4}">${two(one.median)}</text>`
  })
  return textOf(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${row.label + row.width + 60} ${bottom + 12}" role="img"
  aria-label="The speed of Carillon as a share of the floor's, by bench">
  <style>
    text { font: 13px system-ui, sans-serif; fill: ${palette.light.ink} }
    .bar { fill: ${palette.light.edge} }
    .spread { stroke: ${palette.light.ink}; stroke-width: 2 }
    .mark { stroke: ${palette.light.accent}; stroke-width: 3 }
    .floor { stroke: ${palette.light.quiet}; stroke-dasharray: 3 3 }
    @media (prefers-color-scheme: dark) {
      text { fill: ${palette.dark.ink} }
      .bar { fill: ${palette.dark.edge} }
      .spread { stroke: ${palette.dark.ink} }
      .mark { stroke: ${palette.dark.accent} }
      .floor { stroke: ${palette.dark.quiet} }
    }
  </style>
  <text x="${x(1)}" y="18" text-anchor="middle">the floor</text>
  <line class="floor" x1="${x(1)}" y1="${row.top - 8}" x2="${x(1)}" y2="${bottom}"/>${drawn}
</svg>
`)
}

/** What was measured as shares of the floor's speed: of seconds, less is more. */
function sharesOf({ unit, bar, spread }: Result) {
  const { median, min, max } = spread.ratio
  if (unit === '/s') return { median, min, max, bar }
  return { median: 1 / median, min: 1 / max, max: 1 / min, bar: 1 / bar }
}
