import { sql } from 'kysely'
import type { Channel, Locale, RunState, TurnChannel, TurnState } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { ScenarioContent } from '../../../contract/scenarios/content.ts'
import type { Approval } from '../../../domain/rights/approval.ts'
import type { NodeMessages } from '../../../domain/scenario/deliverable-channels.ts'
import type { Db } from '../../connect.ts'
import type { Opening } from '../../tables/scenario.ts'
import { shownUnitName } from '../identity/unit.ts'
import { joinRunVersion, versionApproval } from '../scenario/version.ts'

/** A run as the page on which its person answers reads it. */
export type PageRun = {
  runId: string
  subjectId: string
  unit: string
  category: LocalisedText
  locale: Locale
  state: RunState
  node: string
  content: Pick<ScenarioContent, 'nodes' | 'edges'>
  /** Who approved its version; null: nobody. */
  approval: Approval | null
  /** The run has not read yet what happened last. */
  unread: boolean
  /** The node takes no more answers. */
  late: boolean
  /** The person has said something within the minute, and within a day. */
  justSpoke: boolean
  fresh: boolean
  opening: Opening | null
  turns: PageTurn[]
  /** The channel by which the person is reached; null: by none. */
  reachedBy: Channel | null
  /** The run in which the conversation goes on by a jump. */
  next: string | null
}

/** `answered`: the person has answered what it asked. */
export type PageTurn = {
  number: number
  lastNode: string
  state: TurnState
  channel: TurnChannel | null
  says: NodeMessages[] | null
  answered: boolean
}

/** Reads a run for a page; undefined if it does not exist, is somebody else's, or its person was erased. */
export async function findPageRun(
  db: Db,
  { runId, subjectId }: { runId: string; subjectId: string },
): Promise<PageRun | undefined> {
  const { rows } = await sql<PageRun>`
    select run.id as "runId", run.subject_id as "subjectId",
      ${shownUnitName('unit', sql.ref('subject.locale'))} as unit, category.name as category, subject.locale, run.state,
      run.node, version.content, ${versionApproval} as approval, run.observed_version < run.version as unread,
      coalesce(run.deadline <= clock_timestamp(), false) as late,
      coalesce(run.spoke_at > clock_timestamp() - interval '1 minute', false) as "justSpoke",
      coalesce(run.spoke_at > clock_timestamp() - interval '1 day', false) as fresh, run.opening,
      (select coalesce(json_agg(json_build_object('number', number, 'lastNode', last_node, 'state', turn.state,
          'channel', channel, 'says', case when channel = 'page' then says end, 'answered', exists (
            select from scenario_answer as answer where answer.run_id = run.id and answer.node = turn.last_node))
          order by number), '[]')
        from turn where turn.run_id = run.id) as turns,
      (select address.channel from jsonb_array_elements_text(category.channel_plan -> 'channels')
          with ordinality as plan (channel, place)
          join address on address.subject_id = run.subject_id and address.channel = plan.channel and blocked_at is null
        order by place limit 1) as "reachedBy",
      (select next.id from scenario_run as next
        where next.subject_id = run.subject_id and next.id > run.id and next.jumped_from = run.id
        order by next.id limit 1) as next
    from scenario_run as run
      ${joinRunVersion}
      join category on category.id = version.category_id
      join unit on unit.id = run.unit_id
      join subject on subject.id = run.subject_id
    where run.id = ${runId} and run.subject_id = ${subjectId} and not run.test`.execute(db)
  return rows[0]
}
