import type { CanonicalMessage } from '../../contract/canonical-message.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Db } from '../../db/connect.ts'
import { type Category, findCategory } from '../../db/queries/category.ts'
import type { MessageRow } from '../../db/queries/locked-message.ts'
import { findRequest } from '../../db/queries/message-content.ts'
import { findTemplate } from '../../db/queries/template.ts'
import type { Snapshot } from '../../domain/audience.ts'
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
}

/**
 * Renders a draft from today's version of its template, compiles it for each channel, counts its audience and its cost.
 * Writes nothing: dry-run shows the snapshot, submit freezes the rest with it. Times in ms since the epoch.
 * @throws ServiceError missing_variable, not_configured, validation_error where the category was switched off
 */
export async function makeReady(
  services: Services,
  db: Db,
  message: MessageRow,
  now: number,
): Promise<ReadyMessage> {
  const category = await usableCategory(db, message.category_id)
  const request = await findRequest(db, message.id)
  const template = message.template_id
    ? await findTemplate(db, message.template_id, [message.unit_id])
    : undefined
  const content = contentOf(request, template ?? null)
  const { compiled, violations } = compileFor(services.channels, message.channel_plan, {
    id: message.id,
    remind: message.remind_at !== null,
    messages: content.messages,
  })
  const known = new Set(content.violations.map(({ path }) => path))
  const further = violations.filter(({ path }) => !known.has(path))
  const all = { compiled, violations: [...content.violations, ...further] }
  return {
    messages: content.messages,
    compiled,
    title: titleOf(content.messages, content.subject, category.name),
    templateVersion: template?.version ?? null,
    snapshot: await takeSnapshot(services, db, message, category, all, now),
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
