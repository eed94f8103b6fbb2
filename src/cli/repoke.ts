import type { Command } from 'commander'
import { repoke } from '../db/queries/run/late.ts'
import { withDatabase } from './frame.ts'

/** `carillon repoke` */
export function addRepoke(program: Command): void {
  program
    .command('repoke')
    .description("make every open run look again, for when Temporal's store was lost")
    .action(
      withDatabase(async ({ db, answer }) => {
        const poked = await repoke(db)
        answer({ poked }, `${poked} open messages will be looked at by the workers now.`)
      }),
    )
}
