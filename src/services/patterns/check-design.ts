import { isOneOf } from '../../contract/enums.ts'
import type { CreatePattern } from '../../contract/patterns/pattern.ts'
import {
  calendarNodes,
  generatedNodes,
  questionsOf,
  skips,
  takesPart,
} from '../../domain/pattern/generate.ts'
import type { Services } from '../context.ts'
import { type Issue, validationError } from '../validation-error.ts'

/**
 * Checks what a pattern asks for, beyond its schema. `now`: ms since the epoch.
 * @throws ServiceError validation_error with every issue; RetryLater
 */
export async function checkDesign(
  { rendering }: Pick<Services, 'rendering'>,
  unitId: string,
  design: CreatePattern,
  now: number,
): Promise<void> {
  const issues = [
    ...(Date.parse(design.deadline) <= now ? [issue('deadline', 'must be later than now')] : []),
    ...placeIssues(design),
    ...questionIssues(design),
    ...calendarIssues(design),
    ...(await rendering.run(unitId, 'checkPattern', { design })),
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
    ? [issue('waitingList', 'must come with a capacity: without one there is no waiting list')]
    : []
}

function calendarIssues({ type, calendar }: CreatePattern): Issue[] {
  return type === 'survey' && calendar ? [issue('calendar', 'must be omitted: a survey has no places')] : []
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
            'must be true or omitted: it decides who attends, so it cannot be skipped',
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
  return isOneOf(generatedNodes, id) || (design.calendar !== undefined && isOneOf(calendarNodes, id))
}
