import { cut } from '../../domain/content/graphemes.ts'
import { palette } from '../palette.ts'
import { chatLimits } from './limits.ts'
import type {
  ChatAction,
  ChatFlex,
  FlexBox,
  FlexBubble,
  FlexButton,
  FlexCarousel,
  FlexImage,
  FlexText,
} from './wire.ts'

/** The components of a bubble, which is light in every chat app: `ink` for main text, `quiet` for notes. */
const { ink, quiet, accent } = palette.light

/** A Flex message; `lines` become its alternative text, for chat lists, lock screens and screen readers. */
export function flexMessage(lines: string[], contents: FlexBubble | FlexCarousel): ChatFlex {
  return { type: 'flex', altText: altText(lines), contents }
}

/** The alternative text of a message, cut to the provider's limit. */
export function altText(lines: string[]): string {
  return cut(lines.join('\n'), chatLimits.altTextUnits)
}

/** A bubble of text above buttons. */
export function buttonBubble(text: string, actions: ChatAction[]): FlexBubble {
  return { type: 'bubble', size: 'kilo', body: column([paragraph(text)]), footer: buttonColumn(actions) }
}

/** A bubble of Carillon's own, which does not stand out from the producer's content: a note above mild buttons. */
export function quietBubble(text: string, actions: ChatAction[]): FlexBubble {
  const footer = buttonBox(actions.map((action) => button(action, 'secondary')))
  return { type: 'bubble', size: 'kilo', body: column([note(text)]), footer }
}

/** Stacked buttons; the first is the primary one. */
export function buttonColumn(actions: ChatAction[]): FlexBox<FlexButton> {
  return buttonBox(actions.map((action, index) => button(action, index === 0 ? 'primary' : 'secondary')))
}

function buttonBox(contents: FlexButton[]): FlexBox<FlexButton> {
  return { type: 'box', layout: 'vertical', spacing: 'sm', contents }
}

function button(action: ChatAction, style: FlexButton['style']): FlexButton {
  const look = style === 'primary' ? { style, color: accent } : { style }
  return { type: 'button', ...look, height: 'sm', adjustMode: 'shrink-to-fit', action }
}

/** Stacked components. */
export function column(contents: FlexText[]): FlexBox<FlexText> {
  return { type: 'box', layout: 'vertical', spacing: 'md', contents }
}

/** A picture as wide as the bubble. */
export function picture(url: string): FlexImage {
  return { type: 'image', url, size: 'full', aspectRatio: '20:13', aspectMode: 'cover' }
}

/** A title. */
export function heading(text: string): FlexText {
  return { type: 'text', text, size: 'lg', weight: 'bold', color: ink, wrap: true }
}

/** Body text. */
export function paragraph(text: string): FlexText {
  return { type: 'text', text, size: 'md', color: ink, wrap: true }
}

/** A smaller line: above a title, or a note below the text. */
export function note(text: string): FlexText {
  return { type: 'text', text, size: 'sm', color: quiet, wrap: true }
}
