import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Channel, channels, type Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { Db, Trx } from '../../connect.ts'
import { shownUnitName } from '../identity/unit.ts'

/**
 * One person's choices for a category, by channel whether it is on. `mandatory`: the category is mandatory and cannot be
 * turned off.
 */
export type CategoryChoice = {
  id: string
  name: LocalisedText
  enabled: boolean
  mandatory: boolean
  /** The channels of the category's plan. */
  channels: Channel[]
  /** The consent without which nothing of it is sent, and whether the person has given it; null: none. */
  consent: { scope: string; given: boolean } | null
} & Record<Channel, boolean>
export type TopicChoice = { id: string; name: LocalisedText; unit: string; active: boolean; on: boolean }
export type Choices = { language: Locale; categories: CategoryChoice[]; topics: TopicChoice[] }

/**
 * A person's options and choices, including disabled categories and inactive topics. Topics are those of units that
 * have written to the person, and those the person has switched off: the page has no room for everybody's.
 */
export async function findChoices(db: Db | Trx, subjectId: string): Promise<Choices | undefined> {
  const { rows } = await sql<Choices>`
    select subject.locale as language,
      (select coalesce(jsonb_agg(jsonb_build_object('id', category.id, 'name', name, 'enabled', category.enabled,
          'mandatory', layer = 'mandatory', 'channels', channel_plan -> 'channels', ${sql.join(channels.map(isOn), sql`,\n          `)},
          'consent', case when consent_scope is not null then jsonb_build_object('scope', consent_scope, 'given', exists (
            select from consent where consent.subject_id = subject.id and scope = consent_scope and withdrawn_at is null
          )) end) order by category.id), '[]')
        from category
          ${sql.join(channels.map(preferenceJoin), sql`\n          `)}
      ) as categories,
      (select coalesce(jsonb_agg(jsonb_build_object('id', topic.id, 'name', topic.name,
          'unit', ${shownUnitName('unit', sql.ref('subject.locale'))}, 'active', status = 'active',
          'on', off.topic_id is null) order by unit.name, topic.id), '[]')
        from topic join unit on unit.id = topic.unit_id
          left join topic_unsubscribe off on off.topic_id = topic.id and off.subject_id = subject.id
        where off.topic_id is not null or topic.unit_id in (
          select message.unit_id from delivery
            join wave on wave.id = delivery.wave_id join message on message.id = wave.message_id
          where delivery.subject_id = subject.id and delivery.state in ('sent', 'unknown')
          union all
          select turn.unit_id from turn where turn.subject_id = subject.id and turn.state in ('sent', 'unknown'))
      ) as topics
    from subject where subject.id = ${subjectId}
  `.execute(db)
  return rows[0]
}

/** A field with the person's choice for a channel: on, unless they have turned it off and may. */
function isOn(channel: Channel): RawBuilder<unknown> {
  return sql`${sql.lit(channel)}, layer = 'mandatory' or coalesce(${sql.ref(channel)}.enabled, true)`
}

function preferenceJoin(channel: Channel): RawBuilder<unknown> {
  const alias = sql.ref(channel)
  return sql`left join preference as ${alias} on ${alias}.subject_id = subject.id and ${alias}.category_id = category.id
            and ${alias}.channel = ${sql.lit(channel)}`
}

/** Locks a person's row, which serialises changes of their choices. */
export async function lockSubject(trx: Trx, subjectId: string): Promise<void> {
  await sql`select from subject where id = ${subjectId} for no key update`.execute(trx)
}

/** Sets the language in which a person is written to. */
export async function setLanguage(trx: Trx, subjectId: string, language: Locale): Promise<void> {
  await trx
    .updateTable('subject')
    .set({ locale: language, updated_at: sql<Date>`now()` })
    .where('id', '=', subjectId)
    .execute()
}

/** Subscribes a person to a topic again. */
export async function resubscribeTopic(trx: Trx, topicId: string, subjectId: string): Promise<void> {
  await trx
    .deleteFrom('topic_unsubscribe')
    .where('subject_id', '=', subjectId)
    .where('topic_id', '=', topicId)
    .execute()
}

/**
 * The subject of a link in a mail: the message of a wave, one of its recipients, and that person's choices and answers
 * so far. `ended`: the links that end have done so. Undefined if wave, message or person no longer exist.
 */
export async function findLinkSubject(db: Db, { waveId, subjectId }: { waveId: string; subjectId: string }) {
  return db
    .selectFrom('wave as w')
    .innerJoin('message as m', 'm.id', 'w.message_id')
    .innerJoin('message_content as content', 'content.message_id', 'm.id')
    .innerJoin('unit as u', 'u.id', 'm.unit_id')
    .innerJoin('category as c', 'c.id', 'm.category_id')
    .leftJoin('wave as r', (join) => join.onRef('r.message_id', '=', 'm.id').on('r.number', '=', 1))
    .innerJoin('subject as s', (join) => join.on('s.id', '=', subjectId))
    .select(['m.id as messageId', 'm.unit_id as unitId', 'm.category_id as categoryId'])
    .select(['c.name as category', 'c.layer'])
    .select(['w.id as waveId', 's.id as subjectId', 's.locale', 'content.frozen'])
    .select(['u.time_zone as timeZone', 'm.remind_at as remindAt', 'r.state as reminder'])
    .select((from) => [
      shownUnitName('u', from.ref('s.locale')).as('unit'),
      sql<boolean>`coalesce(m.expires_at <= clock_timestamp(), false)`.as('over'),
      sql<boolean>`coalesce(w.started_at, m.created_at)
        <= clock_timestamp() - make_interval(days => ${limits.linkDays}::int)`.as('ended'),
      from
        .exists(
          from
            .selectFrom('do_not_remind as d')
            .select('d.at')
            .whereRef('d.message_id', '=', 'm.id')
            .whereRef('d.subject_id', '=', 's.id'),
        )
        .as('notReminded'),
      from
        .exists(
          from
            .selectFrom('preference as p')
            .select('p.enabled')
            .whereRef('p.subject_id', '=', 's.id')
            .whereRef('p.category_id', '=', 'm.category_id')
            .where('p.channel', '=', 'email')
            .where('p.enabled', '=', false),
        )
        .as('off'),
      answersOf(from.ref('m.id'), from.ref('s.id')).as('answers'),
    ])
    .where('w.id', '=', waveId)
    .executeTakeFirst()
}
export type LinkSubject = NonNullable<Awaited<ReturnType<typeof findLinkSubject>>>

/** The last answer of a person to each question of a message: the option `o` of the block `n`. */
type GivenAnswer = { question: string; n: number; o: string }

function answersOf(messageId: Expression<string>, subjectId: Expression<string>) {
  return sql<
    GivenAnswer[]
  >`(select coalesce(jsonb_agg(jsonb_build_object('question', question, 'n', n, 'o', o)), '[]')
    from message_answer a where a.message_id = ${messageId} and a.subject_id = ${subjectId})`
}
