import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { GraphLayout, GraphSizes } from '../../domain/scenario/layout.ts'

let before: Promise<unknown> = Promise.resolve()

/** Lays out a graph in a thread of its own, one graph at a time: the thread that serves goes on meanwhile. */
export function layoutOf(sizes: GraphSizes): Promise<GraphLayout> {
  const layout = before.then(() => inThread(sizes))
  before = layout.catch(() => undefined)
  return layout
}

async function inThread(sizes: GraphSizes): Promise<GraphLayout> {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { workerData: sizes })
  const [layout] = (await once(worker, 'message')) as [GraphLayout]
  return layout
}
