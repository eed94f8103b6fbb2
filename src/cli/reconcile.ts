import { type Command, Option } from 'commander'
import { makeRunsDue } from '../db/queries/run/reconcile.ts'
import { allRunKinds, type RunKind } from '../domain/run/run-kinds.ts'
import { withDatabase } from './command.ts'

/** `carillon reconcile` */
export function addReconcile(program: Command): void {
  program
    .command('reconcile')
    .description("wake the run of every open message and scenario, e.g. after Temporal's store was lost")
    .addOption(new Option('--kind <kinds...>', 'only the runs of these kinds').choices(allRunKinds))
    .action(
      withDatabase(async ({ db, answer }, { kind: kinds = allRunKinds }: { kind?: readonly RunKind[] }) => {
        const byKind = await makeRunsDue(db, kinds)
        const counts = kinds.map((kind) => `${byKind[kind]} of kind ${kind}`)
        const woken = kinds.reduce((sum, kind) => sum + byKind[kind], 0)
        answer({ woken, byKind }, `Waking ${woken} open runs: ${counts.join(', ')}.`)
      }),
    )
}
