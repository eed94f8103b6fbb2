import type { Db } from '../../db/connect.ts'
import { countAudience } from '../../db/queries/audience.ts'
import type { Category } from '../../db/queries/category.ts'
import { forecast } from '../../db/queries/ledger.ts'
import type { MessageRow } from '../../db/queries/locked-message.ts'
import type { QuotaForecast, Snapshot, Violation } from '../../domain/audience.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import { monthOf } from '../../domain/month.ts'
import { sendTime } from '../../domain/times.ts'
import type { Services } from '../context.ts'
import { type CompiledContent, callsPerRecipient } from './compile.ts'

type Zone = Pick<Services, 'quotaTimeZone'>

/** Whom a message reaches and what it costs, at `now` (ms): the numbers of dry-run, submit and drift. */
export async function takeSnapshot(
  zone: Zone,
  db: Db,
  message: MessageRow,
  category: Category,
  content: { compiled: CompiledContent; violations: Violation[] },
  now: number,
): Promise<Snapshot> {
  const recipients = await countAudience(db, audienceSpecOf(message, category))
  const month = monthOfSend(zone, message, now)
  const quota: Partial<Record<Channel, QuotaForecast>> = {}
  for (const channel of message.channel_plan.channels) {
    const pushes = (recipients.byChannel[channel] ?? 0) * callsPerRecipient(content.compiled, channel)
    quota[channel] = await forecast(db, { unitId: message.unit_id, channel, month, pushes })
  }
  return { recipients, quota, violations: content.violations }
}

/** Everything that decides who gets a message: its audience and plan, and its category's rules. */
export function audienceSpecOf(message: MessageRow, category: Category) {
  return {
    unitId: message.unit_id,
    audience: message.audience,
    plan: message.channel_plan,
    categoryId: message.category_id,
    layer: category.layer,
    consentScope: category.consentScope,
    topicId: message.topic_id,
    frequencyCap: category.frequencyCap,
  }
}

/** The month whose ledger a send is counted in. */
export function monthOfSend(zone: Zone, message: Pick<MessageRow, 'schedule_at'>, now: number): string {
  const at = sendTime({ scheduleAt: message.schedule_at?.getTime() ?? null }, now)
  return monthOf(new Date(at), zone.quotaTimeZone)
}
