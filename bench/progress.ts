import { Presets, SingleBar } from 'cli-progress'

const lineEveryMs = 10_000

export type Progress = { to(done: number): void; end(): void }

/** Shows the progress of a long step: a bar on a terminal, otherwise a line every ten seconds. */
export function progress(what: string, total: number): Progress {
  return process.stdout.isTTY ? bar(what, total) : lines(what, total)
}

function bar(what: string, total: number): Progress {
  const format = `  ${what}  {bar}  {value}/{total}  {duration_formatted}`
  const display = new SingleBar(
    { format, hideCursor: true, clearOnComplete: true, fps: 5 },
    Presets.shades_classic,
  )
  display.start(total, 0)
  return { to: (done) => display.update(done), end: () => display.stop() }
}

function lines(what: string, total: number): Progress {
  let last = 0
  return {
    to(done) {
      if (Date.now() - last < lineEveryMs) return
      last = Date.now()
      process.stdout.write(`  ${what}: ${done}/${total}\n`)
    },
    end: () => {},
  }
}
