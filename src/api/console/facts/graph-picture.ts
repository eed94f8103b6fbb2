import type { Graph, ScenarioNode } from '../../../contract/scenarios/graph.ts'
import { leadsTo } from '../../../domain/scenario/edges.ts'
import { type GraphLayout, type GraphSizes, type Point, rounded } from '../../../domain/scenario/layout.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { numberOf } from '../kit/format.ts'
import { firstWords, type Reading, waysFrom } from './scenario-lines.ts'
import { scenarioWords } from './scenario-words.ts'
import { emsOf, wrapped } from './wrapped-lines.ts'

/** Sizes in px. A line of text is as wide as so many times the size of a Chinese character. */
const fontSize = 13
const lineHeight = 19
const box = { width: 184, padding: 10, lines: 2 }
const widthInEms = (box.width - 2 * box.padding) / fontSize
const label = { ems: 13, padding: 4, lines: 4 }

/** The most layers that all arrows together may cross: the layout takes time for each, and the API waits for it. */
const largestSpan = 600

/**
 * An edge that crosses more layers than this, to a node that a nearer one leads to, is no arrow but a line in its box:
 * otherwise the time-outs of many questions, which all lead to the end, push everything else apart.
 */
const longestArrow = 4

type Sized = { width: number; height: number; lines: string[] }
type Box = Sized & { node: ScenarioNode }
type Arrow = Sized & { from: number; to: number }

/** What is in the picture of a graph, with the sizes by which it is laid out. */
type MeasuredGraph = { boxes: Box[]; arrows: Arrow[] }

/**
 * The graph of a scenario as a picture: an inline SVG from top to bottom, with real text and the colours of the page.
 * Nodes are boxes with their number, kind and first words; edges have the words of their cases. The numbers are those of
 * the list below the picture, which says the same for readers who cannot see it. A graph that is too large for a picture
 * has a sentence instead. An edge to a node far below is a line in the box that it leaves. `layoutOf` lays it out.
 */
export async function graphPicture(
  reading: Reading,
  graph: Graph,
  layoutOf: (sizes: GraphSizes) => GraphLayout | Promise<GraphLayout>,
): Promise<Markup> {
  const { picture, kinds } = scenarioWords[reading.locale]
  const measured = measuredGraph(reading, graph)
  if (measured === null) return html`<p>${picture.tooLarge}</p>\n`
  const { boxes, arrows } = measured
  const layout = await layoutOf({
    boxes: boxes.map(({ width, height }) => ({ width, height })),
    arrows: arrows.map(({ from, to, width, height }) => ({ from, to, width, height })),
  })
  const { width, height } = layout
  const about = picture.about(numberOf(reading.locale, graph.nodes.length), kinds[graph.nodes[0]!.kind])
  // A wide picture is scrolled to its start: an empty one above it is as wide as the start is far.
  const start = rounded(Math.max(0, layout.boxes[0]!.x - box.width / 2 - box.padding))
  const size = html`width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const tipPath = html`<path class="tip" d="M0 0L8 4L0 8Z"/>`
  const tip = html`<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">${tipPath}</marker>`
  const ways = layout.arrows.map(
    ({ points }) => html`<path class="way" d="${curve(points)}" marker-end="url(#tip)"/>\n`,
  )
  const labels = arrows.map((arrow, at) => labelOf(arrow, layout.arrows[at]!))
  const drawn = boxes.map((one, at) => boxOf(one, layout.boxes[at]!))
  return html`<div class="graph" role="region" aria-label="${picture.title}" tabindex="0">
<p class="begin"><svg width="${start}" height="1" aria-hidden="true"></svg><span></span></p>
<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="graph-title graph-about" ${size}>
<title id="graph-title">${picture.title}</title><desc id="graph-about">${about}</desc>
<defs>${tip}</defs>
${ways}${labels}${drawn}</svg>
</div>\n`
}

/** The sizes of a picture; null: there is too much to draw. */
function measuredGraph(reading: Reading, graph: Graph): MeasuredGraph | null {
  const edges = edgesOf(graph)
  const span = edges.reduce((sum, { layers, far }) => sum + (far ? 0 : layers), 0)
  if (span > largestSpan) return null
  const far = new Set(edges.flatMap((edge) => (edge.far ? [keyOf(edge.from, edge.to)] : [])))
  return measured(reading, graph, far)
}

/** Which node leads to which, and how many layers below it stands. `far`: it is not drawn as an arrow. */
function edgesOf(graph: Graph): { from: string; to: string; layers: number; far: boolean }[] {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const heights = new Map<string, number>()
  const heightOf = (id: string): number => {
    const memo = heights.get(id)
    if (memo !== undefined) return memo
    const height = Math.max(0, ...leadsTo(graph, nodes.get(id)!).map((next) => heightOf(next) + 1))
    heights.set(id, height)
    return height
  }
  const edges = graph.nodes.flatMap((node) =>
    [...new Set(leadsTo(graph, node))].map((to) => ({
      from: node.id,
      to,
      layers: heightOf(node.id) - heightOf(to),
    })),
  )
  const nearest = new Map<string, number>()
  for (const { to, layers } of edges) nearest.set(to, Math.min(layers, nearest.get(to) ?? layers))
  return edges.map((edge) => ({
    ...edge,
    far: edge.layers > longestArrow && edge.layers > nearest.get(edge.to)!,
  }))
}

function keyOf(from: string, to: string): string {
  return `${from} ${to}`
}

function measured(reading: Reading, graph: Graph, far: ReadonlySet<string>): MeasuredGraph {
  const { kinds } = scenarioWords[reading.locale]
  const indexes = new Map(graph.nodes.map(({ id }, index) => [id, index]))
  const boxes = graph.nodes.map((node, index): Box => {
    const head = `${index + 1} · ${kinds[node.kind]}`
    const words = wrapped(firstWords(reading, node), widthInEms, box.lines)
    const ways = waysFrom(reading.locale, graph, node)
      .filter(({ to }) => far.has(keyOf(node.id, to)))
      .map(({ when, to }) => `${when} → ${indexes.get(to)! + 1}`.trim())
    const lines = [head, ...words, ...ways.flatMap((way) => wrapped(way, widthInEms, box.lines))]
    return { width: box.width, height: lines.length * lineHeight + 2 * box.padding, lines, node }
  })
  const arrows = graph.nodes.flatMap((node, from) => {
    const ways = waysFrom(reading.locale, graph, node).filter(({ to }) => !far.has(keyOf(node.id, to)))
    return [...new Set(ways.map((way) => way.to))].map((to): Arrow => {
      const words = ways.filter((way) => way.to === to && way.when !== '').map(({ when }) => when)
      const lines = words.slice(0, label.lines).flatMap((when) => wrapped(when, label.ems, 1))
      if (words.length > label.lines) lines.push(`＋${words.length - label.lines}`)
      const longest = Math.max(0, ...lines.map(emsOf))
      const size =
        lines.length === 0
          ? { width: 0, height: 0 }
          : { width: longest * fontSize + 2 * label.padding, height: lines.length * lineHeight }
      return { from, to: indexes.get(to)!, ...size, lines }
    })
  })
  return { boxes, arrows }
}

function boxOf({ width, height, lines, node }: Box, { x, y }: Point): Markup {
  const [left, top] = [rounded(x - width / 2), rounded(y - height / 2)]
  const texts = lines.map(
    (line, index) =>
      html`<text class="${index === 0 ? 'head' : 'words'}" x="${left + box.padding}" y="${top + box.padding + 14 + index * lineHeight}">${line}</text>`,
  )
  return html`<g><rect class="node ${node.kind}" x="${left}" y="${top}" width="${width}" height="${height}" rx="9"/>${texts}</g>\n`
}

function labelOf({ width, height, lines }: Arrow, { x, y }: Point): Markup {
  if (lines.length === 0) return html``
  const [left, top] = [rounded(x - width / 2), rounded(y - height / 2)]
  const texts = lines.map(
    (line, index) =>
      html`<text class="case" x="${x}" y="${top + 14 + index * lineHeight}" text-anchor="middle">${line}</text>`,
  )
  return html`<g><rect class="label" x="${left}" y="${top}" width="${rounded(width)}" height="${height}" rx="4"/>${texts}</g>\n`
}

/** A line through the points, rounded where it turns. */
function curve(points: Point[]): string {
  const [first, ...rest] = points
  const last = rest.pop()!
  const at = ({ x, y }: Point) => `${rounded(x)} ${rounded(y)}`
  const turns = rest.map((point, index) => {
    const next = rest[index + 1] ?? last
    const end = index === rest.length - 1 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }
    return `Q${at(point)} ${at(end)}`
  })
  return `M${at(first!)}${turns.length > 0 ? turns.join('') : `L${at(last)}`}`
}
