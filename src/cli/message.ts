import type { Command } from 'commander'
import type { MessageState } from '../contract/enums.ts'
import type { Trx } from '../db/connect.ts'
import { isId } from '../domain/id.ts'
import { applyMove, type LockedMessage, lockMessage } from '../services/messages/move.ts'
import { retryOrSkip } from '../services/messages/transitions.ts'
import { type CommandContext, cliActor, withDatabase } from './command.ts'
import { UsageError } from './errors.ts'

/**
 * `carillon stop` and `carillon retry`: what an operator may do to a send that is under way. Workers see it in a
 * second.
 */
export function addMessage(program: Command): void {
  program
    .command('stop')
    .description(
      'stop a send, or a reminder, that has begun: the calls under way finish, the rest is skipped',
    )
    .argument('<message>', 'its id')
    .action(
      withDatabase(async (frame, id: string) => {
        const state = await move(frame, id, (trx, locked) =>
          applyMove(trx, locked, 'stop', { actor: cliActor }),
        )
        frame.answer({ id, state }, `Nobody else will be told; the message is ${state}.`)
      }),
    )
  program
    .command('retry')
    .description('let a parked send try again now, instead of at its next probe')
    .argument('<message>', 'its id')
    .option('--skip', 'give up who is left instead: they are skipped as parked, and the message finishes')
    .action(
      withDatabase(async (frame, id: string, { skip }: { skip?: true }) => {
        const asked = skip ? 'skip' : 'retry'
        const state = await move(frame, id, (trx, locked) => retryOrSkip(trx, locked, asked, cliActor))
        frame.answer({ id, state }, skip ? 'Whoever is left is skipped.' : 'It tries again now.')
      }),
    )
}

function move(
  { db }: CommandContext,
  id: string,
  make: (trx: Trx, locked: LockedMessage) => Promise<MessageState>,
) {
  if (!isId(id)) throw new UsageError(`${id} is no message id. GET /v1/messages lists them.`)
  return db.transaction().execute(async (trx) => make(trx, await lockMessage(trx, id)))
}
