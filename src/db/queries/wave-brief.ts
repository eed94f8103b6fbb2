import { sql } from 'kysely'
import type { Locale } from '../../contract/localised-text.ts'
import type { Audience } from '../../domain/audience.ts'
import type { Channel, ChannelPlan } from '../../domain/channel-plan.ts'
import type { Problem, WaveState } from '../../domain/message-state.ts'
import type { Quiet } from '../../domain/quiet-hours.ts'
import type { Db } from '../connect.ts'
import type { Origin } from '../tables.ts'
import type { FrequencyCap, Reminds } from './audience/gates.ts'
import { quiet } from './quiet.ts'

/** What a slice must know of a wave; what changes once the message is approved stands first. */
export type WaveBrief = {
  state: WaveState
  month: string
  /** Deliveries, counted when the rows were written. */
  expected: number | null
  /** An operator gave up who is left. */
  skipRest: boolean
  parked: Problem | null
  /** A parked wave may try again. */
  probeDue: boolean
  now: Date
  /** The message is past its expiry. */
  expired: boolean
  waveId: string
  messageId: string
  unitId: string
  origin: Origin
  /** Of a reminder: of what. */
  reminds: Reminds | null
  audience: Audience
  plan: ChannelPlan
  categoryId: string
  layer: 'mandatory' | 'service' | 'promotional'
  consentScope: string | null
  topicId: string | null
  onUnknown: 'keep' | 'repeat'
  frequencyCap: FrequencyCap | null
  quiet: Quiet | null
  compiled: Partial<Record<Channel, { locales: Record<Locale, { parts: unknown[][] }> }>>
}

/** Reads a wave with its message and content; undefined where there is none. */
export function waveBrief(db: Db, waveId: string): Promise<WaveBrief | undefined> {
  return briefs(db).where('w.id', '=', waveId).executeTakeFirst()
}

/**
 * The same of the wave of a message that is up: the first one, and once it is sent its reminder. Undefined before
 * approval.
 */
export function upWaveBrief(db: Db, messageId: string): Promise<WaveBrief | undefined> {
  return briefs(db)
    .where('m.id', '=', messageId)
    .where('w.number', '=', sql<number>`case m.state when 'sent' then 1 else 0 end`)
    .executeTakeFirst()
}

function briefs(db: Db) {
  return db
    .selectFrom('wave as w')
    .innerJoin('message as m', 'm.id', 'w.message_id')
    .innerJoin('category as c', 'c.id', 'm.category_id')
    .innerJoin('unit as u', 'u.id', 'm.unit_id')
    .innerJoin('message_content as content', 'content.message_id', 'm.id')
    .leftJoin('wave as f', (join) =>
      join.onRef('f.message_id', '=', 'w.message_id').on('f.number', '=', 0).on('w.number', '=', 1),
    )
    .select(
      sql<Reminds | null>`case when f.id is not null
        then jsonb_build_object('messageId', m.id, 'firstWaveId', f.id) end`.as('reminds'),
    )
    .select(['w.id as waveId', 'm.id as messageId', 'm.unit_id as unitId', 'm.origin'])
    .select(['w.state', 'w.month', 'w.expected', 'w.skip_rest as skipRest', 'w.parked'])
    .select(sql<boolean>`coalesce(w.probe_at <= clock_timestamp(), false)`.as('probeDue'))
    .select(sql<boolean>`coalesce(m.expires_at <= clock_timestamp(), false)`.as('expired'))
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .select(['m.audience', 'm.channel_plan as plan', 'c.id as categoryId', 'c.layer'])
    .select(['c.consent_scope as consentScope', 'm.topic_id as topicId', 'c.on_unknown as onUnknown'])
    .select(['c.frequency_cap as frequencyCap', quiet.as('quiet')])
    .select(sql<WaveBrief['compiled']>`coalesce(content.compiled, '{}')`.as('compiled'))
}
