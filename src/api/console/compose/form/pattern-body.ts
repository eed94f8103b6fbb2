import { CreatePattern, type PatternQuestion } from '../../../../contract/patterns/pattern.ts'
import { questionsOf, takesPart } from '../../../../domain/pattern/generate.ts'
import { type Fields, isRecord } from './fields.ts'
import { bodyIn, type FieldIssue, type ParseResult, readAs } from './parse-form.ts'
import type { Input } from './stand-ins.ts'

/** What a form says, before it is known to be what it should. */
type PatternInput = { type?: unknown; name?: unknown; title?: unknown; questions?: unknown }

/**
 * Reads the fields of a form as the body that creates a pattern. It is called as its title says, and an rsvp asks first
 * whether people come. `timeZone`: of the unit, in which people write their times.
 */
export function parsePatternForm(fields: Fields, timeZone: string): ParseResult<CreatePattern> {
  const result = readPattern(patternInput(fields, timeZone), fields)
  return result.body ? result : { body: null, issues: issuesInForm(result.issues, addedTo(fields, timeZone)) }
}

/** What the fields of a form describe, which need not be a body yet, with the question that is put before its own. */
export function patternInput(fields: Fields, timeZone: string): Input {
  const input = bodyIn(fields, timeZone) as PatternInput
  const added = asksFirst(input)
  return { ...input, ...(added.length > 0 && { questions: [...added, ...listOf(input.questions)] }) }
}

/** Reads it as the body that creates a pattern. It is called as its title says. `fields`: what it was made of. */
export function readPattern(input: Input, fields: Fields): ParseResult<CreatePattern> {
  const name = input.name ?? (isRecord(input.title) ? input.title['zh-TW'] : undefined)
  const result = readAs(CreatePattern, { ...input, name }, fields)
  if (result.body) return result
  return {
    body: null,
    issues: result.issues.filter((issue) => issue.name !== 'name' || input.title !== undefined),
  }
}

/** Issues as the form numbers its questions. */
export function issuesInForm<Issue extends FieldIssue>(issues: readonly Issue[], added: number): Issue[] {
  return issues.map((issue) => ({
    ...issue,
    name: issue.name.replace(/^questions\.(\d+)/, (_, number) => `questions.${Math.max(0, number - added)}`),
  }))
}

/** How many questions are put before those of a form. */
export function addedTo(fields: Fields, timeZone: string): number {
  return asksFirst(bodyIn(fields, timeZone) as PatternInput).length
}

/** The question that is put before those of an rsvp, which has none that decides; of everything else none. */
function asksFirst({ type, questions }: PatternInput): PatternQuestion[] {
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
