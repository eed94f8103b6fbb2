import { type CompiledContent, callsPerRecipient } from '../../channels/channel.ts'
import type { Channel } from '../../contract/enums.ts'
import type { MessageDetail } from '../../contract/messages/detail.ts'
import type { Db } from '../../db/connect.ts'
import { countAudience } from '../../db/queries/audience/count.ts'
import { type Category, findQuietPeriod } from '../../db/queries/catalogue/category.ts'
import { type Forecaster, quotaForecaster } from '../../db/queries/quota/ledger.ts'
import type { MessageRow } from '../../db/tables.ts'
import type {
  Forecast,
  LedgerForecast,
  PaceForecast,
  QuotaForecast,
  ReminderForecast,
  Snapshot,
  Violation,
} from '../../domain/audience/audience.ts'
import { withoutNoEnglish } from '../../domain/content/no-english.ts'
import { channelEntries } from '../../domain/lib/channel-entries.ts'
import { monthOf } from '../../domain/lib/month.ts'
import { checkRecipientCount } from '../../domain/message/no-recipients.ts'
import { paceForecast, paceWarnings } from '../../domain/message/pace.ts'
import { sumOfCounts } from '../../domain/message/stats.ts'
import { sendTime } from '../../domain/message/times.ts'
import type { Services } from '../context.ts'

type Zone = Pick<Services, 'quotaTimeZone'>

type Content = {
  compiled: CompiledContent
  compiledReminder: CompiledContent | null
  violations: Violation[]
  warnings: Violation[]
}

/** The columns of a message from which its recipients and cost are counted. */
export type ForecastRow = Pick<
  MessageRow,
  | ('unit_id' | 'category_id' | 'topic_id' | 'audience' | 'channel_plan')
  | ('schedule_at' | 'expires_at' | 'remind_at' | 'remind_to' | 'pace')
>

/** Counts a message's recipients and cost at `now` (ms): the numbers of a dry-run. */
export async function takeSnapshot(
  zone: Zone,
  db: Db,
  message: ForecastRow,
  category: Category,
  content: Content,
  now: number,
): Promise<Forecast> {
  const recipients = await countAudience(db, audienceSpecOf(message, category))
  return snapshotOf(zone, db, message, recipients, content, now)
}

/** The snapshot of recipients that have been counted: their cost at `now` (ms) is added, and whether there are none. */
export async function snapshotOf(
  zone: Zone,
  db: Db,
  message: ForecastRow,
  recipients: Snapshot['recipients'],
  content: Content,
  now: number,
): Promise<Forecast> {
  const { compiled, compiledReminder, violations, warnings } = content
  const costOf = (sent: CompiledContent, channel: Channel) =>
    (recipients.byChannel[channel] ?? 0) * callsPerRecipient(sent, channel)
  const quota: Partial<Record<Channel, QuotaForecast>> = {}
  const reminder = reminderAhead(message, now)
  const forecast = quotaForecaster(db)
  for (const channel of message.channel_plan.channels) {
    const pushes = costOf(compiled, channel)
    const again = costOf(compiledReminder ?? compiled, channel)
    if (reminder) reminder.pushes[channel] = again
    const cost = await forecastOf(zone, forecast, message, { channel, pushes, again }, now)
    quota[channel] = { ...cost, pushesPerPerson: callsPerRecipient(compiled, channel) }
  }
  const scheduleAt = message.schedule_at?.getTime() ?? null
  const countCheck = checkRecipientCount({ total: recipients.total, scheduleAt }, now)
  const readsEnglish = recipients.byLocale.en !== 0
  const pace = await paceOf(db, message, recipients, now)
  return {
    recipients,
    quota,
    ...(reminder && { reminder }),
    ...(pace && { pace }),
    violations: [...violations, ...countCheck.violations],
    warnings: [
      ...(readsEnglish ? warnings : withoutNoEnglish(warnings)),
      ...countCheck.warnings,
      ...(pace ? paceWarnings(pace, timesOf(message)) : []),
    ],
  }
}

/** What the pace of a message makes of its send; null without one. A send that has begun is forecast as from now. */
async function paceOf(
  db: Db,
  message: ForecastRow,
  { byChannel }: Snapshot['recipients'],
  now: number,
): Promise<PaceForecast | null> {
  if (!message.pace) return null
  const of = { unitId: message.unit_id, categoryId: message.category_id }
  return paceForecast(message.pace, {
    deliveries: sumOfCounts(byChannel),
    start: sendTime({ scheduleAt: message.schedule_at?.getTime() ?? null }, now),
    quiet: await findQuietPeriod(db, of),
  })
}

function timesOf({ expires_at, remind_at }: ForecastRow) {
  return { expiresAt: expires_at?.getTime() ?? null, remindAt: remind_at?.getTime() ?? null }
}

/** The reminder that is still to come at `now` (ms). */
function reminderAhead(
  { remind_at: at, remind_to: to }: ForecastRow,
  now: number,
): ReminderForecast | undefined {
  return at && at.getTime() > now ? { at: at.toISOString(), to, pushes: {} } : undefined
}

/** The pushes of a reminder by its snapshot; one of which they are unknown costs as much as its send. */
export function reminderPushes(
  { quota, reminder }: Pick<Snapshot, 'quota' | 'reminder'>,
  channel: Channel,
): number {
  return reminder?.pushes[channel] ?? quota[channel]?.estimatedPushes ?? 0
}

type Timed = Pick<MessageRow, 'unit_id' | 'schedule_at' | 'remind_at'>

/** Whether the ledger cannot cover the cost of a submitted message at `now` (ms), by its snapshot. */
export async function exceedsQuota(
  zone: Zone,
  forecast: Forecaster,
  message: Timed & Pick<MessageRow, 'snapshot'>,
  now: number,
): Promise<boolean> {
  const { snapshot } = message
  if (!snapshot) return false
  for (const [channel, { estimatedPushes: pushes }] of channelEntries(snapshot.quota)) {
    const cost = { channel, pushes, again: reminderPushes(snapshot, channel) }
    if ((await forecastOf(zone, forecast, message, cost, now)).wouldExceed) return true
  }
  return false
}

/** What a submitted message costs by its snapshot, and what the ledger has left at `now` (ms), by channel. */
export async function quotaNow(
  zone: Pick<Services, 'quotaTimeZone' | 'db'>,
  {
    unitId,
    scheduleAt,
    remindAt,
    snapshot,
  }: Pick<MessageDetail, 'unitId' | 'scheduleAt' | 'remindAt' | 'snapshot'>,
  now: number,
): Promise<Forecast['quota']> {
  const dateIn = (at: string | null) => (at === null ? null : new Date(at))
  const message = { unit_id: unitId, schedule_at: dateIn(scheduleAt), remind_at: dateIn(remindAt) }
  const forecast = quotaForecaster(zone.db)
  const quota: Forecast['quota'] = {}
  if (!snapshot) return quota
  for (const [channel, { estimatedPushes: pushes, pushesPerPerson }] of channelEntries(snapshot.quota)) {
    const cost = { channel, pushes, again: reminderPushes(snapshot, channel) }
    quota[channel] = { ...(await forecastOf(zone, forecast, message, cost, now)), pushesPerPerson }
  }
  return quota
}

/**
 * The ledger's forecast of a message's send, in the month of the send. A future reminder (`again`: its pushes) is
 * reserved at the same time, so `wouldExceed` covers both together.
 */
async function forecastOf(
  zone: Zone,
  forecast: Forecaster,
  message: Timed,
  { channel, pushes, again }: { channel: Channel; pushes: number; again: number },
  now: number,
): Promise<LedgerForecast> {
  const { unit_id: unitId, remind_at: remindAt } = message
  const month = monthOfSend(zone, message, now)
  const send = await forecast({ unitId, channel, month, pushes })
  if (!remindAt || remindAt.getTime() <= now) return send
  const later = monthOf(remindAt, zone.quotaTimeZone)
  const needed = later === month ? pushes + again : again
  const reminder = await forecast({ unitId, channel, month: later, pushes: needed })
  return { ...send, wouldExceed: send.wouldExceed || reminder.wouldExceed }
}

/** Everything that decides who receives a message: its audience and plan, and its category's rules. */
export function audienceSpecOf(message: ForecastRow, category: Category) {
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
