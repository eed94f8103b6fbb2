import { locales } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Action, CanonicalMessage, PostbackData } from '../../contract/messages/content.ts'
import type { Graph, ScenarioNode } from '../../contract/scenarios/graph.ts'
import { actionGroups } from '../content/actions.ts'
import { normaliseText } from '../lib/normalise-text.ts'

/** What can be chosen in a question: everything with an id that answers. */
export type QuestionOption = {
  id: string
  label: LocalisedText
  /** The node that a `nextNode` action leads to: it is the option's edge. */
  nodeId?: string
  /** The producer's own data of a postback. */
  data?: PostbackData
}

/**
 * The options of a question, in the order in which they are shown. Links, `mute`, `addToGroup` and `jumpScenario` have
 * their own effect and answer nothing; a postback without an option answers nothing either.
 */
export function optionsOf(message: CanonicalMessage): QuestionOption[] {
  if (message.kind === 'quickReply') return message.options
  return actionGroups([message])
    .flat()
    .flatMap(({ action }) => optionOf(action))
}

function optionOf(action: Action): QuestionOption[] {
  switch (action.kind) {
    case 'nextNode': {
      const { label, nodeId, optionId } = action
      return [{ id: optionId || nodeId, label, nodeId }]
    }
    case 'postback':
      return action.data.o ? [{ id: action.data.o, label: action.label, data: action.data }] : []
    default:
      return []
  }
}

/** The question that gives up a place of its pattern: by an option of its own, else by any; null: the graph has none. */
export function withdrawingQuestion({ nodes, edges }: Graph): ScenarioQuestion | null {
  const questions = nodes.filter((node) => node.kind === 'question')
  const withdraws = (to: string | undefined) =>
    nodes.some((node) => node.id === to && node.kind === 'register' && node.withdraw === true)
  const leadsThere = (id: string, kind: 'option' | 'otherwise') =>
    edges.some(({ from, to, when }) => from === id && when?.kind === kind && withdraws(to))
  return (
    questions.find(({ message }) => optionsOf(message).some(({ nodeId }) => withdraws(nodeId))) ??
    questions.find(({ id }) => leadsThere(id, 'option')) ??
    questions.find(({ id }) => leadsThere(id, 'otherwise')) ??
    null
  )
}

type ScenarioQuestion = Extract<ScenarioNode, { kind: 'question' }>

/** How somebody who waits for a place gives up waiting; it can be typed where no button has it. */
const withdrawal: QuestionOption = { id: 'withdraw', label: { 'zh-TW': '取消候補', en: 'Stop waiting' } }

/**
 * What can be chosen at a node that has said this: the options of a question; of a `register` node, at which somebody
 * waits for a place, the option `withdraw`.
 */
export function optionsAt(node: ScenarioNode | undefined, messages: CanonicalMessage[]): QuestionOption[] {
  const options = messages.flatMap(optionsOf)
  if (node?.kind === 'question') return options
  if (node?.kind !== 'register') return []
  return [options.find(({ id }) => id === withdrawal.id) ?? withdrawal]
}

/** A node that waits longer than this has buttons in the chat: options below it are lost with the next message. */
const quickReplySeconds = 600

/** Whether the chat may show the options of a node below it. Who waits for a place may do so for long. */
export function mayShowBelow(node: ScenarioNode | undefined): boolean {
  if (node?.kind === 'register') return false
  return node?.kind !== 'question' || node.timeoutSeconds <= quickReplySeconds
}

/**
 * When a node whose turn was sent at a moment takes no more answers: a question after its time, and in the scenario of
 * a pattern at its deadline at the latest. All in ms since the epoch; `patternEnds` null: of no pattern.
 */
export function answersUntil(
  node: Extract<ScenarioNode, { kind: 'question' | 'register' }>,
  sentAt: number,
  patternEnds: number | null,
): number {
  const ends = node.kind === 'question' ? sentAt + node.timeoutSeconds * 1_000 : Number.POSITIVE_INFINITY
  return Math.min(ends, patternEnds ?? Number.POSITIVE_INFINITY)
}

/**
 * The option that a typed text names by its label in either language, which people see: letter by letter, else as people
 * mean it. Null: none.
 */
export function optionLabelled(options: QuestionOption[], text: string): QuestionOption | null {
  const wanted = normaliseText(text)
  const labelled = (isSame: (label: string | undefined) => boolean) =>
    options.find(({ label }) => locales.some((locale) => isSame(label[locale])))
  return (
    labelled((label) => label?.trim() === text.trim()) ??
    labelled((label) => isSameText(label, wanted)) ??
    null
  )
}

/** The option that a typed text names: by its label, else by its id or its number. Null: none. */
export function optionNamed(options: QuestionOption[], text: string): QuestionOption | null {
  const wanted = normaliseText(text)
  return (
    optionLabelled(options, text) ??
    options.find(({ id }) => normaliseText(id) === wanted) ??
    options.find((_, index) => String(index + 1) === wanted) ??
    null
  )
}

/** The only option whose label begins with a typed text: “yes” means “Yes, please”. Null: none does, or several do. */
export function optionBegun(options: QuestionOption[], text: string): QuestionOption | null {
  const wanted = normaliseText(text)
  const begun = options.filter(({ label }) => locales.some((locale) => beginsWith(label[locale], wanted)))
  return begun.length === 1 ? begun[0]! : null
}

/** Whether a label begins with this text: with whole words, or in Chinese with two characters at least. */
function beginsWith(label: string | undefined, wanted: string): boolean {
  if (label === undefined || [...wanted].length < 2) return false
  const text = normaliseText(label)
  return text.startsWith(wanted) && !/^[\p{L}\p{N}]{2}$/u.test(lettersAround(text, wanted.length))
}

/** The letter before and after a position of a text, if both are of one word. */
function lettersAround(text: string, at: number): string {
  const around = text.slice(at - 1, at + 1)
  return /\p{Script=Han}/u.test(around) ? '' : around
}

function isSameText(text: string | undefined, wanted: string): boolean {
  return text !== undefined && normaliseText(text) === wanted
}
