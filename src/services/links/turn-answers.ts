import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Db } from '../../db/connect.ts'
import { findAnsweredRun, lockAnsweredRun } from '../../db/queries/scenario-run/answer.ts'
import type { LinkedTurn } from '../../db/queries/scenario-run/linked-turn.ts'
import { findOwnStart } from '../../db/queries/scenario-run/trigger.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { countAnswer } from '../../metrics/rows.ts'
import type { Services } from '../context.ts'
import { type AnswerResult, answeredBy, pressButton, questionStatus } from '../scenario-runs/record-answer.ts'
import { wakeRuns } from '../wake-scenario-runs.ts'
import type { PageForm } from './answer-page.ts'
import { addressAfter } from './page-address.ts'
import type { PageAddress } from './read-page.ts'
import { chosenIn, readOpening } from './start-on-page.ts'
import type { TurnButton } from './turn-button.ts'

/**
 * Where a button in the mail of a turn stands: it can be pressed, was pressed, the question has another answer (`before`:
 * the label of its option), is over, or for who is registered in its pattern, now or by a run that has ended; or it
 * leads to a scenario that is not active.
 */
export type ButtonState = {
  state: 'open' | 'done' | 'answered' | 'over' | 'registered' | 'registered_before' | 'not_active'
  before?: LocalisedText
}

/**
 * Where a button stands now; null if its run no longer knows the person. One that starts a scenario does so once: pressed
 * again, it would end the conversation that it began. What else answers nothing can always be pressed.
 */
export async function buttonState(
  db: Db,
  { runId, subjectId }: LinkedTurn,
  { node, option }: TurnButton,
): Promise<ButtonState | null> {
  const run = await findAnsweredRun(db, { runId, subjectId, node })
  if (!run) return null
  const scenarioId = idOrNull(option.starts)
  const started = scenarioId === null ? undefined : await findOwnStart(db, { scenarioId, subjectId })
  if (started && run.turnClosedAt && started.at >= run.turnClosedAt) return { state: 'done' }
  const answer = answeredBy(run, option)
  if (!answer) return { state: 'open' }
  const status = questionStatus(run, answer, run.now)
  switch (status.is) {
    case 'answered':
      return { state: 'answered', ...(status.label && { before: status.label }) }
    case 'given':
      return { state: 'done' }
    case 'again':
      return { state: 'open' }
    case 'closed':
    case 'pushes_spent':
      return { state: 'over' }
    default:
      return { state: status.is }
  }
}

/** Presses a button, as a tap in the chat does: what it says is stored before the run is woken. */
export async function pressTurnButton(
  services: Pick<Services, 'db' | 'wake' | 'rendering'>,
  { runId, subjectId, unitId }: LinkedTurn,
  { node, option }: TurnButton,
  form: PageForm,
): Promise<ButtonState | { page: PageAddress } | null> {
  const { starts } = option
  const begins = starts === undefined ? null : await readOpening(services, { unitId, starts })
  const opening = begins && chosenIn(begins, form)
  const result = await services.db.transaction().execute(async (trx) => {
    const run = await lockAnsweredRun(trx, { runId, subjectId, node })
    if (!run) return undefined
    const result = await pressButton(trx, run, option, { at: run.now, webhookEventId: null, opening })
    const goesOn = run.test ? null : addressAfter(result, { runId, subjectId, after: run.turnNumber ?? 0 })
    return { ...result, goesOn }
  })
  if (!result) return null
  wakeRuns(services, result.wakes ?? [])
  countAnswer(result.outcome)
  return result.goesOn ? { page: result.goesOn } : stateAfter(result)
}

function stateAfter({ words }: AnswerResult): ButtonState {
  switch (words?.kind) {
    case 'answered':
      return { state: 'answered', ...(words.label && { before: words.label }) }
    case 'closed':
    case 'pushes_spent':
      return { state: 'over' }
    case 'over':
    case 'registered':
    case 'registered_before':
    case 'not_active':
      return { state: words.kind }
    default:
      return { state: 'done' }
  }
}
