import type { Command } from 'commander'
import type { MessageState } from '../contract/enums.ts'
import type { Trx } from '../db/connect.ts'
import { listParked, type ParkedMessage } from '../db/queries/delivery/parking.ts'
import { isId } from '../domain/id.ts'
import { applyMove, type LockedMessage, lockMessage } from '../services/messages/move.ts'
import { retryOrSkip } from '../services/messages/transitions.ts'
import { type CommandContext, cliActor, withDatabase } from './command.ts'
import { UsageError } from './errors.ts'

/**
 * `carillon parked` lists sends that cannot continue; `carillon stop` and `carillon retry` are an operator's moves on
 * them. Workers see the moves within a second.
 */
export function addMessage(program: Command): void {
  program
    .command('parked')
    .description('list the messages that are parked, with the problem and the next try')
    .action(
      withDatabase(async ({ db, answer }) => {
        const parked = await listParked(db)
        answer({ parked }, parked.length === 0 ? 'No message is parked.' : parked.map(line).join('\n'))
      }),
    )
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

function line({ id, unit, state, problem, since, nextTryAt }: ParkedMessage): string {
  const next = nextTryAt ? `next try ${nextTryAt.toISOString()}` : 'no next try'
  return `${id}  ${problem}  since ${since.toISOString()}, ${next}  (${unit}, ${state})`
}

function move(
  { db }: CommandContext,
  id: string,
  make: (trx: Trx, locked: LockedMessage) => Promise<MessageState>,
) {
  if (!isId(id)) throw new UsageError(`${id} is not a message id. GET /v1/messages lists them.`)
  return db.transaction().execute(async (trx) => make(trx, await lockMessage(trx, id)))
}
