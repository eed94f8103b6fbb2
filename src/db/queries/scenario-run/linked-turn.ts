import { sql } from 'kysely'
import type { Layer, Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { Approval } from '../../../domain/rights/approval.ts'
import type { NodeMessages } from '../../../domain/scenario/deliverable-channels.ts'
import type { Db } from '../../connect.ts'
import { shownUnitName } from '../identity/unit.ts'
import { joinRunVersion, versionApproval } from '../scenario/version.ts'
import type { SentMail } from '../subject/sent-mail.ts'

/** The turn of a link in a mail, and its person's choices. `ended`: the links that end have done so. */
export type LinkedTurn = {
  turnId: string
  number: number
  runId: string
  unitId: string
  subjectId: string
  locale: Locale
  unit: string
  categoryId: string
  category: LocalisedText
  layer: Layer
  /** The person has turned mails of the category off. */
  off: boolean
  ended: boolean
  /** What it said; null: erased, or past retention. */
  says: NodeMessages[] | null
}

/** Finds the turn of a link; undefined if turn or person no longer exist. */
export async function findLinkedTurn(
  db: Db,
  { turnId, subjectId }: { turnId: string; subjectId: string },
): Promise<LinkedTurn | undefined> {
  const { rows } = await sql<LinkedTurn>`
    select turn.id as "turnId", turn.number, turn.run_id as "runId", turn.unit_id as "unitId", subject.id as "subjectId",
      subject.locale, ${shownUnitName('unit', sql.ref('subject.locale'))} as unit, category.id as "categoryId",
      category.name as category, category.layer,
      exists (select from preference where preference.subject_id = subject.id
        and preference.category_id = category.id and channel = 'email' and not enabled) as off,
      coalesce(turn.first_try_at, turn.created_at)
        <= clock_timestamp() - make_interval(days => ${limits.linkDays}::int) as ended,
      case when turn.subject_id = subject.id then turn.says end as says
    from turn
      join scenario_run as run on run.id = turn.run_id
      ${joinRunVersion}
      join category on category.id = version.category_id
      join unit on unit.id = turn.unit_id
      join subject on subject.id = ${subjectId}
    where turn.id = ${turnId}`.execute(db)
  return rows[0]
}

/**
 * The mail of a turn to a person; undefined if it was not mailed to them, nobody approved it, or its text is past
 * retention.
 */
export async function findTurnMail(
  db: Db,
  { turnId, subjectId }: { turnId: string; subjectId: string },
): Promise<SentMail | undefined> {
  const { rows } = await sql<{ mail: SentMail['mail'] | null; approval: Approval | null }>`
    select turn.content as mail, ${versionApproval} as approval
    from turn join scenario_run as run on run.id = turn.run_id ${joinRunVersion}
    where turn.id = ${turnId} and turn.subject_id = ${subjectId} and turn.channel = 'email'
      and turn.state in ('pending', 'sent', 'unknown')`.execute(db)
  const { mail, approval } = rows[0] ?? { mail: null, approval: null }
  return mail && approval ? { mail, approval } : undefined
}
