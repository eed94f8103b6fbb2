import { locales } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CreatePattern, PatternQuestion } from '../../contract/patterns/pattern.ts'
import { type Broken, broken } from '../../contract/rules.ts'
import { invisibleIn } from '../../domain/content/invisible-text.ts'
import {
  hasLiquid,
  reasonOf,
  rendererFor,
  undefinedVariable,
  unlessElsewhere,
} from '../../domain/content/liquid.ts'
import { isBounded } from '../../domain/content/liquid-reading.ts'
import { NeedsThread, type RenderMeter } from '../../domain/content/render-steps.ts'
import { patternValues } from '../../domain/pattern/pattern-values.ts'
import type { Issue } from '../validation-error.ts'

/**
 * Its texts become texts of a scenario, which are Liquid, and are checked as these are when they are to be said. They are
 * rendered, too: a name that no run of the pattern has would end every run that comes to it.
 * @throws NeedsThread
 */
export function textIssues(
  { title, description, questions = [], deadline, capacity, calendar }: CreatePattern,
  meter: RenderMeter,
): Issue[] {
  const places = { capacity: capacity ?? null, registered: 0, own: null }
  const facts = { deadline: Date.parse(deadline), ...places, timeZone: 'UTC' }
  const scope = { person: samplePerson, subject: '', pattern: patternValues(facts, facts.deadline - 1) }
  const checked = (path: string, text: LocalisedText | undefined, answered: PatternQuestion[]): Issue[] =>
    locales.flatMap((locale) => {
      const source = text?.[locale]
      if (source === undefined) return []
      const at = `${path}.${locale}`
      const invisible = invisibleIn(source)
      if (invisible) return [{ path: at, ...broken('invisible_character', { of: 'text', value: invisible }) }]
      const answers = Object.fromEntries(answered.map(({ id }) => [id, '']))
      const fault = faultIn(source, { ...scope, answers }, meter)
      return fault === null ? [] : [{ path: at, ...fault }]
    })
  return [
    ...calendarIssues(title, calendar),
    ...checked('title', title, []),
    ...checked('description', description, []),
    ...questions.flatMap(({ text, options = [] }, index) => {
      const earlier = questions.slice(0, index)
      return [
        ...checked(`questions[${index}].text`, text, earlier),
        ...options.flatMap(({ label }, place) =>
          checked(`questions[${index}].options[${place}].label`, label, earlier),
        ),
      ]
    }),
  ]
}

/** A calendar fills in nothing. */
function calendarIssues(title: LocalisedText, calendar: CreatePattern['calendar']): Issue[] {
  if (!calendar) return []
  const isLiquid = (text: LocalisedText | undefined) => Object.values(text ?? {}).some(hasLiquid)
  const fields = (['title', 'location'] as const).filter((field) => isLiquid(calendar[field]))
  const untitled = calendar.title === undefined && isLiquid(title)
  return [
    ...(untitled ? [{ path: 'calendar.title', ...broken('missing', { reason: 'variable_title' }) }] : []),
    ...fields.map((field) => ({
      path: `calendar.${field}`,
      ...broken('has_liquid', { of: 'calendar' }),
    })),
  ]
}

function faultIn(text: string, scope: Record<string, unknown>, meter: RenderMeter): Broken | null {
  if (!hasLiquid(text)) return null
  if (meter.here && !isBounded(text)) throw new NeedsThread()
  try {
    rendererFor({ variables: scope, timeZone: 'UTC' }, meter).render(text, false)
    return null
  } catch (thrown) {
    const error = unlessElsewhere(thrown)
    const name = undefinedVariable(error)
    return name === null
      ? broken('invalid_template', { because: reasonOf(error) })
      : broken('unknown_name', { value: name })
  }
}

const samplePerson = { displayName: null, locale: 'zh-TW', stage: 'member' }
