import type { RegistrationState } from '../../contract/enums.ts'
import type { PatternQuestion, PatternReport } from '../../contract/patterns/pattern.ts'
import { skips, takesPart } from './generate.ts'

type Told = { invited: number; reached: number; read: number }

/**
 * The counts of a pattern. `kept`: of people whose deliveries or names are gone, to be added to `told`. `optionId` null:
 * typed texts. `placesOfDecliners`: who has declined after they had asked for a place.
 */
export type PatternCounts = {
  told: Told
  kept: Partial<Told>
  places: Partial<Record<RegistrationState, number>>
  answers: { question: string; optionId: string | null; count: number }[]
  placesOfDecliners: number
}

/** The numbers about a pattern, and nothing but numbers. */
export function reportOf(
  { questions, attendance }: { questions: PatternQuestion[]; attendance: string | null },
  { told, kept, places, answers, placesOfDecliners }: PatternCounts,
): PatternReport {
  const countOf = (question: string | undefined) =>
    sum(answers.filter((answer) => answer.question === question).map(({ count }) => count))
  const [first, last] = [questions.at(0)?.id, questions.at(-1)?.id]
  const { registered = 0, waiting = 0, full = 0, withdrawn = 0 } = places
  const chosen = (question: string, option: string) =>
    answers.find((one) => one.question === question && one.optionId === option)?.count ?? 0
  const declined = attendance === null ? null : countOf(attendance) - chosen(attendance, takesPart)
  const answered = countOf(first)
  const asked = registered + waiting + full + withdrawn
  const completed =
    declined === null ? countOf(last) : Math.min(answered, asked + declined - placesOfDecliners)
  const invited = told.invited + (kept.invited ?? 0)
  return {
    invited,
    reached: told.reached + (kept.reached ?? 0),
    read: told.read + (kept.read ?? 0),
    answered,
    ...(attendance === null
      ? { registered: null, waiting: null, withdrawn: null }
      : { registered, waiting: waiting + full, withdrawn }),
    declined,
    byOption: Object.fromEntries(
      questions.map(({ id, options = [], required }) => {
        const ids = [...options.map((option) => option.id), ...(required === false ? [skips] : [])]
        return [id, Object.fromEntries(ids.map((option) => [option, chosen(id, option)]))]
      }),
    ),
    completionRate: invited === 0 ? null : Math.round(Math.min(1, completed / invited) * 10_000) / 10_000,
  }
}

function sum(counts: number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
