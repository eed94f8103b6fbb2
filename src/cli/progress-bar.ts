import { Presets, SingleBar } from 'cli-progress'

/**
 * Runs a job and shows its progress towards `total`, on a terminal only. `format`: as in cli-progress.
 */
export async function withProgressBar<T>(
  { total, format }: { total: number; format?: string },
  job: (show: (done: number) => void) => Promise<T>,
): Promise<T> {
  const options = { stream: process.stderr, hideCursor: true, ...(format && { format }) }
  const bar = new SingleBar(options, Presets.shades_classic)
  if (process.stderr.isTTY) bar.start(total, 0)
  try {
    return await job((done) => bar.update(done))
  } finally {
    bar.stop()
  }
}
