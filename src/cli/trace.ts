import type { Command } from 'commander'
import { trace } from '../services/trace/trace.ts'
import { cliActor, formatColumns, withDatabase } from './command.ts'

/** `carillon trace` */
export function addTrace(program: Command): void {
  program
    .command('trace')
    .description('explain what happened to one message for one person')
    .argument('<message>', 'message id')
    .argument('<uid>', "the person's uid or subject id")
    .action(
      withDatabase(async ({ db, answer }, messageId: string, named: string) => {
        const steps = await trace(db, cliActor, messageId, named)
        answer(steps, formatColumns(steps.map(({ at, text }) => [at?.toISOString() ?? 'now', text])))
      }),
    )
}
