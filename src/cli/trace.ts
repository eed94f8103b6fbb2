import type { Command } from 'commander'
import { everyChannel } from '../channels/every-channel.ts'
import { traceRun } from '../services/trace/run.ts'
import { trace } from '../services/trace/trace.ts'
import { cliActor, withDatabase } from './command.ts'
import { formatColumns } from './table.ts'

/** `carillon trace` */
export function addTrace(program: Command): void {
  program
    .command('trace')
    .description(
      'explain what happened to one message for one person, in one run of a scenario, or in a handoff',
    )
    .argument('<id>', 'message id; without a uid, the id of a run, a turn, a handoff or a reply')
    .argument('[uid]', "the person's uid or subject id")
    .action(
      withDatabase(async ({ db, answer }, id: string, named: string | undefined) => {
        const steps =
          named === undefined
            ? await traceRun({ db, channels: everyChannel }, cliActor, id)
            : await trace(db, cliActor, id, named)
        answer(steps, formatColumns(steps.map(({ at, text }) => [at?.toISOString() ?? 'now', text])))
      }),
    )
}
