import { type Command, Option } from 'commander'
import { type EventError, eventErrors } from '../contract/enums.ts'
import type { RecordedEvent } from '../contract/events/recorded.ts'
import { listRecordedEvents } from '../db/queries/event/recorded.ts'
import { recordedEventOf } from '../services/events/recorded.ts'
import { byId, pageOf } from '../services/page.ts'
import { answerPage, type CommandContext, type PageOptions, withDatabase, withPages } from './command.ts'
import { findUnit } from './find-unit.ts'

type Options = PageOptions & { source?: string; type?: string; error?: EventError }

/** `carillon event list` */
export function addEvent(program: Command): void {
  withPages(
    program
      .command('event')
      .description('list recorded events')
      .command('list')
      .description("list the events of a unit's bindings with their outcomes, newest first")
      .argument('<unit>', 'id or name'),
  )
    .option('--source <source>', 'only events of this source')
    .option('--type <type>', 'only events of this type')
    .addOption(new Option('--error <code>', 'only events that ended so').choices(eventErrors))
    .action(withDatabase(listEvents))
}

async function listEvents(context: CommandContext, named: string, options: Options): Promise<void> {
  const { db, config } = context
  const { source = null, type = null, error = null, ...query } = options
  const unit = await findUnit(db, named)
  const of = { unitId: unit.id, source, type, error, eventId: null, messageId: null }
  const filter = { ...of, signingSources: config.EVENT_SIGNING_SOURCES }
  const page = await pageOf(
    query,
    byId,
    (rows) => listRecordedEvents(db, { ...filter, ...rows }),
    recordedEventOf,
  )
  answerPage(context, page, {
    id: ({ id }) => id,
    received: ({ receivedAt }) => receivedAt,
    source: ({ source }) => source,
    type: ({ type }) => type ?? '',
    'event id': ({ eventId }) => eventId ?? '',
    outcome: outcomeOf,
  })
}

function outcomeOf({ messageId, runs, error }: RecordedEvent): string {
  if (runs !== null) return `${runs} runs`
  return messageId ?? error ?? 'undecided'
}
