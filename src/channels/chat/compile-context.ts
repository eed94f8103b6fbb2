import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { fitsGraphemes } from '../../domain/content/graphemes.ts'
import { isUnseen } from '../../domain/content/invisible-text.ts'
import { localise } from '../../domain/content/localise.ts'
import type { TrackLink } from '../channel.ts'
import type { Violations } from './violations.ts'

/**
 * Shared by all steps that compile one locale. Without `trackLink`, links lead straight to their URL. `pictures`: below this
 * address are the installation's own pictures.
 */
export type CompileContext = {
  locale: Locale
  violations: Violations
  trackLink?: TrackLink | undefined
  pictures?: string | undefined
}

/** The maximum length of a text, in one of the provider's two units. */
export type Length = { graphemes: number } | { units: number }

/** The text in the reader's locale; its violations are reported under `path`. */
export function readText(
  context: CompileContext,
  path: string,
  text: LocalisedText,
  length?: Length,
): string {
  const value = localise(context.locale, text)
  const at = `${path}.${text[context.locale] === undefined ? 'zh-TW' : context.locale}`
  if (isUnseen(value)) context.violations.add(at, 'blank')
  if (!value.isWellFormed()) context.violations.add(at, 'broken_text')
  if (length && !fits(value, length)) context.violations.add(at, 'too_long', Object.values(length)[0])
  return value
}

/** Whether a text is no longer than this. */
export function fits(value: string, length: Length): boolean {
  return 'units' in length ? value.length <= length.units : fitsGraphemes(value, length.graphemes)
}
