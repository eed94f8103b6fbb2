import { Cleared } from '../../channels/cleared.ts'
import type { PendingTurn } from '../../db/queries/scenario-run/turn.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { failureMessages } from '../../domain/scenario/failure.ts'
import { farewellContent, farewellNode } from '../../domain/scenario/farewell.ts'
import { textsOf } from '../../domain/scenario/node-texts.ts'
import { unusableSays } from '../../domain/scenario/unusable-answer.ts'

/**
 * Whether somebody answers for what a turn says; otherwise it must not be sent. For a turn of a run it is who approved the
 * run's version, of which it says nodes or the farewell; for a test the member who started it, and for a reply in a handoff
 * the member who wrote it. The sentence of a run that fails is the product's own, and so is the one before a question that is
 * asked again.
 */
export function isAnsweredFor(turn: PendingTurn): boolean {
  const { approval, member, says, content } = turn
  return (
    isFailure(turn) || ((approval ?? member) !== null && says.every((saying) => isTextOf(content, saying)))
  )
}

/**
 * Clears what a turn sends; a member's words for this address alone.
 * @throws Error if its content is not approved
 */
export function clearTurn<Content>(turn: PendingTurn, compiled: Content, to: string): Cleared<Content> {
  const { approval, member } = turn
  if (isFailure(turn)) return Cleared.byProduct(compiled, 'run_failed')
  if (isAnsweredFor(turn)) {
    if (approval !== null) return Cleared.byApproval(compiled, approval)
    if (member !== null) return Cleared.byMember(compiled, { by: member, to })
  }
  throw new Error('this turn is not approved')
}

function isFailure({ says }: PendingTurn): boolean {
  return canonicalJson(says) === canonicalJson(failureMessages())
}

/**
 * Whether a version says this: one of its nodes does, with any values of its variables, or it is its farewell; or whether it
 * is what the product says before one of its questions.
 */
function isTextOf(content: PendingTurn['content'], saying: PendingTurn['says'][number]): boolean {
  if (content === null) return true // a reply in a handoff, of which the row of the reply is the whole
  if (canonicalJson(saying) === canonicalJson(unusableSays())) return true
  if (saying.node !== farewellNode) return textsOf(content.nodes).some(({ node }) => node.id === saying.node)
  return (
    content.farewell !== undefined &&
    canonicalJson(saying.messages) === canonicalJson(farewellContent(content.farewell))
  )
}
