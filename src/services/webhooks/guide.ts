import type { Trx } from '../../db/connect.ts'
import { isGuided } from '../../db/queries/event/guided.ts'
import type { WebhookEvent } from '../../db/queries/event/webhook.ts'
import { findLatestSent } from '../../db/queries/subject/latest-sent.ts'
import { localeOf } from '../../db/queries/subject/subject.ts'
import { type ChatEnding, plainReply, settingsReply } from '../recipients/acknowledge.ts'
import { type LinkServices, settingsLink } from '../recipients/settings-link.ts'

/** Answers who asks for their settings: with the link, by what was sent to them last. It changes nothing. */
export async function showSettings(
  trx: Trx,
  event: WebhookEvent,
  subjectId: string,
  services: LinkServices,
): Promise<ChatEnding> {
  const reader = { locale: await localeOf(trx, subjectId), sender: null }
  const waveId = await findLatestSent(trx, subjectId)
  const link = waveId === undefined ? null : settingsLink(services, { waveId, subjectId })
  const reply = link ? settingsReply(event, reader, link) : plainReply(event, reader, { kind: 'no_settings' })
  return { outcome: 'settings', reply, answers: false }
}

/**
 * Answers what nothing else takes with a sentence: where the settings are, and what may be written here. Once an hour, by the
 * reply token alone, and not to somebody who was just answered.
 */
export async function guide(trx: Trx, event: WebhookEvent, subjectId: string): Promise<ChatEnding> {
  if (await isGuided(trx, event)) return { outcome: 'recorded' }
  const reader = { locale: await localeOf(trx, subjectId), sender: null }
  const reply = plainReply(event, reader, { kind: 'guidance' })
  return reply ? { outcome: 'guided', reply } : { outcome: 'recorded' }
}
