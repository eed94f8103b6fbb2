import { type Command, Option } from 'commander'
import { type MessageState, messageStates } from '../contract/enums.ts'
import type { Trx } from '../db/connect.ts'
import { listMessageItems, type MessageItemRow } from '../db/queries/message/read.ts'
import { listParked, type ParkedRun } from '../db/queries/run/parked.ts'
import { idOrNull, isId } from '../domain/lib/id.ts'
import { runKinds } from '../domain/run/run-kinds.ts'
import { toInstant } from '../services/instants.ts'
import { applyMove, type LockedMessage, lockMessage } from '../services/messages/move.ts'
import { believeRefusals, retryOrSkip } from '../services/messages/transitions.ts'
import { byId, type Key, pageOf } from '../services/page.ts'
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
  withPages(
    program
      .command('parked')
      .description(
        'list the messages, runs of scenarios and schedules that are parked, with the problem and the next try',
      ),
  ).action(withDatabase(listAllParked))
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
    .addOption(
      new Option('--skip', 'skip the remaining recipients instead (reason: parked)').conflicts('believe'),
    )
    .option(
      '--believe',
      'of a send with the problem unknown_recipients: the mail server is right. Whom it refuses is failed and suppressed',
    )
    .action(
      withDatabase(
        async (context, id: string, { skip, believe: believes }: { skip?: true; believe?: true }) => {
          if (believes) return believe(context, id)
          const verb = skip ? 'skip' : 'retry'
          const state = await move(context, id, (trx, locked) => retryOrSkip(trx, locked, verb, cliActor))
          context.answer({ id, state }, skip ? 'Skipping the remaining recipients.' : 'Retrying now.')
        },
      ),
    )
}

async function believe(context: CommandContext, id: string): Promise<void> {
  const state = await move(context, id, (trx, locked) => believeRefusals(trx, locked, cliActor))
  context.answer({ id, state }, 'Sending: whom the mail server refuses now is failed and suppressed.')
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

async function listAllParked(context: CommandContext, query: PageOptions): Promise<void> {
  const page = await pageOf(query, bySinceAndId, (rows) => listParked(context.db, rows), parkedItemOf)
  answerPage(context, page, {
    id: ({ id }) => id,
    problem: ({ problem }) => problem,
    since: ({ since }) => since,
    'next try': ({ nextTryAt }) => nextTryAt ?? '',
    what: ({ kind, state }) => `${runKinds[kind].noun}, ${state}`,
    unit: ({ unit }) => unit,
  })
}

const bySinceAndId: Key<ParkedRun, Pick<ParkedRun, 'since' | 'id'>> = {
  of: ({ since, id }) => `${since.getTime()} ${id}`,
  read(text) {
    const [, since, named] = /^(\d{1,13}) (.+)$/.exec(text) ?? []
    const id = idOrNull(named)
    return since !== undefined && id !== null ? { since: new Date(Number(since)), id } : null
  },
}

function parkedItemOf({ since, nextTryAt, ...run }: ParkedRun) {
  return { ...run, since: since.toISOString(), nextTryAt: toInstant(nextTryAt) }
}

function move(
  { db }: CommandContext,
  id: string,
  make: (trx: Trx, locked: LockedMessage) => Promise<MessageState>,
) {
  if (!isId(id)) throw new UsageError(`${id} is not a message id. See: carillon message list`)
  return db.transaction().execute(async (trx) => make(trx, await lockMessage(trx, id)))
}
