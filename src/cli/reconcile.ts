import type { Command } from 'commander'
import { makeRunsDue } from '../db/queries/run/reconcile.ts'
import { withDatabase } from './command.ts'

/** `carillon repoke` */
export function addReconcile(program: Command): void {
  program
    .command('repoke')
    .description("make every open run look again, for when Temporal's store was lost")
    .action(
      withDatabase(async ({ db, answer }) => {
        const poked = await makeRunsDue(db)
        answer({ poked }, `${poked} open messages will be looked at by the workers now.`)
      }),
    )
}
