import { type Logger, pino } from 'pino'
import { scrub } from './domain/scrub.ts'

/**
 * JSON lines to stdout. Errors go in scrubbed, so that a line never holds people's data; callers log ids and counts.
 * `name` says which process it is.
 */
export function createLogger(name: string, level: string): Logger {
  return pino({ name, level, serializers: { err: scrub }, timestamp: pino.stdTimeFunctions.isoTime })
}
