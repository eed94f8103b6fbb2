import { Pool } from 'undici'
import { progress } from '../progress.ts'

/** A request as it goes out; made at the moment at which it is sent. */
export type Request = { path: string; headers: Record<string, string>; body: string }

const connections = 50
/** Sent before the clock starts: nobody's server is as cold as one that has just been started. */
const warmUp = 200

/**
 * Posts so many requests over 50 connections, and answers how many were answered in a second. `made`: the nth, from 0
 * on.
 */
export async function postsPerSecond(
  what: string,
  { origin, status, count }: { origin: string; status: number; count: number },
  made: (nth: number) => Request,
): Promise<number> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const post = async (nth: number) => {
    const { statusCode, body } = await pool.request({ method: 'POST', ...made(nth) })
    const text = await body.text()
    if (statusCode !== status) throw new Error(`${what}: ${statusCode} ${text}`)
  }
  try {
    await inLanes(warmUp, post)
    const shown = progress(what, count)
    const begun = performance.now()
    let done = 0
    await inLanes(count, async (nth) => {
      await post(warmUp + nth)
      shown.to(++done)
    })
    shown.end()
    return count / ((performance.now() - begun) / 1000)
  } finally {
    await pool.close()
  }
}

async function inLanes(count: number, work: (nth: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let nth = next++; nth < count; nth = next++) await work(nth)
  }
  await Promise.all(Array.from({ length: connections }, lane))
}
