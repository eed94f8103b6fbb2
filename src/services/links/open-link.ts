import type { ChatLink } from '../../channels/chat/tracked-links.ts'
import type { Link } from '../../channels/email/links.ts'
import {
  countChatClick,
  countMailClick,
  findOpenedMessage,
  type LinkedMessage,
} from '../../db/queries/message/click.ts'
import { type LinkPosition, webLinksOf } from '../../domain/content/web-link.ts'
import type { Services } from '../context.ts'

/** A tracked link: of a message in the chat, or of one person's mail. */
type TrackedLink = { linked: LinkedMessage; position: LinkPosition }

/** Where a tracked link leads; or its message is yet to be sent, or its text is no longer kept. */
export type Opened = { url: string } | 'unsent' | 'gone'

/** The tracked link of a token; null if the token is invalid, or of another kind. */
export function trackedLinkIn({ links, chatLinks }: Pick<Services, 'links' | 'chatLinks'>, token: string) {
  const inChat = chatLinks?.verify(token)
  if (inChat) return ofChat(inChat)
  const inMail = links?.verify(token)
  return inMail ? ofMail(inMail) : null
}

function ofChat({ messageId, ...position }: ChatLink): TrackedLink {
  return { linked: { messageId }, position }
}

function ofMail({ target, ...linked }: Link): TrackedLink | null {
  if (target.purpose !== 'open') return null
  const { purpose: _, ...position } = target
  return { linked, position }
}

/**
 * Opens a tracked link: the URL comes from the frozen content of a message whose send has begun, so that a link leads
 * nowhere else, and to nothing that nobody approved (docs/design/links.md). `count`: whether to count it
 * as a click. Null: no such link.
 */
export async function openLink(
  services: Pick<Services, 'db' | 'log'>,
  { linked, position }: TrackedLink,
  { count }: { count: boolean },
): Promise<Opened | null> {
  const record = await findOpenedMessage(services.db, linked, position.n)
  if (!record) return null
  if (record.purged) return 'gone'
  const link = record.message && webLinksOf(record.message).find(({ o }) => o === position.o)
  if (!link || !record.tracked) return null
  if (!record.sent) return 'unsent'
  if (count) await countOrLog(services, record.messageId, { linked, position })
  return { url: link.url }
}

/** A person is not kept from a page because their click could not be counted. */
async function countOrLog(
  { db, log }: Pick<Services, 'db' | 'log'>,
  messageId: string,
  { linked, position }: TrackedLink,
): Promise<void> {
  try {
    if ('subjectId' in linked) await countMailClick(db, { messageId, subjectId: linked.subjectId }, position)
    else await countChatClick(db, messageId, position)
  } catch (err) {
    log.warn({ err, messageId }, 'A click on a tracked link was not counted')
  }
}
