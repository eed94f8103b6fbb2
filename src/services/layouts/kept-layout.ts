import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { findLayout, insertLayout } from '../../db/queries/scenario/layout.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import type { GraphLayout, GraphSizes } from '../../domain/scenario/layout.ts'
import { sha256 } from '../../signing.ts'
import type { Services } from '../context.ts'

/** The version of a scenario that is drawn. */
export type DrawnVersion = { scenarioId: string; version: number }

/**
 * The layout of a version's picture. It is made once for the same sizes, which differ with the language of the reader
 * and the names in the graph, and goes with the version.
 */
export async function keptLayout(
  { db }: Pick<Services, 'db'>,
  version: DrawnVersion,
  sizes: GraphSizes,
): Promise<GraphLayout> {
  const key = { ...version, sizesHash: sha256(canonicalJson(sizes)) }
  const existing = await findLayout(db, key)
  if (existing) return existing
  const layout = await layoutOf(sizes)
  await insertLayout(db, key, layout)
  return layout
}

let before: Promise<unknown> = Promise.resolve()

/** Lays out a graph in a thread of its own, one graph at a time: the thread that serves goes on meanwhile. */
function layoutOf(sizes: GraphSizes): Promise<GraphLayout> {
  const layout = before.then(() => inThread(sizes))
  before = layout.catch(() => undefined)
  return layout
}

async function inThread(sizes: GraphSizes): Promise<GraphLayout> {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { workerData: sizes })
  const [layout] = (await once(worker, 'message')) as [GraphLayout]
  return layout
}
