import type { Logger } from 'pino'

/** Runs a process of Carillon; one that cannot begin says why, in words and not as a stack, and ends with 1. */
export function runProcess(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
}

/** At SIGTERM or Ctrl-C, however often: does `end` once, then ends the process with 0. */
export function shutDownOnSignal(log: Logger, end: () => Promise<void>): void {
  let ending = false
  const begin = async () => {
    if (ending) return
    ending = true
    log.info('draining')
    await end()
    process.exit(0)
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
}
