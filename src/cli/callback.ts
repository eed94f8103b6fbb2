import type { Command } from 'commander'
import { listCallbacks } from '../db/queries/callback/callback.ts'
import { callbackOf } from '../services/callbacks/callbacks.ts'
import { byId, pageOf } from '../services/page.ts'
import { answerPage, type CommandContext, type PageOptions, withDatabase, withPages } from './command.ts'
import { findUnit } from './find-unit.ts'

/** `carillon callback list` */
export function addCallback(program: Command): void {
  withPages(
    program
      .command('callback')
      .description('list callbacks')
      .command('list')
      .description('list the callbacks of a unit with their state, newest first')
      .argument('<unit>', 'id or name'),
  ).action(withDatabase(list))
}

async function list(context: CommandContext, named: string, query: PageOptions): Promise<void> {
  const { db } = context
  const unit = await findUnit(db, named)
  const page = await pageOf(query, byId, (rows) => listCallbacks(db, unit.id, rows), callbackOf)
  answerPage(context, page, {
    id: ({ id }) => id,
    state: ({ state, disabledReason }) => (disabledReason === null ? state : `${state} (${disabledReason})`),
    'failing since': ({ failingSince }) => failingSince ?? '',
    url: ({ url }) => url,
  })
}
