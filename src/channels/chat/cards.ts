import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CardMessage } from '../../contract/messages/content.ts'
import { compileAction } from './actions.ts'
import { type CompileContext, readText } from './compile-context.ts'
import { buttonColumn, column, heading, note, paragraph, picture } from './flex.ts'
import { readFormatted } from './formatted.ts'
import { jsonBytes } from './lengths.ts'
import { chatLimits } from './limits.ts'
import { readImageUrl } from './links.ts'
import type { OptionTap } from './taps.ts'
import type { FlexBubble, FlexCarousel } from './wire.ts'

/** A card as a bubble, with its texts as lines of the alternative text. */
type Card = { bubble: FlexBubble; lines: string[] }

/** Compiles a card; `tapOf` returns the tap of its nth action. */
export function compileCard(
  context: CompileContext,
  path: string,
  card: CardMessage,
  tapOf: (action: number) => OptionTap,
): Card {
  const read = (field: string, text?: LocalisedText) => text && readText(context, `${path}.${field}`, text)
  const header = read('header', card.header)
  const title = readText(context, `${path}.title`, card.title)
  const body = card.body && readFormatted(context, `${path}.body`, { text: card.body, format: card.format })
  const locked = read('lockedReason', card.lockedReason)
  const actions = card.actions.map((action, index) =>
    compileAction(context, `${path}.actions[${index}]`, action, tapOf(index), chatLimits.flexLabelGraphemes),
  )
  const bubble: FlexBubble = {
    type: 'bubble',
    size: 'kilo',
    ...(card.imageUrl && { hero: picture(readImageUrl(context, `${path}.imageUrl`, card.imageUrl)) }),
    body: column([
      ...(header ? [note(header)] : []),
      heading(title),
      ...(body ? [paragraph(body)] : []),
      ...(locked ? [note(`🔒 ${locked}`)] : []),
    ]),
    ...(actions.length > 0 && { footer: buttonColumn(actions) }),
  }
  reportSize(context, path, bubble, chatLimits.bubbleBytes)
  return { bubble, lines: [header, title, body, locked].filter((line) => line !== undefined) }
}

/** Reports a bubble or carousel that exceeds the provider's limit, in bytes. */
export function reportSize(
  context: CompileContext,
  path: string,
  container: FlexBubble | FlexCarousel,
  limit: number,
): void {
  if (jsonBytes(container) > limit) context.violations.add(path, 'too_large', limit)
}
