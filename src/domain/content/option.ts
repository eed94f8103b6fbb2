import { locales } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Action, CanonicalMessage, PostbackData } from '../../contract/messages/content.ts'
import { normaliseText } from '../lib/normalise-text.ts'

/**
 * What can be pressed in a message: an action, or an option of a quick reply. `mutes`: the category that it turns off;
 * `joins`: the group that it adds the person to;
 * `starts`: the scenario that it starts.
 */
export type Option = {
  label: LocalisedText
  /** The producer's id of it; otherwise its place, counted from 1: `<block>.<option>`, or `<block>.<card>.<option>`. */
  id: string
  /**
   * What it answers: a block, or a card of a carousel. The last answer to a question counts. A button that mutes or joins
   * is a question of its own: another tap does not undo its effect.
   */
  question: string
  /** The option of a scenario's question that it stands for, if the block is one. */
  answers?: string
  /** What the block or card says above it. */
  asks: LocalisedText
  /** The producer's data of a postback. */
  data?: PostbackData
  mutes?: string
  joins?: string
  starts?: string
}

/**
 * The option or action `o` (in a carousel `card.action`) of the message `n` in a frozen content. Null if it does not
 * exist or is a link, which sends nothing back.
 */
export function findOption(messages: readonly CanonicalMessage[], n: number, o: string): Option | null {
  const message = messages[n]
  const indices = indicesIn(o)
  if (!message || !indices) return null
  const [first, second] = indices
  const place = [n, ...indices]
  switch (message.kind) {
    case 'card':
    case 'buttons': {
      const asks = 'title' in message ? message.title : message.text
      return second === undefined ? optionOf(message.actions[first!], asks, place) : null
    }
    case 'carousel': {
      const card = message.cards[first!]
      return card && second !== undefined ? optionOf(card.actions[second], card.title, place) : null
    }
    case 'quickReply': {
      const option = second === undefined ? message.options[first!] : undefined
      return option
        ? { ...option, answers: option.id, question: questionAt(place), asks: message.text }
        : null
    }
    default:
      return null
  }
}

/**
 * Where a content has the option or button that a typed text names by its label, in either language. Null: none has it, or
 * more than one, as the cards of a carousel may.
 */
export function placeLabelled(
  messages: readonly CanonicalMessage[],
  text: string,
): { n: number; o: string } | null {
  const wanted = normaliseText(text)
  const places = messages.flatMap((message, n) => indicesOf(message).map((o) => ({ n, o })))
  const same = places.filter(({ n, o }) => {
    const { label } = findOption(messages, n, o) ?? {}
    return locales.some((locale) => normaliseText(label?.[locale] ?? '') === wanted)
  })
  return wanted !== '' && same.length === 1 ? same[0]! : null
}

/** The indices of everything that can be pressed in a message, as `findOption` reads them. */
function indicesOf(message: CanonicalMessage): string[] {
  switch (message.kind) {
    case 'card':
    case 'buttons':
      return message.actions.map((_, index) => String(index))
    case 'carousel':
      return message.cards.flatMap(({ actions }, card) => actions.map((_, index) => `${card}.${index}`))
    case 'quickReply':
      return message.options.map((_, index) => String(index))
    default:
      return []
  }
}

/** One index, or two of a carousel. Null for another spelling of them: a place has one answer. */
function indicesIn(o: string): number[] | null {
  return /^(0|[1-9]\d?)(\.(0|[1-9]\d?))?$/.test(o) ? o.split('.').map(Number) : null
}

function optionOf(action: Action | undefined, asks: LocalisedText, place: number[]): Option | null {
  if (!action || action.kind === 'uri') return null
  const { label } = action
  const option = { label, id: idOf(action) || placeOf(place), question: questionAt(place), asks }
  switch (action.kind) {
    case 'mute':
      return { ...option, question: place.join('.'), mutes: action.categoryId }
    case 'addToGroup':
      return { ...option, question: place.join('.'), joins: action.groupId }
    case 'jumpScenario':
      return { ...option, starts: action.scenarioId }
    case 'postback':
      return { ...option, data: action.data, ...(action.data.o && { answers: action.data.o }) }
    case 'nextNode':
      return { ...option, answers: action.optionId || action.nodeId }
  }
}

function idOf(action: Action): string | undefined {
  if (action.kind === 'postback') return action.data.o
  return action.kind === 'nextNode' ? action.optionId : undefined
}

/** The name of a place: its indices, counted from 1. */
export function placeOf(place: number[]): string {
  return place.map((index) => index + 1).join('.')
}

function questionAt(place: number[]): string {
  return place.slice(0, -1).join('.')
}
