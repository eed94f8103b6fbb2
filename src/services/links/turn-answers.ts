import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Db } from '../../db/connect.ts'
import { findAnsweredRun, lockAnsweredRun } from '../../db/queries/scenario-run/answer.ts'
import type { LinkedTurn } from '../../db/queries/scenario-run/linked-turn.ts'
import { findOwnStart } from '../../db/queries/scenario-run/trigger.ts'
import { findOption, type Option } from '../../domain/content/option.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import type { NodeMessages } from '../../domain/scenario/deliverable-channels.ts'
import { countAnswer } from '../../metrics/rows.ts'
import type { Services } from '../context.ts'
import { type AnswerResult, answeredBy, pressButton, questionStatus } from '../scenario-runs/record-answer.ts'
import { wakeRuns } from '../wake-scenario-runs.ts'

/**
 * Where a button in the mail of a turn stands: it can be pressed, was pressed, the question has another answer (`before`:
 * the label of its option), is over, or for who is registered in its pattern, now or by a run that has ended; or it
 * leads to a scenario that is not active.
 */
export type ButtonState = {
  state: 'open' | 'done' | 'answered' | 'over' | 'registered' | 'registered_before' | 'not_active'
  before?: LocalisedText
}

/** A button in the mail of a turn, and the node that showed it. */
type TurnButton = { node: string; option: Option }

/** The button of a link, by its message's index among all that the turn said; null: none. */
export function findTurnButton({ says }: LinkedTurn, n: number, o: string): TurnButton | null {
  const message = placeIn(says ?? [], n)
  const option = message && findOption(message.messages, message.n, o)
  return option ? { node: message.node, option } : null
}

/** A run numbers the messages of each node by themselves, as the chat does. */
function placeIn(says: NodeMessages[], n: number): (NodeMessages & { n: number }) | null {
  let before = 0
  for (const saying of says) {
    if (n < before + saying.messages.length) return { ...saying, n: n - before }
    before += saying.messages.length
  }
  return null
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
  services: Pick<Services, 'db' | 'wake'>,
  { runId, subjectId }: LinkedTurn,
  { node, option }: TurnButton,
): Promise<ButtonState | null> {
  const result = await services.db.transaction().execute(async (trx) => {
    const run = await lockAnsweredRun(trx, { runId, subjectId, node })
    return run && pressButton(trx, run, option, { at: run.now, webhookEventId: null })
  })
  if (!result) return null
  wakeRuns(services, result.wakes ?? [])
  countAnswer(result.outcome)
  return stateAfter(result)
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
