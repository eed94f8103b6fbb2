import { CommanderError } from 'commander'
import pg from 'pg'
import { ServiceError } from '../contract/errors.ts'

/** Exit codes: 1, the command failed; 2, it was used incorrectly. */
export const exitCodes = { failed: 1, usage: 2 } as const

/** An incorrect use of the command line. */
export class UsageError extends Error {}

/** Prints what went wrong and what to do next. Returns the exit code. */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
  if (error instanceof UsageError) return say(error.message, exitCodes.usage)
  if (error instanceof ServiceError) return say(error.message, exitCodes.failed)
  if (error instanceof pg.DatabaseError) return say(databaseHint(error), exitCodes.failed)
  return say(error instanceof Error ? connectionHint(error) : String(error), exitCodes.failed)
}

function databaseHint(error: pg.DatabaseError): string {
  if (error.code === '42P01') return 'The database has no tables yet. Run: carillon migrate'
  if (error.code === '23503')
    return `This refers to a row that does not exist: ${error.detail ?? error.message}`
  return `The database rejected the command: ${error.message}`
}

function connectionHint(error: Error): string {
  const code = 'code' in error ? error.code : undefined
  const refused = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || error.message.includes('timeout')
  return refused
    ? 'The database does not respond. Check that it runs, and check DATABASE_URL.'
    : error.message
}

function say(message: string, code: number): number {
  process.stderr.write(`carillon: ${message}\n`)
  return code
}
