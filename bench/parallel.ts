import { progress } from './progress.ts'

const atOnce = 16

/** Runs `work` `count` times, 16 at a time, and shows its progress. */
export async function inParallel(
  what: string,
  count: number,
  work: (nth: number) => Promise<void>,
): Promise<void> {
  const bar = progress(what, count)
  let next = 0
  let done = 0
  const lane = async () => {
    for (let nth = next++; nth < count; nth = next++) {
      await work(nth)
      bar.to(++done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  bar.end()
}
