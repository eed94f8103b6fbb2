import type { Command } from 'commander'
import { makeRunsDue } from '../db/queries/run/reconcile.ts'
import { withDatabase } from './command.ts'

/** `carillon reconcile` */
export function addReconcile(program: Command): void {
  program
    .command('reconcile')
    .description("wake the run of every open message, e.g. after Temporal's store was lost")
    .action(
      withDatabase(async ({ db, answer }) => {
        const woken = await makeRunsDue(db)
        answer({ woken }, `Waking the runs of ${woken} open messages.`)
      }),
    )
}
