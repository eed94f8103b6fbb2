import type { Db } from '../../db/connect.ts'
import { lockAnsweredRun } from '../../db/queries/scenario-run/answer.ts'
import type { Option } from '../../domain/content/option.ts'
import type { NodeMessages } from '../../domain/scenario/deliverable-channels.ts'
import { countAnswer } from '../../metrics/rows.ts'
import type { Services } from '../context.ts'
import { type AnswerResult, pressButton, recordAnswer } from '../scenario-runs/record-answer.ts'
import { wakeRuns } from '../wake-scenario-runs.ts'
import { addressAfter } from './page-address.ts'
import { type ConversationView, type PageAddress, readPage } from './read-page.ts'
import { findButton } from './turn-button.ts'

/** What the form of a page says: the turn that it answers, and the button that was pressed or the text that was typed. */
export type PageForm = { turn: number | null; press: { n: number; o: string } | null; text: string | null }

/** A form that says nothing but that it was sent. */
export const emptyForm: PageForm = { turn: null, press: null, text: null }

/** Characters that a typed answer has at most, as in the chat. */
export const typedMost = 5_000

/** What was typed, without the space around it; null: nothing that can be an answer. */
export function textIn({ text }: PageForm): string | null {
  const typed = text?.replaceAll('\r\n', '\n').trim() ?? ''
  return typed === '' || typed.length > typedMost ? null : typed
}

/** The button that was pressed, and the node that shows it; null: none of these. */
export function optionAt(
  says: readonly NodeMessages[],
  { press }: PageForm,
): { node: string; option: Option } | null {
  return press && findButton([...says], press.n, press.o)
}

/** Where an answer leads: to a page of its own; or why it does not count, as the page then says it. */
export type AnsweredPage = { goesOn: PageAddress } | { stays: ConversationView }

/**
 * Takes an answer on the page of an earlier one, as a tap in the chat would be taken. Given again, it leads to the same next
 * page. Null: the run or its person is gone.
 */
export async function answerOnPage(
  services: Pick<Services, 'db' | 'wake'>,
  address: PageAddress,
  form: PageForm,
): Promise<AnsweredPage | null> {
  const page = await readPage(services.db, address)
  if (!page) return null
  const { view, run, turns } = page
  const { runId } = run
  const turn = turns.find(({ number, channel }) => number === form.turn && channel === 'page')
  if (!turn || view.is === 'expired') return { stays: view }
  const here = { runId, subjectId: address.subjectId, after: turn.number }
  if (view.is === 'passed') return turn.answered ? { goesOn: here } : { stays: view }
  const result = await take(services.db, { ...here, node: turn.lastNode, says: turn.says ?? [] }, form)
  if (!result) return { stays: view }
  wakeRuns(services, result.wakes ?? [])
  countAnswer(result.outcome)
  const goesOn = addressAfter(result, here)
  if (goesOn) return { goesOn }
  const now = await readPage(services.db, address)
  return now && { stays: result.outcome === 'late' ? { ...now.view, is: 'late' } : now.view }
}

type At = { runId: string; subjectId: string; node: string; says: NodeMessages[] }

/** Null: nothing was given that the page offers. */
async function take(
  db: Db,
  { runId, subjectId, node, says }: At,
  form: PageForm,
): Promise<AnswerResult | null> {
  const button = optionAt(says, form)
  const text = form.press ? null : textIn(form)
  if (!button && text === null) return null
  return db.transaction().execute(async (trx) => {
    const run = await lockAnsweredRun(trx, { runId, subjectId, node: button?.node ?? node })
    if (!run) return null
    const moment = { at: run.now, webhookEventId: null }
    if (button) return pressButton(trx, run, button.option, moment)
    const takesText = run.content.edges.some(({ from, when }) => from === node && when?.kind === 'text')
    return takesText ? recordAnswer(trx, run, { option: null, text }, moment) : null
  })
}
