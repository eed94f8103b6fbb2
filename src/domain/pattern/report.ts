import type { RegistrationState } from '../../contract/enums.ts'
import type { PatternQuestion, PatternReport } from '../../contract/patterns/pattern.ts'
import { ratioOf } from '../lib/ratio.ts'
import { declines, skips, takesPart } from './generate.ts'

type InvitationCounts = { invited: number; reached: number; read: number }

/**
 * The counts of a pattern. `kept`: of people whose deliveries or names are gone, to be added to `invitations` and
 * `placesOfDecliners`: who has not said yes since they asked for a place. `optionId` null: typed texts. Of people who have
 * begun to answer and did not come to the end: `underWay`, whose conversation is open, and `refused`, who were told that no
 * place is left.
 */
export type PatternCounts = {
  invitations: InvitationCounts
  kept: Partial<InvitationCounts & { placesOfDecliners: number }>
  places: Partial<Record<RegistrationState, number>>
  answers: { question: string; optionId: string | null; count: number }[]
  placesOfDecliners: number
  underWay: number
  refused: number
}

type Questionnaire = { questions: PatternQuestion[]; attendance: string | null }

/** The numbers about a pattern, and nothing but numbers. */
export function reportOf(pattern: Questionnaire, counts: PatternCounts): PatternReport {
  const { questions, attendance } = pattern
  const { invitations, kept, places, answers } = counts
  const { registered = 0, waitlisted = 0, not_admitted: notAdmitted = 0, withdrawn = 0 } = places
  const { invited, completed } = completionOf(pattern, counts)
  return {
    invited,
    reached: invitations.reached + (kept.reached ?? 0),
    read: invitations.read + (kept.read ?? 0),
    answered: answeredBy(answers, questions[0]),
    ...(attendance === null
      ? { registered: null, waitlisted: null, withdrawn: null }
      : { registered, waitlisted: waitlisted + notAdmitted, withdrawn }),
    ...answersWithoutPlace(pattern, counts),
    stopped: stoppedOf(pattern, counts),
    byOption: Object.fromEntries(
      questions.map(({ id, options = [], required }) => {
        const ids = [...options.map((option) => option.id), ...(required === false ? [skips] : [])]
        return [id, Object.fromEntries(ids.map((option) => [option, chosen(answers, id, option)]))]
      }),
    ),
    completionRate: ratioOf(completed, invited),
  }
}

/** How many people were invited, and how many went to the end. */
export type Completion = { invited: number; completed: number }

/** The completion of a pattern: no more people than were invited, even if others came. */
export function completionOf(pattern: Questionnaire, counts: PatternCounts): Completion {
  const invited = counts.invitations.invited + (counts.kept.invited ?? 0)
  return { invited, completed: Math.min(invited, endedOf(pattern, counts)) }
}

/** Who began to answer, whose conversation is over, and who heard nothing of its end. */
function stoppedOf(pattern: Questionnaire, counts: PatternCounts): number {
  const begun = answeredBy(counts.answers, pattern.questions[0])
  return Math.max(0, begun - endedOf(pattern, counts) - counts.underWay - counts.refused)
}

/** How many came to the end: asked for a place or chose another option; of a survey, answered the last question. */
function endedOf(pattern: Questionnaire, counts: PatternCounts): number {
  const { kept, places, answers, placesOfDecliners } = counts
  const { registered = 0, waitlisted = 0, not_admitted: notAdmitted = 0, withdrawn = 0 } = places
  const { declined, undecided } = answersWithoutPlace(pattern, counts)
  const placeRequests = registered + waitlisted + notAdmitted + withdrawn
  return declined === null || undecided === null
    ? answeredBy(answers, pattern.questions.at(-1))
    : Math.min(
        answeredBy(answers, pattern.questions[0]),
        placeRequests + declined + undecided - placesOfDecliners - (kept.placesOfDecliners ?? 0),
      )
}

/** Who said no, and who chose neither yes nor no; null: there are no places. */
function answersWithoutPlace(
  { questions, attendance }: Questionnaire,
  { answers }: PatternCounts,
): Pick<PatternReport, 'declined' | 'undecided'> {
  if (attendance === null) return { declined: null, undecided: null }
  const answered = answeredBy(
    answers,
    questions.find(({ id }) => id === attendance),
  )
  const declined = chosen(answers, attendance, declines)
  return { declined, undecided: answered - declined - chosen(answers, attendance, takesPart) }
}

type Answers = PatternCounts['answers']

function answeredBy(answers: Answers, question: PatternQuestion | undefined): number {
  return sum(answers.filter((answer) => answer.question === question?.id).map(({ count }) => count))
}

function chosen(answers: Answers, question: string, option: string): number {
  return answers.find((one) => one.question === question && one.optionId === option)?.count ?? 0
}

function sum(counts: number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
