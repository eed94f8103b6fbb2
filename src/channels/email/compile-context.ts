import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { isUnseen } from '../../domain/content/invisible-text.ts'
import { localise } from '../../domain/content/localise.ts'
import { asciiUrl } from '../../domain/content/web-link.ts'
import { emailLimits } from './limits.ts'
import type { Violations } from './violations.ts'

/** Shared by all steps that compile one locale. `tracked`: whether links lead through Carillon, which counts clicks. */
export type CompileContext = { locale: Locale; violations: Violations; tracked: boolean }

/** The text in this locale, without characters that mail cannot show. */
export function printableIn(locale: Locale, text: LocalisedText): string {
  return printable(localise(locale, text))
}

/** The text in the reader's locale; its violations are reported under `path`. */
export function readText({ locale, violations }: CompileContext, path: string, text: LocalisedText): string {
  const value = printableIn(locale, text)
  const at = `${path}.${text[locale] === undefined ? 'zh-TW' : locale}`
  if (isUnseen(value)) violations.add(at, 'blank')
  if (!value.isWellFormed()) violations.add(at, 'broken_text')
  return value
}

/** An image URL, in ASCII. */
export function readImageUrl(context: CompileContext, path: string, url: string): string {
  return readUrl(context, path, url, /^https?:\/\/./, 'unsupported_image')
}

/** A link's URL, in ASCII. Rejects schemes that run code (javascript:) or carry content (data:). */
export function readLink(context: CompileContext, path: string, url: string): string {
  return readUrl(context, path, url, /^(https?:\/\/|line:\/\/|tel:|mailto:)./, 'unsupported_link')
}

function readUrl(
  { violations }: CompileContext,
  path: string,
  url: string,
  open: RegExp,
  code: 'unsupported_image' | 'unsupported_link',
): string {
  const address = asciiUrl(url)
  if (address.length > emailLimits.linkUnits) violations.add(path, 'too_long', emailLimits.linkUnits)
  if (open.test(address)) return address
  violations.add(path, code)
  return '#'
}

/** Normalises line ends and drops control characters, which are invisible and rejected by some mail servers. */
function printable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\u2028\u2029]/gu, (c) => (c === '\n' || c === '\t' ? c : ''))
}
