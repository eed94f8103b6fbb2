import { sql } from 'kysely'
import { clip } from '../../../domain/content/graphemes.ts'
import type { Db } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'
import { joinRunVersion } from '../scenario/version.ts'

/** An open handoff, as the people of its unit choose what to answer next. */
export type OpenHandoff = {
  id: string
  uid: string | null
  /** The name of the scenario; null: the assistant opened it. */
  scenario: string | null
  test: boolean
  /** Whether the unit had the last word, and it was not refused. */
  answered: boolean
  /** When either side said something last. */
  lastMessageAt: Date
  /** The same in microseconds since the epoch, for the place in the list. */
  spoken: number
  /** The beginning of what the person wrote last; null: no text. */
  excerpt: string | null
}

/** Grapheme clusters of what the person said last, and how many characters of Postgres are read for each. */
const excerptLength = 120
const charactersEach = 8

/** Whether the unit had the last word in a `handoff`, and it was not refused. */
const isAnswered = sql<boolean>`coalesce((
          select turn.state not in ('skipped', 'failed')
          from handoff_message as message left join turn on turn.id = message.turn_id
          where message.handoff_id = handoff.id order by message.id desc limit 1), false)`

/** A page of the open handoffs of a unit: those that wait for its answer first, of these the longest silent. */
export async function listOpenHandoffs(
  db: Db,
  unitId: string,
  { after, limit }: RowPage<Pick<OpenHandoff, 'answered' | 'spoken' | 'id'>>,
): Promise<OpenHandoff[]> {
  const { rows } = await sql<OpenHandoff>`
    select * from (
      select handoff.id, subject.uid, version.name as scenario, handoff.test,
        ${isAnswered} as answered, handoff.spoken_at as "lastMessageAt",
        (extract(epoch from handoff.spoken_at) * 1000000)::bigint as spoken, said.excerpt
      from handoff
        left join subject on subject.id = handoff.subject_id
        left join scenario_run as run on run.id = handoff.run_id
        left ${joinRunVersion}
        left join lateral (
          select left(message.text, ${excerptLength * charactersEach}) as excerpt from handoff_message as message
          where message.handoff_id = handoff.id and message.webhook_event_id is not null order by message.id desc limit 1
        ) as said on true
      where handoff.unit_id = ${unitId} and handoff.closed_at is null
    ) as open
    ${after ? sql`where (answered, spoken, id) > (${after.answered}, ${after.spoken}, ${after.id})` : sql``}
    order by answered, spoken, id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, excerpt: row.excerpt && clip(row.excerpt, excerptLength) }))
}

/**
 * How long the person who has waited longest for an answer in an open handoff has waited, since either side spoke last;
 * 0 if nobody waits. A test does not count.
 */
export async function longestUnanswered(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(spoken_at)), 0)::float8 as seconds
    from handoff
    where closed_at is null and not test and not ${isAnswered}`.execute(db)
  return rows[0]!.seconds
}

/** In how many open handoffs of these units the person waits for an answer. */
export async function countUnanswered(db: Db, unitIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from handoff
    where unit_id = any(${unitIds}::uuid[]) and closed_at is null and not ${isAnswered}`.execute(db)
  return rows[0]!.count
}
