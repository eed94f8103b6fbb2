import type { Db } from '../../db/connect.ts'
import { findMessageAnswerFacts, findPatternAnswerFacts } from '../../db/queries/answer/facts.ts'
import type { Answered } from '../../db/queries/answer/organiser.ts'
import { readingOf } from '../../domain/rights/answers.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { readerOf } from './sheet.ts'

/** Whether the caller may read who answered what, or a part of it: what leads to it is offered to nobody else. */
export async function readsAnswers(
  db: Db,
  principal: Principal,
  { kind, id, unitId }: Answered & { unitId: string },
): Promise<boolean> {
  const find = kind === 'message' ? findMessageAnswerFacts : findPatternAnswerFacts
  const facts = await find(db, readerOf(principal), id, [unitId])
  return facts !== undefined && readingOf(principal, facts).refusal === null
}
