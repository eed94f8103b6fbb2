import { Pool } from 'undici'
import type { BenchInstallation } from '../installation.ts'
import { progress } from '../progress.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

/** A request, made right before it is sent. */
export type Request = { path: string; headers: Record<string, string>; body: string }

export type Load = {
  what: string
  origin: string
  /** The expected status; any other fails the bench. */
  status: number
  count: number
  newRequest(): Request
  /** Resolves when the server has finished what it answered for. Left out: it has finished at the answer. */
  settled?(): Promise<void>
}

const connections = 50
/** Requests sent before the clock starts, so that no server is measured cold. */
const warmUp = 200

/** Posts requests over 50 connections; the lap ends when all are answered and settled. */
export async function post(
  installation: BenchInstallation,
  { what, origin, status, count, newRequest, settled }: Load,
): Promise<Stopwatch> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const postOne = async () => {
    const { statusCode, body } = await pool.request({ method: 'POST', ...newRequest() })
    const text = await body.text()
    if (statusCode !== status) throw new Error(`${what}: ${statusCode} ${text}`)
  }
  try {
    await inLanes(warmUp, postOne)
    await settled?.()
    const bar = progress(what, count)
    const lap = startStopwatch(installation)
    let done = 0
    await inLanes(count, async () => {
      await postOne()
      bar.to(++done)
    })
    await settled?.()
    const ended = lap(count)
    bar.end()
    return ended
  } finally {
    await pool.close()
  }
}

async function inLanes(count: number, work: () => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next++ < count) await work()
  }
  await Promise.all(Array.from({ length: connections }, lane))
}
