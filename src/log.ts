import { type Logger, pino } from 'pino'
import { scrub } from './domain/lib/scrub.ts'

/**
 * A logger of JSON lines on stdout. Errors are scrubbed, so that no line contains personal data; callers log ids and
 * counts. `name` is the process.
 */
export function createLogger(name: string, level: string): Logger {
  return pino({ name, level, serializers: { err: scrub }, timestamp: pino.stdTimeFunctions.isoTime })
}
