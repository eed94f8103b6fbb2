import { ServiceError } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Db } from '../../db/connect.ts'
import { type Category, findCategory } from '../../db/queries/catalogue/category.ts'
import { findDraftSources } from '../../db/queries/message/content.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Snapshot } from '../../domain/audience.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import { titleOf } from '../../domain/title.ts'
import type { Services } from '../context.ts'
import { invalid } from '../invalid.ts'
import { type CompiledContent, compileFor } from './compile.ts'
import { contentOf } from './content.ts'
import { takeSnapshot } from './snapshot.ts'

/** A draft made ready: what would be frozen, and the numbers of its dry-run. */
export type ReadyMessage = {
  messages: CanonicalMessage[]
  compiled: CompiledContent
  title: LocalisedText
  templateVersion: number | null
  snapshot: Snapshot
  category: Category
}

/**
 * A draft made ready: rendered, compiled for each channel, its audience and its cost counted. Writes nothing: dry-run
 * shows the snapshot, submit freezes the rest with it. Times in ms since the epoch.
 * @throws ServiceError missing_variable, not_configured, validation_error where the category was switched off
 */
export async function makeReady(
  services: Services,
  db: Db,
  message: MessageRow,
  now: number,
): Promise<ReadyMessage> {
  const { violations, ...rest } = await renderDraft(services, db, message, message.channel_plan.channels)
  const content = { compiled: rest.compiled, violations }
  return { ...rest, snapshot: await takeSnapshot(services, db, message, rest.category, content, now) }
}

/**
 * Renders a draft from the version of its template that is in force today, and compiles it for these channels.
 * @throws ServiceError as `makeReady` does
 */
export async function renderDraft(services: Services, db: Db, message: MessageRow, channels: Channel[]) {
  const category = await usableCategory(db, message.category_id)
  const { request, template, unitName } = await findDraftSources(db, message)
  const { messages, subject, ...content } = contentOf(request, template)
  const title = titleOf(messages, subject, category.name)
  const { compiled, violations } = compileFor(services.channels, channels, {
    id: message.id,
    remind: message.remind_at !== null,
    messages,
    subject: title,
    unit: unitName,
    category: category.name,
    unsubscribe: category.layer !== 'mandatory',
  })
  const known = new Set(content.violations.map(({ path }) => path))
  const further = violations.filter(({ path }) => !known.has(path))
  return {
    category,
    messages,
    compiled,
    title,
    templateVersion: template?.version ?? null,
    violations: [...content.violations, ...further],
  }
}

async function usableCategory(db: Db, id: string): Promise<Category> {
  const category = await findCategory(db, id)
  if (category?.enabled) return category
  throw invalid([{ path: 'categoryId', message: `the category ${id} has been switched off; choose another` }])
}

/**
 * The category of a message, on or off.
 * @throws ServiceError internal where the row is gone, which the foreign key rules out
 */
export async function categoryOf(db: Db, message: Pick<MessageRow, 'category_id'>): Promise<Category> {
  const category = await findCategory(db, message.category_id)
  if (!category) throw new ServiceError('internal', 'The category of this message is gone.')
  return category
}
