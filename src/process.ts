import type { Logger } from 'pino'
import { version } from './version.ts'

/** Runs a process of Carillon. If it cannot start, prints the error's message without a stack and exits with 1. */
export function runProcess(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
}

/** The line with which a process begins: what it is, and what else the reader of its log should know. */
export function logStart(log: Logger, facts: Record<string, unknown> = {}): void {
  log.info({ version, node: process.version, ...facts }, 'Started')
}

/** On the first SIGTERM or SIGINT, runs `end`, then exits with 0. */
export function shutDownOnSignal(log: Logger, end: () => Promise<void>): void {
  let ending = false
  const begin = async () => {
    if (ending) return
    ending = true
    log.info('Draining: finishing work in flight, then exiting')
    const begun = performance.now()
    await end()
    log.info({ ms: Math.round(performance.now() - begun) }, 'Drained: exiting')
    process.exit(0)
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
}
