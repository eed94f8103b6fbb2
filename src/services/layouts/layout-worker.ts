import { parentPort, workerData } from 'node:worker_threads'
import { Graph as Drawn, layout } from '@dagrejs/dagre'
import { type GraphLayout, type GraphSizes, type Point, rounded } from '../../domain/scenario/layout.ts'

// A thread of `layoutOf`: it lays out one graph and ends.
parentPort?.postMessage(layOut(workerData))

/**
 * Lays out a graph from top to bottom. Takes up to a second for the largest, so that nothing that serves requests calls it
 * but by `layoutOf`.
 */
export function layOut({ boxes, arrows }: GraphSizes): GraphLayout {
  const drawn = new Drawn()
  drawn.setGraph({ rankdir: 'TB', nodesep: 24, edgesep: 16, ranksep: 34, marginx: 8, marginy: 8 })
  for (const [index, size] of boxes.entries()) drawn.setNode(String(index), { x: 0, y: 0, ...size })
  for (const { from, to, ...size } of arrows)
    drawn.setEdge(String(from), String(to), { x: 0, y: 0, ...size, points: [], labelpos: 'c' })
  layout(drawn)
  const { width, height } = drawn.graph()
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    boxes: boxes.map((_, index) => pointOf(drawn.node(String(index)))),
    arrows: arrows.map(({ from, to }) => {
      const arrow = drawn.edge(String(from), String(to))
      return { ...pointOf(arrow), points: arrow.points.map(pointOf) }
    }),
  }
}

/** In tenths of a px, as pictures have them. */
function pointOf({ x, y }: Point): Point {
  return { x: rounded(x), y: rounded(y) }
}
