import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import type { ClickCount } from '../../../domain/content/clicks.ts'
import type { LinkPosition } from '../../../domain/content/web-link.ts'
import { asyncCommit } from '../../async-commit.ts'
import type { Db } from '../../connect.ts'

/** What a tracked link names: a message, or one of its waves with a person, as in a mail. */
export type LinkedMessage = { messageId: string } | { waveId: string; subjectId: string }

/** A message with a tracked link, as needed to open it. `message`: the one of the content that has the link. */
type OpenedMessage = {
  messageId: string
  message: CanonicalMessage | null
  tracked: boolean
  /** Its send has begun. */
  sent: boolean
  /** Its text is past retention, or was erased. */
  purged: boolean
}

/** The message of a tracked link, with the nth message of its frozen content; undefined if it does not exist. */
export async function findOpenedMessage(
  db: Db,
  linked: LinkedMessage,
  n: number,
): Promise<OpenedMessage | undefined> {
  const messageId =
    'waveId' in linked
      ? sql`(select message_id from wave where id = ${linked.waveId})`
      : sql`${linked.messageId}`
  const { rows } = await sql<OpenedMessage>`
    select m.id as "messageId", content.frozen -> ${n}::int as message, content.tracked,
      m.purged_at is not null as purged,
      exists (select from wave where wave.message_id = m.id and wave.started_at is not null) as sent
    from message m join message_content content on content.message_id = m.id
    where m.id = ${messageId}::uuid
  `.execute(db)
  return rows[0]
}

export async function countChatClick(db: Db, messageId: string, place: LinkPosition): Promise<void> {
  await countClick(db, { messageId, ...place, channel: 'chat' }, sql`0`)
}

/** Counts a click on a link of a mail, and its person the first time. A person who was erased is not counted. */
export async function countMailClick(
  db: Db,
  { messageId, subjectId }: { messageId: string; subjectId: string },
  place: LinkPosition,
): Promise<void> {
  const { n, o } = place
  const first = sql`
    insert into mail_click (message_id, subject_id, n, o)
    select ${messageId}, id, ${n}, ${o} from subject where id = ${subjectId} for key share
    on conflict do nothing returning 1`
  await countClick(db, { messageId, ...place, channel: 'email' }, sql`(select count(*) from clicked)`, first)
}

type Clicked = { messageId: string; channel: Channel } & LinkPosition

async function countClick(
  db: Db,
  { messageId, n, o, channel, locale }: Clicked,
  people: RawBuilder<unknown>,
  clicked: RawBuilder<unknown> = sql`select`,
): Promise<void> {
  await sql`
    with clicked as (${clicked})
    insert into click_count as counted (message_id, n, o, channel, locale, clicks, people)
    select ${messageId}, ${n}, ${o}, ${channel}, ${locale}, 1, ${people} where ${asyncCommit}
    on conflict (message_id, n, o, channel, locale)
      do update set clicks = counted.clicks + 1, people = counted.people + excluded.people
  `.execute(db)
}

/** The clicks on the links of a message, as JSON. */
export function clickCounts(messageId: Expression<string>): RawBuilder<ClickCount[]> {
  return sql<ClickCount[]>`(
    select coalesce(jsonb_agg(to_jsonb(counted) - 'message_id'), '[]') from click_count as counted
    where counted.message_id = ${messageId})`
}
