import { isOneOf } from '../../contract/enums.ts'
import type { CreatePattern } from '../../contract/patterns/pattern.ts'
import { broken } from '../../contract/rules.ts'
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
    ...(Date.parse(design.deadline) <= now
      ? [{ path: 'deadline', ...broken('in_the_past', { of: 'deadline' }) }]
      : []),
    ...placeIssues(design),
    ...questionIssues(design),
    ...calendarIssues(design),
    ...(await rendering.run(unitId, 'checkPattern', { design })),
  ]
  if (issues.length > 0) throw validationError(issues)
}

const noPlaces = broken('unexpected', { reason: 'survey' })

function placeIssues({ type, capacity, waitingList }: CreatePattern): Issue[] {
  if (type === 'survey')
    return [
      ...(capacity === undefined ? [] : [{ path: 'capacity', ...noPlaces }]),
      ...(waitingList ? [{ path: 'waitingList', ...noPlaces }] : []),
    ]
  return waitingList && capacity === undefined
    ? [{ path: 'waitingList', ...broken('missing', { reason: 'capacity' }) }]
    : []
}

function calendarIssues({ type, calendar }: CreatePattern): Issue[] {
  return type === 'survey' && calendar ? [{ path: 'calendar', ...noPlaces }] : []
}

function questionIssues(design: CreatePattern): Issue[] {
  const { type, questions = [] } = design
  const ids = questions.map(({ id }) => id)
  const [first] = questions
  return [
    ...(type === 'survey' && !first ? [{ path: 'questions', ...broken('no_question') }] : []),
    ...(type === 'rsvp' && first && !first.options?.some(({ id }) => id === takesPart)
      ? [{ path: 'questions[0].options', ...broken('no_attendance', { value: takesPart }) }]
      : []),
    ...(type === 'rsvp' && first?.required === false
      ? [{ path: 'questions[0].required', ...broken('not_skippable') }]
      : []),
    ...ids.flatMap((id, index) => [
      ...(ids.indexOf(id) < index
        ? [{ path: `questions[${index}].id`, ...broken('repeated', { of: 'id', value: id }) }]
        : []),
      ...(isTaken(design, id, index)
        ? [{ path: `questions[${index}].id`, ...broken('reserved', { of: 'node', values: [id] }) }]
        : []),
    ]),
    ...questions.flatMap(({ options = [], required }, index) => {
      const names = options.map(({ id }) => id)
      return names.flatMap((id, place) => [
        ...(names.indexOf(id) < place
          ? [
              {
                path: `questions[${index}].options[${place}].id`,
                ...broken('repeated', { of: 'id', value: id }),
              },
            ]
          : []),
        ...(required === false && id === skips
          ? [
              {
                path: `questions[${index}].options[${place}].id`,
                ...broken('reserved', { of: 'skip', values: [id] }),
              },
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
