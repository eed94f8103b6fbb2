import type { Command } from 'commander'
import { migrateToLatest } from '../db/migrate.ts'
import { sealHashKey } from '../services/address-hash.ts'
import { secretBoxOf } from '../services/secret-box.ts'
import { withDatabase } from './command.ts'

/** `carillon migrate` */
export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database to the latest schema; safe to repeat and to run concurrently')
    .action(
      withDatabase(async ({ db, config, answer }) => {
        const ran = await migrateToLatest(db)
        const secrets = secretBoxOf(config)
        if (secrets) await sealHashKey(db, secrets)
        answer({ ran }, ran.length === 0 ? 'The schema is up to date.' : `Ran ${ran.join(', ')}.`)
      }),
    )
}
