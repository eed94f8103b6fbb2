import type { Command } from 'commander'
import { adapters } from '../channels/index.ts'
import { createLogger } from '../log.ts'
import { openRendering } from '../services/rendering/rendering.ts'
import { openThreads } from '../services/rendering/threads.ts'
import { inEnglish, traceNamed } from '../services/trace/named.ts'
import { trace } from '../services/trace/trace.ts'
import { cliActor, withDatabase } from './command.ts'
import { formatColumns } from './table.ts'

/** `carillon trace` */
export function addTrace(program: Command): void {
  program
    .command('trace')
    .description(
      'explain what happened to one message for one person, in a run, in a handoff, or what an id belongs to',
    )
    .argument(
      '<id>',
      'message id; without a uid, any id: of a run, turn, handoff, event, person, mail (Message-ID), request of a provider …',
    )
    .argument('[uid]', "the person's uid or subject id")
    .action(
      withDatabase(async ({ db, answer }, id: string, named: string | undefined) => {
        const rendering = openRendering({
          db,
          log: createLogger('cli', 'silent'),
          threads: openThreads(),
          stepsPerMinute: 0,
        })
        const services = { db, channels: adapters, rendering }
        const steps =
          named === undefined
            ? await traceNamed(services, cliActor, id).finally(rendering.close)
            : inEnglish(await trace(db, cliActor, id, named))
        answer(steps, formatColumns(steps.map(({ at, text }) => [at?.toISOString() ?? 'now', text])))
      }),
    )
}
