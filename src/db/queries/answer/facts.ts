import { sql } from 'kysely'
import type { MessageKind } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import type { PatternQuestion } from '../../../contract/patterns/pattern.ts'
import type { ScenarioNode } from '../../../contract/scenarios/graph.ts'
import type { Db } from '../../connect.ts'
import { organiserSince } from './organiser.ts'

/** Whose answers are read: `actor`, as in rows; `personId` null: a key. */
export type Reader = { actor: string; personId: string | null }

/** What is asked for a table of answers, and what decides who reads it (src/domain/rights/answers.ts). */
type Facts = {
  id: string
  unitId: string
  timeZone: string
  title: LocalisedText
  submitterSince: Date | null
  organiserSince: Date | null
}

/** `frozen`: what was sent; null: nothing was submitted, or its text is past retention. */
export type MessageAnswerFacts = Facts & {
  kind: MessageKind
  frozen: CanonicalMessage[] | null
  author: boolean
  categoryName: LocalisedText
}

/** A message of these units, as a reader of its answers needs it. */
export async function findMessageAnswerFacts(
  db: Db,
  { actor, personId }: Reader,
  id: string,
  unitIds: string[],
): Promise<MessageAnswerFacts | undefined> {
  const { rows } = await sql<MessageAnswerFacts>`
    select message.id, message.unit_id as "unitId", unit.time_zone as "timeZone", message.title, message.kind,
      content.frozen, category.name as "categoryName",
      case when message.submitted_by = ${actor} then message.submitted_at end as "submitterSince",
      ${organiserSince('message', sql`message.id`, personId)} as "organiserSince",
      exists (select from message_author as author
        where author.message_id = message.id and author.actor = ${actor} and not author.copied) as author
    from message join unit on unit.id = message.unit_id
      join category on category.id = message.category_id
      left join message_content as content on content.message_id = message.id
    where message.id = ${id} and message.unit_id = any(${unitIds}::uuid[])`.execute(db)
  return rows[0]
}

/** `nodes`: of the version in force; before there is one, of the newest. */
export type PatternAnswerFacts = Facts & {
  questions: PatternQuestion[]
  attendance: string | null
  nodes: ScenarioNode[]
}

/**
 * A pattern of these units, as a reader of its answers needs it. Who submitted the version in force answers for it since
 * the first version of theirs that came in force.
 */
export async function findPatternAnswerFacts(
  db: Db,
  { actor, personId }: Reader,
  id: string,
  unitIds: string[],
): Promise<PatternAnswerFacts | undefined> {
  const { rows } = await sql<PatternAnswerFacts>`
    select pattern.id, pattern.unit_id as "unitId", unit.time_zone as "timeZone", title, questions, attendance,
      (select content -> 'nodes' from scenario_version where scenario_id = pattern.scenario_id
        order by state = 'in_force' desc, version desc limit 1) as nodes,
      (select min(past.submitted_at) from scenario_version as past
        where past.scenario_id = pattern.scenario_id and past.submitted_by = ${actor}
          and past.state in ('in_force', 'replaced') and past.decided_at is not null
          and exists (select from scenario_version as now where now.scenario_id = pattern.scenario_id
            and now.state = 'in_force' and now.submitted_by = ${actor})) as "submitterSince",
      ${organiserSince('pattern', sql`pattern.id`, personId)} as "organiserSince"
    from pattern join unit on unit.id = pattern.unit_id
    where pattern.id = ${id} and pattern.unit_id = any(${unitIds}::uuid[])`.execute(db)
  return rows[0]
}
