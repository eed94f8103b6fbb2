import type { AnswerResult } from '../scenario-runs/record-answer.ts'
import type { PageAddress } from './read-page.ts'

/** Where a conversation goes on after what was pressed in `here`; null: it does not. */
export function addressAfter({ wakes = [], outcome }: AnswerResult, here: PageAddress): PageAddress | null {
  const next = wakes.findLast(({ name }) => name !== 'cancelled')
  if (next) return next.id === here.runId ? here : { ...here, runId: next.id, after: 0 }
  return outcome === 'repeated' ? here : null
}
