import type { LocalisedText } from '../../contract/localised-text.ts'
import type { TextFormat } from '../../contract/messages/content.ts'
import { isBlank, linksOf, parseLight, plainOf } from '../../domain/content/light.ts'
import { type CompileContext, fits, type Length, readText } from './compile-context.ts'
import { readLink } from './links.ts'

/**
 * A text that may be lightly formatted, as the chat shows it: plain, with the address of a link in brackets after it. Its
 * length is that of what is shown.
 */
export function readFormatted(
  context: CompileContext,
  path: string,
  { text, format }: { text: LocalisedText; format: TextFormat | undefined },
  length?: Length,
): string {
  if (format !== 'light') return readText(context, path, text, length)
  const blocks = parseLight(readText(context, path, text))
  const at = `${path}.${text[context.locale] === undefined ? 'zh-TW' : context.locale}`
  for (const url of linksOf(blocks)) readLink(context, at, url)
  const plain = plainOf(blocks)
  if (isBlank(blocks)) context.violations.add(at, 'blank')
  if (length && !fits(plain, length)) context.violations.add(at, 'too_long', Object.values(length)[0])
  return plain
}
