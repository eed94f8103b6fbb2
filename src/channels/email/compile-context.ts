import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { localise } from '../../domain/localise.ts'
import { emailLimits } from './limits.ts'
import type { Violations } from './violations.ts'

/** What all steps of compiling one locale share. */
export type CompileContext = { locale: Locale; violations: Violations }

/** The text a reader of this locale gets, as mail can show it. */
export function printableIn(locale: Locale, text: LocalisedText): string {
  return printable(localise(locale, text))
}

/** The reader's text, with whatever is wrong with it reported under `path`. */
export function readText({ locale, violations }: CompileContext, path: string, text: LocalisedText): string {
  const value = printableIn(locale, text)
  const at = `${path}.${text[locale] === undefined ? 'zh-TW' : locale}`
  if (!/\S/u.test(value)) violations.add(at, 'blank')
  if (!value.isWellFormed()) violations.add(at, 'broken_text')
  return value
}

/** The address of an image, in ASCII. */
export function readImageUrl(sheet: CompileContext, path: string, url: string): string {
  return readUrl(sheet, path, url, /^https?:\/\/./, 'unsupported_image')
}

/** The address behind a link, in ASCII. Nothing that runs (javascript:) or carries content (data:). */
export function readLink(sheet: CompileContext, path: string, url: string): string {
  return readUrl(sheet, path, url, /^(https?:\/\/|line:\/\/|tel:|mailto:)./, 'unsupported_link')
}

function readUrl(
  { violations }: CompileContext,
  path: string,
  url: string,
  open: RegExp,
  code: 'unsupported_image' | 'unsupported_link',
): string {
  const written = new URL(url).href.replaceAll(' ', '%20')
  if (written.length > emailLimits.linkUnits) violations.add(path, 'too_long', emailLimits.linkUnits)
  if (open.test(written)) return written
  violations.add(path, code)
  return '#'
}

/** Line ends as one kind; control characters, which no reader sees and some mail servers refuse, are dropped. */
function printable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\u2028\u2029]/gu, (c) => (c === '\n' || c === '\t' ? c : ''))
}
