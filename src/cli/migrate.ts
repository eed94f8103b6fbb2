import type { Command } from 'commander'
import { migrateToLatest } from '../db/migrate.ts'
import { withDatabase } from './command.ts'

/** `carillon migrate` */
export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database schema up to date; safe to run several times and at once')
    .action(
      withDatabase(async ({ db, answer }) => {
        const ran = await migrateToLatest(db)
        answer({ ran }, ran.length === 0 ? 'The schema is up to date.' : `Ran ${ran.join(', ')}.`)
      }),
    )
}
