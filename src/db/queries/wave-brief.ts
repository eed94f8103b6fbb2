import { sql } from 'kysely'
import type { Locale } from '../../contract/localised-text.ts'
import type { Audience } from '../../domain/audience.ts'
import type { Channel, ChannelPlan } from '../../domain/channel-plan.ts'
import type { MessageState } from '../../domain/message-state.ts'
import type { Db } from '../connect.ts'
import type { Origin, Problem } from '../tables.ts'

/** What a slice must know of a wave; nothing of it changes once the message is approved, except `month` and `parked`. */
export type WaveBrief = {
  waveId: string
  messageId: string
  unitId: string
  origin: Origin
  month: string
  /** Deliveries, counted when the rows were written. */
  expected: number | null
  parked: Problem | null
  /** A parked wave may try again. */
  probeDue: boolean
  now: Date
  audience: Audience
  plan: ChannelPlan
  categoryId: string
  layer: 'mandatory' | 'service' | 'promotional'
  consentScope: string | null
  topicId: string | null
  compiled: Partial<Record<Channel, { locales: Record<Locale, { parts: unknown[][] }> }>>
  messageState: MessageState
  /** Past its expiry. */
  expired: boolean
}

/** Reads a wave with its message and content; undefined where there is none. */
export function waveBrief(db: Db, waveId: string): Promise<WaveBrief | undefined> {
  return briefs(db).where('w.id', '=', waveId).executeTakeFirst()
}

/** The same of a message's first wave; undefined before it was approved. */
export function firstWaveBrief(db: Db, messageId: string): Promise<WaveBrief | undefined> {
  return briefs(db).where('m.id', '=', messageId).where('w.number', '=', 0).executeTakeFirst()
}

function briefs(db: Db) {
  return db
    .selectFrom('wave as w')
    .innerJoin('message as m', 'm.id', 'w.message_id')
    .innerJoin('category as c', 'c.id', 'm.category_id')
    .innerJoin('message_content as content', 'content.message_id', 'm.id')
    .select(['w.id as waveId', 'm.id as messageId', 'm.unit_id as unitId', 'm.origin'])
    .select(['w.month', 'w.expected', 'w.parked'])
    .select(sql<boolean>`coalesce(w.probe_at <= clock_timestamp(), false)`.as('probeDue'))
    .select('m.state as messageState')
    .select(sql<boolean>`coalesce(m.expires_at <= clock_timestamp(), false)`.as('expired'))
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .select(['m.audience', 'm.channel_plan as plan', 'c.id as categoryId', 'c.layer'])
    .select(['c.consent_scope as consentScope', 'm.topic_id as topicId'])
    .select(sql<WaveBrief['compiled']>`coalesce(content.compiled, '{}')`.as('compiled'))
}
