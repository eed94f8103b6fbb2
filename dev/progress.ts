const REWRITE_MS = 1_000
const REPEAT_MS = 10_000

/**
 * Runs a long job and shows a line with its activity and duration: rewritten every second on a terminal, otherwise
 * repeated every ten seconds.
 */
export async function withProgress<T>(what: () => string, job: () => Promise<T>): Promise<T> {
  const begun = Date.now()
  const terminal = process.stdout.isTTY
  const show = () => {
    const line = `  ${what()}, ${seconds(begun)}`
    const width = process.stdout.columns // a line that wraps cannot be rewritten
    process.stdout.write(terminal ? `\r${line.slice(0, width - 1)}\x1b[K` : `${line}\n`)
  }
  show()
  const timer = setInterval(show, terminal ? REWRITE_MS : REPEAT_MS)
  try {
    return await job()
  } finally {
    clearInterval(timer)
    if (terminal) process.stdout.write('\r\x1b[K')
  }
}

/** The time since `begun` (ms since the epoch) in readable form: "0.8 s", "2 min 40 s". */
export function seconds(begun: number): string {
  const elapsed = (Date.now() - begun) / 1000
  if (elapsed < 60) return `${elapsed.toFixed(1)} s`
  return `${Math.floor(elapsed / 60)} min ${Math.floor(elapsed % 60)} s`
}
