import { CommanderError } from 'commander'
import pg from 'pg'
import { ServiceError } from '../contract/errors.ts'
import { migrateAdvice } from '../db/migrate.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { printable } from './printable.ts'

/**
 * What a command ends with (docs/operating.md, Command line). `failed`: it could not be done, or a check found something;
 * `usage`: wrong arguments, options or settings; `notFound`: what an argument names does not exist; `unavailable`: the
 * database does not respond.
 */
export const exitCodes = { failed: 1, usage: 2, notFound: 3, unavailable: 4 } as const

/** What `carillon --help` says about them. */
export const exitCodesHelp = `
Exit codes:
  0  done; a check found nothing wrong
  ${exitCodes.failed}  not done, or a check found something wrong
  ${exitCodes.usage}  wrong arguments, options or settings; nothing was tried
  ${exitCodes.notFound}  what an argument names does not exist
  ${exitCodes.unavailable}  the database does not respond; try again`

/** An incorrect use of the command line. */
export class UsageError extends Error {}

/** Prints what went wrong and what to do next. Returns the exit code. */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
  if (error instanceof UsageError) return say(error.message, exitCodes.usage)
  if (error instanceof ServiceError) return say(error.message, codeOf(error))
  if (isUnavailable(error)) return say(unavailableHint(error), exitCodes.unavailable)
  if (error instanceof pg.DatabaseError) return say(databaseHint(error), exitCodes.failed)
  return say(error instanceof Error ? error.message : String(error), exitCodes.failed)
}

function unavailableHint(error: unknown): string {
  return error instanceof pg.DatabaseError
    ? `The database cannot do this now: ${error.message}. Try again.`
    : 'The database does not respond. Check that it runs, and check DATABASE_URL.'
}

function codeOf({ code }: ServiceError): number {
  return code === 'not_found' ? exitCodes.notFound : exitCodes.failed
}

/** What the database's own error means for an operator, in one line. */
export function databaseHint(error: pg.DatabaseError): string {
  if (lacksMigrations(error)) return `The database lacks the tables of this version. ${migrateAdvice}`
  if (error.code === '42501')
    return `The role of DATABASE_URL may not do this: ${error.message}. Migrations run as the owner. ${migrateAdvice}`
  if (error.code === '23503')
    return `This refers to a row that does not exist: ${error.detail ?? error.message}`
  return `The database rejected the command: ${error.message}`
}

/** A table, a column or a function is unknown: to an empty database, or to one of an older version. */
function lacksMigrations({ code }: pg.DatabaseError): boolean {
  return code === '42P01' || code === '42703' || code === '42883'
}

function say(message: string, code: number): number {
  process.stderr.write(`carillon: ${printable(message)}\n`)
  return code
}
