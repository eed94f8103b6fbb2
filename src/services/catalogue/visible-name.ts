import type { LocalisedText } from '../../contract/localised-text.ts'
import { broken } from '../../contract/rules.ts'
import { invisibleIn } from '../../domain/content/invisible-text.ts'
import { validationError } from '../validation-error.ts'

/**
 * Checks a name that recipients read among those of other units, as the text of a message is checked: it must not change
 * how what stands beside it reads.
 * @throws ServiceError validation_error
 */
export function assertVisible(name: LocalisedText | undefined): void {
  const issues = Object.entries(name ?? {}).flatMap(([locale, text]) => {
    const character = invisibleIn(text)
    if (character === null) return []
    return [{ path: `name.${locale}`, ...broken('invisible_character', { of: 'name', value: character }) }]
  })
  if (issues.length > 0) throw validationError(issues)
}
