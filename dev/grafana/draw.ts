import type { Dashboard, Panel, RowPanel } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus'
import { escapeHtml } from '../../src/html/markup.ts'

/** One line of an answer of Prometheus: its labels, and its values by time (s since the epoch). NaN: no value. */
export type Series = { metric: Record<string, string>; values: [at: number, value: number][] }

/** The answers to the queries of a dashboard, by query. */
export type Answers = ReadonlyMap<string, Series[]>

/** Pixels of one unit of the grid, and the space around a panel. */
const grid = { width: 42, height: 26, gap: 6 }
/** The lines of text above the plot of a panel, and of its legend below (px). */
const room = { title: 22, line: 13, axis: 46 }
/** Lines of the legend; further series are counted. */
const legendLines = 4
const colours = ['#3274d9', '#56a64b', '#e0b400', '#e02f44', '#8f3bb8', '#ff780a', '#19747e', '#7c2ea3']

type Line = { legend: string; values: Series['values'] }
type Box = { x: number; y: number; width: number; height: number }

/**
 * Draws a dashboard from the answers of a Prometheus, as SVG: the panels in their places, with real values. For the docs,
 * where it stands for what Grafana shows.
 */
export function drawDashboard({ title, panels = [] }: Dashboard, answers: Answers): string {
  const bottom = Math.max(...panels.map(({ gridPos }) => gridPos!.y + gridPos!.h))
  const [width, height] = [24 * grid.width, bottom * grid.height + 40]
  const note = `${title}. Drawn from the answers of a Prometheus in Carillon's tests; Grafana shows the same panels in its own way.`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<title>${escapeHtml(title ?? '')}</title>`,
    `<rect width="${width}" height="${height}" fill="#f4f5f5"/>`,
    write(note, { x: grid.gap, y: 22 }, 'font-size="13" fill="#52545c"'),
    `<g transform="translate(0 34)">`,
    ...panels.map((panel) => (panel.type === 'row' ? drawRow(panel) : drawPanel(panel as Panel, answers))),
    '</g></svg>\n',
  ].join('\n')
}

function drawRow({ title, gridPos }: Panel | RowPanel): string {
  const at = { x: grid.gap, y: gridPos!.y * grid.height + 18 }
  return write(title ?? '', at, 'font-size="13" font-weight="bold" fill="#24292e"')
}

function drawPanel(panel: Panel, answers: Answers): string {
  const { x, y, w, h } = panel.gridPos!
  const box: Box = {
    x: x * grid.width + grid.gap / 2,
    y: y * grid.height + grid.gap / 2,
    width: w * grid.width - grid.gap,
    height: h * grid.height - grid.gap,
  }
  const series = (panel.targets as Dataquery[]).flatMap(({ expr, legendFormat }) =>
    (answers.get(expr) ?? []).map(({ metric, values }) => ({ legend: named(legendFormat!, metric), values })),
  )
  const unit = panel.fieldConfig?.defaults.unit ?? ''
  return [
    `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="2" fill="#fff" stroke="#dcdee3"/>`,
    write(panel.title!, { x: box.x + 8, y: box.y + 15 }, 'font-weight="bold" fill="#24292e"'),
    panel.type === 'stat' ? drawFigure(series, unit, box) : drawLines(series, unit, box),
  ].join('\n')
}

function named(legend: string, labels: Record<string, string>): string {
  return legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? '')
}

function drawFigure([line]: Line[], unit: string, { x, y, width, height }: Box): string {
  const value = line?.values.at(-1)?.[1] ?? Number.NaN
  const at = { x: x + width / 2, y: y + height / 2 + 16 }
  return write(inUnit(value, unit), at, 'font-size="26" text-anchor="middle" fill="#37872d"')
}

function drawLines(series: Line[], unit: string, { x, y, width, height }: Box): string {
  const plot = {
    x: x + room.axis,
    y: y + room.title + 4,
    width: width - room.axis - 10,
    height: height - room.title - 24 - legendLines * room.line,
  }
  const all = series.flatMap(({ values }) => values)
  const top = Math.max(...all.map(([, value]) => (Number.isFinite(value) ? value : 0)), 0) || 1
  const [begin, end] = [Math.min(...all.map(([at]) => at)), Math.max(...all.map(([at]) => at))]
  const xOf = (at: number) => plot.x + ((at - begin) / Math.max(1, end - begin)) * plot.width
  const yOf = (value: number) => plot.y + (1 - value / top) * plot.height
  const axis = [0, top].map((value) => [
    `<path d="M${plot.x} ${round(yOf(value))}h${plot.width}" stroke="#e9ebee"/>`,
    write(inUnit(value, unit), { x: plot.x - 5, y: yOf(value) + 4 }, 'text-anchor="end" fill="#6e7079"'),
  ])
  // The legend begins with what matters most: the highest line, which is drawn on top.
  const lines = series.toSorted((one, other) => peak(other) - peak(one))
  const paths = lines.map(({ values }, n) => {
    const path = pathOf(values, xOf, yOf)
    return path === '' ? '' : `<path d="${path}" fill="none" stroke="${colours[n % colours.length]}"/>`
  })
  return [...axis.flat(), ...paths.toReversed(), drawLegend(lines, { x: x + 8, y: y + height })].join('\n')
}

function peak({ values }: Line): number {
  return Math.max(...values.map(([, value]) => (Number.isFinite(value) ? value : 0)), 0)
}

/** One path for all values; it begins anew after a gap. */
function pathOf(
  values: Series['values'],
  xOf: (at: number) => number,
  yOf: (value: number) => number,
): string {
  let pen = 'M'
  return values
    .map(([at, value]) => {
      if (!Number.isFinite(value)) {
        pen = 'M'
        return ''
      }
      const step = `${pen}${round(xOf(at))} ${round(yOf(value))}`
      pen = 'L'
      return step
    })
    .join('')
}

function drawLegend(lines: Line[], { x, y }: { x: number; y: number }): string {
  const visibleLines = lines.length > legendLines ? lines.slice(0, legendLines - 1) : lines
  const entries = visibleLines.map(({ legend }, n) => {
    const at = y - 8 - (legendLines - 1 - n) * room.line
    return `<rect x="${x}" y="${at - 5}" width="10" height="3" fill="${colours[n % colours.length]}"/>${write(legend, { x: x + 15, y: at }, 'fill="#52545c"')}`
  })
  const more = lines.length - visibleLines.length
  const rest = more > 0 ? [write(`and ${more} more`, { x: x + 15, y: y - 8 }, 'fill="#6e7079"')] : []
  return [...entries, ...rest].join('\n')
}

function write(text: string, { x, y }: { x: number; y: number }, attributes: string): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escapeHtml(text)}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** A value as Grafana writes it, in the units that the dashboards use. */
function inUnit(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–'
  if (unit === 'bytes') return `${Math.round(value / 2 ** 20)} MiB`
  if (unit === 's') return value > 0 && value < 1 ? `${Math.round(value * 1_000)} ms` : `${round(value)} s`
  if (unit === 'percentunit') return `${brief(value * 100)} %`
  const count = brief(value)
  return unit === 'cps' || unit === 'reqps' ? `${count}/s` : count
}

function brief(value: number): string {
  return value > 0 && value < 1 ? String(Number(value.toPrecision(1))) : String(round(value))
}
