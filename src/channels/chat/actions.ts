import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Action } from '../../contract/messages/content.ts'
import { isWebUrl } from '../../domain/content/web-link.ts'
import { type CompileContext, readText } from './compile-context.ts'
import { readLink } from './links.ts'
import type { OptionTap } from './taps.ts'
import type { ChatAction, TapAction } from './wire.ts'

/**
 * A button. The app opens a link itself; every other kind comes back as a tap, including a producer's own postback,
 * whose data stays in the frozen content.
 */
export function compileAction(
  context: CompileContext,
  path: string,
  action: Action,
  tap: OptionTap,
  labelGraphemes: number,
): ChatAction {
  if (action.kind !== 'uri') return tapAction(context, path, action.label, tap, labelGraphemes)
  return {
    type: 'uri',
    label: readText(context, `${path}.label`, action.label, { graphemes: labelGraphemes }),
    uri: linkTo(context, readLink(context, `${path}.url`, action.url), tap),
  }
}

/** A tracked link opens its URL through Carillon. */
function linkTo({ locale, trackLink }: CompileContext, url: string, { n, o }: OptionTap): string {
  return trackLink && isWebUrl(url) ? trackLink({ n: Number(n), o, locale }) : url
}

/** A button that sends a tap; the chat then shows the label as the person's own message. */
export function tapAction(
  context: CompileContext,
  path: string,
  label: LocalisedText,
  tap: OptionTap,
  labelGraphemes: number,
): TapAction {
  const text = readText(context, `${path}.label`, label, { graphemes: labelGraphemes })
  return { type: 'postback', label: text, data: JSON.stringify(tap), displayText: text }
}
