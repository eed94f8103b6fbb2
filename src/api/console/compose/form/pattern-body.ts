import { CreatePattern, type PatternQuestion } from '../../../../contract/patterns/pattern.ts'
import { questionsOf, takesPart } from '../../../../domain/pattern/generate.ts'
import { bodyIn, type Described, type FieldIssue, readAs } from './described.ts'
import { type Fields, isRecord } from './fields.ts'

/** What a form says, before it is known to be what it should. */
type Written = { type?: unknown; name?: unknown; title?: unknown; questions?: unknown }

/**
 * Reads the fields of a form as the body that creates a pattern. It is called as its title says, and an rsvp asks first
 * whether people come. `timeZone`: of the unit, in which people write their times.
 */
export function patternDescribedBy(fields: Fields, timeZone: string): Described<CreatePattern> {
  const written = bodyIn(fields, timeZone) as Written
  const added = asksFirst(written)
  const name = written.name ?? (isRecord(written.title) ? written.title['zh-TW'] : undefined)
  const value = {
    ...written,
    name,
    ...(added.length > 0 && { questions: [...added, ...listOf(written.questions)] }),
  }
  const described = readAs(CreatePattern, value, fields)
  if (described.body) return described
  const issues = described.issues.filter((issue) => issue.name !== 'name' || written.title !== undefined)
  return { body: null, issues: issuesInForm(issues, added.length) }
}

/** Issues as the form numbers its questions. */
export function issuesInForm<Found extends FieldIssue>(issues: readonly Found[], added: number): Found[] {
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
function asksFirst({ type, questions }: Written): PatternQuestion[] {
  const [first] = listOf(questions)
  if (type !== 'rsvp' || first === undefined) return []
  const options = isRecord(first) ? listOf(first.options) : []
  if (options.some((option) => isRecord(option) && option.id === takesPart)) return []
  const { attendance } = questionsOf({ type, title: { 'zh-TW': '' } })
  return attendance ? [attendance] : []
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
