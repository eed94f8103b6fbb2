import { cut } from './lengths.ts'
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

/** The parts a bubble of ours is made of. Two colours: ink for what is read, a quiet one for what stands beside it. */
const ink = '#1f2933'
const quiet = '#5f6b7a'

/** A Flex message; `lines` become its alternative text, which lists, lock screens and screen readers show. */
export function flexMessage(lines: string[], contents: FlexBubble | FlexCarousel): ChatFlex {
  return { type: 'flex', altText: altText(lines), contents }
}

/** The alternative text of a message, as short as the provider wants it. */
export function altText(lines: string[]): string {
  return cut(lines.join('\n'), chatLimits.altTextUnits)
}

/** A bubble of text above buttons. */
export function buttonBubble(text: string, actions: ChatAction[]): FlexBubble {
  return { type: 'bubble', size: 'kilo', body: column([paragraph(text)]), footer: buttonColumn(actions) }
}

/** Buttons below each other, the first one the strongest. */
export function buttonColumn(actions: ChatAction[]): FlexBox<FlexButton> {
  const buttons = actions.map((action, index): FlexButton => {
    const style = index === 0 ? 'primary' : 'secondary'
    return { type: 'button', style, height: 'sm', adjustMode: 'shrink-to-fit', action }
  })
  return { type: 'box', layout: 'vertical', spacing: 'sm', contents: buttons }
}

/** Components below each other. */
export function column(contents: FlexText[]): FlexBox<FlexText> {
  return { type: 'box', layout: 'vertical', spacing: 'md', contents }
}

/** A picture across the whole bubble. */
export function picture(url: string): FlexImage {
  return { type: 'image', url, size: 'full', aspectRatio: '20:13', aspectMode: 'cover' }
}

/** A title, in its own size. */
export function heading(text: string): FlexText {
  return { type: 'text', text, size: 'lg', weight: 'bold', color: ink, wrap: true }
}

/** Text to be read. */
export function paragraph(text: string): FlexText {
  return { type: 'text', text, size: 'md', color: ink, wrap: true }
}

/** A smaller line: what stands above a title, or a note below the text. */
export function note(text: string): FlexText {
  return { type: 'text', text, size: 'sm', color: quiet, wrap: true }
}
