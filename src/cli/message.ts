import type { Command } from 'commander'
import type { MessageState } from '../contract/enums.ts'
import type { Trx } from '../db/connect.ts'
import { isId } from '../domain/id.ts'
import { applyMove, type LockedMessage, lockMessage } from '../services/messages/move.ts'
import { retryOrSkip } from '../services/messages/transitions.ts'
import { type CommandContext, cliActor, withDatabase } from './command.ts'
import { UsageError } from './errors.ts'

/**
 * `carillon stop` and `carillon retry`: an operator's moves on a send in flight. Workers see them within a second.
 */
export function addMessage(program: Command): void {
  program
    .command('stop')
    .description(
      'stop a send or reminder that has started: calls in flight finish, the remaining recipients are skipped',
    )
    .argument('<message>', 'message id')
    .action(
      withDatabase(async (context, id: string) => {
        const state = await move(context, id, (trx, locked) =>
          applyMove(trx, locked, 'stop', { actor: cliActor }),
        )
        context.answer(
          { id, state },
          `Stopped: the remaining recipients are skipped. The message is ${state}.`,
        )
      }),
    )
  program
    .command('retry')
    .description('retry a parked send now, instead of at its next probe')
    .argument('<message>', 'message id')
    .option('--skip', 'skip the remaining recipients instead (reason: parked)')
    .action(
      withDatabase(async (context, id: string, { skip }: { skip?: true }) => {
        const asked = skip ? 'skip' : 'retry'
        const state = await move(context, id, (trx, locked) => retryOrSkip(trx, locked, asked, cliActor))
        context.answer({ id, state }, skip ? 'Skipping the remaining recipients.' : 'Retrying now.')
      }),
    )
}

function move(
  { db }: CommandContext,
  id: string,
  make: (trx: Trx, locked: LockedMessage) => Promise<MessageState>,
) {
  if (!isId(id)) throw new UsageError(`${id} is not a message id. GET /v1/messages lists them.`)
  return db.transaction().execute(async (trx) => make(trx, await lockMessage(trx, id)))
}
