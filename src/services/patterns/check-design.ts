import { isOneOf, locales } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CreatePattern, PatternQuestion } from '../../contract/patterns/pattern.ts'
import { invisibleIn } from '../../domain/invisible-text.ts'
import { faultOf, parseText, readingClock, rendererFor, undefinedVariable } from '../../domain/liquid.ts'
import { generatedNodes, questionsOf, skips, takesPart } from '../../domain/pattern/generate.ts'
import { patternValues } from '../../domain/pattern/pattern-values.ts'
import { type Issue, validationError } from '../validation-error.ts'

/**
 * Checks what a pattern asks for, beyond its schema. `now`: ms since the epoch.
 * @throws ServiceError validation_error with every issue
 */
export function checkDesign(design: CreatePattern, now: number): void {
  const issues = [
    ...(Date.parse(design.deadline) <= now ? [issue('deadline', 'must be later than now')] : []),
    ...placeIssues(design),
    ...questionIssues(design),
    ...textIssues(design),
  ]
  if (issues.length > 0) throw validationError(issues)
}

function issue(path: string, message: string): Issue {
  return { path, message }
}

function placeIssues({ type, capacity, waitingList }: CreatePattern): Issue[] {
  if (type === 'survey')
    return [
      ...(capacity === undefined ? [] : [issue('capacity', 'must be omitted: a survey has no places')]),
      ...(waitingList ? [issue('waitingList', 'must be omitted: a survey has no places')] : []),
    ]
  return waitingList && capacity === undefined
    ? [issue('waitingList', 'must come with a capacity: without one nobody has to wait')]
    : []
}

function questionIssues(design: CreatePattern): Issue[] {
  const { type, questions = [] } = design
  const ids = questions.map(({ id }) => id)
  const [first] = questions
  return [
    ...(type === 'survey' && !first
      ? [issue('questions', 'must have a question: a survey asks something')]
      : []),
    ...(type === 'rsvp' && first && !first.options?.some(({ id }) => id === takesPart)
      ? [issue('questions[0].options', `must have an option ${takesPart}: who chooses it comes`)]
      : []),
    ...(type === 'rsvp' && first?.required === false
      ? [
          issue(
            'questions[0].required',
            'must be true or omitted: it decides who comes, so nobody can skip it',
          ),
        ]
      : []),
    ...ids.flatMap((id, index) => [
      ...(ids.indexOf(id) < index
        ? [issue(`questions[${index}].id`, `must be used once; ${id} is used twice`)]
        : []),
      ...(isTaken(design, id, index)
        ? [
            issue(
              `questions[${index}].id`,
              `must be another one: ${id} is a node of every scenario of this type`,
            ),
          ]
        : []),
    ]),
    ...questions.flatMap(({ options = [], required }, index) => {
      const names = options.map(({ id }) => id)
      return names.flatMap((id, place) => [
        ...(names.indexOf(id) < place
          ? [issue(`questions[${index}].options[${place}].id`, `must be used once; ${id} is used twice`)]
          : []),
        ...(required === false && id === skips
          ? [
              issue(
                `questions[${index}].options[${place}].id`,
                `must be another one: ${id} skips the question`,
              ),
            ]
          : []),
      ])
    }),
  ]
}

/** An rsvp may write the question that decides under its own id. */
function isTaken(design: CreatePattern, id: string, index: number): boolean {
  if (
    design.type === 'rsvp' &&
    index === 0 &&
    id === questionsOf({ type: 'rsvp', title: design.title }).attendance?.id
  )
    return false
  return isOneOf(generatedNodes, id)
}

/**
 * Its texts become texts of a scenario, which are Liquid, and are checked as these are when they are to be said. They are
 * rendered, too: a name that no run of the pattern has would end every run that comes to it.
 */
function textIssues({ title, description, questions = [], deadline, capacity }: CreatePattern): Issue[] {
  const check = readingClock()
  const places = { capacity: capacity ?? null, registered: 0, own: null }
  const facts = { deadline: Date.parse(deadline), ...places, timeZone: 'UTC' }
  const known = { person: samplePerson, subject: '', pattern: patternValues(facts, facts.deadline - 1) }
  const checked = (path: string, text: LocalisedText | undefined, answered: PatternQuestion[]): Issue[] =>
    locales.flatMap((locale) => {
      const written = text?.[locale]
      if (written === undefined) return []
      const at = `${path}.${locale}`
      const invisible = invisibleIn(written)
      if (invisible) return [issue(at, `must not contain the invisible control character ${invisible}`)]
      try {
        check()
        const answers = Object.fromEntries(answered.map(({ id }) => [id, '']))
        rendererFor({ ...known, answers })(() => parseText(written))
        return []
      } catch (error) {
        const name = undefinedVariable(error)
        return [issue(at, name === null ? `must be a valid template; ${faultOf(error)}` : unknownName(name))]
      }
    })
  return [
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

const samplePerson = { displayName: null, locale: 'zh-TW', stage: 'member' }

function unknownName(name: string): string {
  return (
    `must not name ${name}, which has no value here. It may name person.displayName, pattern.left and the others of ` +
    'pattern, and answers.<id> of earlier questions; add other variables to the scenario'
  )
}
