import type { Logger } from 'pino'

/** Runs a process of Carillon. If it cannot start, prints the error's message without a stack and exits with 1. */
export function runProcess(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
}

/** On the first SIGTERM or SIGINT, runs `end`, then exits with 0. */
export function shutDownOnSignal(log: Logger, end: () => Promise<void>): void {
  let ending = false
  const begin = async () => {
    if (ending) return
    ending = true
    log.info('Draining: finishing work in flight, then exiting')
    await end()
    process.exit(0)
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
}
