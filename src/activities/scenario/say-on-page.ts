import type { Trx } from '../../db/connect.ts'
import { insertScenarioAnswer } from '../../db/queries/scenario-run/answer.ts'
import {
  closeOpening,
  endPageTurn,
  leavePage,
  lockPageTurn,
  type PageTurn,
} from '../../db/queries/scenario-run/page-turn.ts'
import { findPendingTurn, type PendingTurn } from '../../db/queries/scenario-run/turn.ts'
import { notApproved } from '../../domain/rights/approval.ts'
import { countAnswer } from '../../metrics/rows.ts'
import { countTurn } from '../../metrics/sending.ts'
import type { Services } from '../../services/context.ts'
import { isAnsweredFor } from '../../services/scenario-runs/clear-turn.ts'

type Judgement =
  | { do: 'end'; state: 'sent' | 'skipped' | 'failed'; reason: string | null }
  /** It waits for the scenario; or the person's own channel says it, since nobody reads the page any more. */
  | { do: 'wait' | 'leave' }

/**
 * Says a turn on the page on which its person has answered: it is sent once the page can show it, needs no address and costs
 * nothing. Safe to repeat.
 */
export async function sayOnPage({ db }: Services, runId: string): Promise<void> {
  const turn = await findPendingTurn(db, runId)
  if (!turn?.onPage) return
  const result = await db.transaction().execute(async (trx) => {
    const locked = await lockPageTurn(trx, turn)
    if (!locked) return undefined
    const judgement = judge(turn, locked)
    if (judgement.do === 'leave') await leavePage(trx, turn)
    if (judgement.do !== 'end') return undefined
    await endPageTurn(trx, turn, judgement)
    return {
      ...judgement,
      answered: judgement.state === 'sent' && (await takeOpening(trx, turn, runId, locked)),
    }
  })
  if (!result) return
  countTurn(turn, 'page', result.state)
  if (result.answered) countAnswer('answered')
}

/** What was chosen before its question was asked has been read there: it counts however late its turn is. */
function judge(turn: PendingTurn, locked: PageTurn): Judgement {
  if (locked.over) return { do: 'end', state: 'skipped', reason: 'over' }
  if (!isAnsweredFor(turn)) return { do: 'end', state: 'failed', reason: notApproved }
  if (locked.held) return { do: 'wait' }
  if (locked.reads || isChosen(turn, locked)) return { do: 'end', state: 'sent', reason: null }
  return { do: 'leave' }
}

function isChosen({ lastNode }: PendingTurn, { opening }: PageTurn): boolean {
  return opening !== null && 'node' in opening && opening.node === lastNode
}

/**
 * Stores what the person chose on the page that started the run, if it is this question that they read there; where their own
 * way asks another, they answer that. Returns whether it was stored.
 */
async function takeOpening(
  trx: Trx,
  { lastNode, content }: PendingTurn,
  runId: string,
  { opening, number }: PageTurn,
): Promise<boolean> {
  if (opening === null || !('node' in opening)) return false
  const isTaken = opening.node === lastNode
  const asks = content?.nodes.some(({ id, kind }) => id === lastNode && kind === 'question')
  if (isTaken) await insertScenarioAnswer(trx, { runId, ...opening, webhookEventId: null, onPage: 'earlier' })
  if (isTaken || asks) await closeOpening(trx, runId, isTaken ? number : null)
  return isTaken
}
