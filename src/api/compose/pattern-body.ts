import { CreatePattern } from '../../contract/patterns/pattern.ts'
import { questionsOf, takesPart } from '../../domain/pattern/generate.ts'
import { bodyIn, type Described, type FieldIssue, readAs } from './described.ts'
import type { Fields } from './fields.ts'

type Written = {
  type?: string
  name?: unknown
  title?: { [locale: string]: unknown }
  questions?: Question[]
}
type Question = { options?: { id?: unknown }[] }

/**
 * Reads the fields of a form as the body that creates a pattern. It is called as its title says, and an rsvp asks first
 * whether people come. `timeZone`: of the unit, in which people write their times.
 */
export function patternDescribedBy(fields: Fields, timeZone: string): Described<CreatePattern> {
  const written = bodyIn(fields, timeZone) as Written
  const { questions, ...rest } = written
  const added = asksFirst(written)
  const all = [...added, ...(questions ?? [])]
  const name = written.name ?? written.title?.['zh-TW']
  const value = { ...rest, name, ...(all.length > 0 && { questions: all }) }
  const described = readAs(CreatePattern, value, fields)
  if (described.body) return described
  const issues = described.issues.filter((issue) => issue.name !== 'name' || written.title !== undefined)
  return { body: null, issues: issuesInForm(issues, added.length) }
}

/** Issues as the form numbers its questions. */
export function issuesInForm(issues: readonly FieldIssue[], added: number): FieldIssue[] {
  return issues.map((issue) => ({
    ...issue,
    name: issue.name.replace(/^questions\.(\d+)/, (_, number) => `questions.${Math.max(0, number - added)}`),
  }))
}

/** How many questions are put before those of a form. */
export function addedTo(fields: Fields, timeZone: string): number {
  return asksFirst(bodyIn(fields, timeZone) as Written).length
}

/** The question that is put before those of an rsvp, which has none that decides; of everything else none. */
function asksFirst({ type, questions = [] }: Written): Question[] {
  if (type !== 'rsvp' || questions.length === 0) return []
  if (questions[0]?.options?.some(({ id }) => id === takesPart)) return []
  const { attendance } = questionsOf({ type, title: { 'zh-TW': '' } })
  return attendance ? [attendance] : []
}
