import { type Command, Option } from 'commander'
import { type MessageState, messageStates } from '../contract/enums.ts'
import type { Trx } from '../db/connect.ts'
import { listMessageItems, type MessageItemRow } from '../db/queries/message/read.ts'
import { listParked, type ParkedRun } from '../db/queries/run/parked.ts'
import { isId } from '../domain/id.ts'
import { runKinds } from '../domain/run-kinds.ts'
import { applyMove, type LockedMessage, lockMessage } from '../services/messages/move.ts'
import { retryOrSkip } from '../services/messages/transitions.ts'
import { byId, pageOf } from '../services/page.ts'
import {
  answerPage,
  type CommandContext,
  cliActor,
  type PageOptions,
  withDatabase,
  withPages,
} from './command.ts'
import { UsageError } from './errors.ts'
import { findUnit } from './find-unit.ts'
import { showMessage, titleForOperators } from './show-message.ts'

/**
 * `carillon message list` and `show` read messages; `carillon parked` lists sends that cannot continue; `carillon stop` and
 * `carillon retry` are an operator's moves on them. Workers see the moves within a second.
 */
export function addMessage(program: Command): void {
  const message = program.command('message').description('list messages, or show one')
  withPages(
    message
      .command('list')
      .description('list the messages of a unit, newest first')
      .argument('<unit>', 'id or name'),
  )
    .addOption(new Option('--state <states...>', 'only messages in these states').choices(messageStates))
    .action(withDatabase(listMessages))
  message
    .command('show')
    .description('show the state, times, counts and timeline of a message, without its text')
    .argument('<message>', 'message id')
    .action(withDatabase(showMessage))
  program
    .command('parked')
    .description(
      'list the messages and the runs of scenarios that are parked, with the problem and the next try',
    )
    .action(
      withDatabase(async ({ db, answer }) => {
        const parked = await listParked(db)
        answer({ parked }, parked.length === 0 ? 'Nothing is parked.' : parked.map(line).join('\n'))
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

async function listMessages(
  context: CommandContext,
  named: string,
  { state: states, ...query }: PageOptions & { state?: MessageState[] },
): Promise<void> {
  const { db } = context
  const unit = await findUnit(db, named)
  const filter = { unitId: unit.id, order: 'newest', ...(states && { states }) } as const
  const page = await pageOf(
    query,
    byId,
    (rows) => listMessageItems(db, cliActor, { ...filter, ...rows }),
    itemOf,
  )
  answerPage(context, page, {
    id: ({ id }) => id,
    created: ({ createdAt }) => createdAt,
    state: ({ state }) => state,
    problem: ({ problem }) => problem ?? '',
    recipients: ({ recipients }) => String(recipients ?? ''),
    title: ({ title }) => title['zh-TW'],
  })
}

function itemOf(row: MessageItemRow) {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    state: row.state,
    problem: row.problem,
    recipients: row.snapshot?.recipients.total ?? null,
    title: titleForOperators(row),
    categoryId: row.category_id,
    kind: row.kind,
    closedAt: row.closed_at?.toISOString() ?? null,
  }
}

function line({ kind, id, unit, state, problem, since, nextTryAt }: ParkedRun): string {
  const what = kind === 'message' ? state : `${runKinds[kind].noun}, ${state}`
  const next = nextTryAt ? `next try ${nextTryAt.toISOString()}` : 'no next try'
  return `${id}  ${problem}  since ${since.toISOString()}, ${next}  (${unit}, ${what})`
}

function move(
  { db }: CommandContext,
  id: string,
  make: (trx: Trx, locked: LockedMessage) => Promise<MessageState>,
) {
  if (!isId(id)) throw new UsageError(`${id} is not a message id. See: carillon message list`)
  return db.transaction().execute(async (trx) => make(trx, await lockMessage(trx, id)))
}
