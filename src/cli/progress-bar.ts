import { Presets, SingleBar } from 'cli-progress'

/**
 * Shows on a terminal how far a job is, of `total`, while it goes on; nothing where nobody watches. `format` as
 * cli-progress wants it.
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
