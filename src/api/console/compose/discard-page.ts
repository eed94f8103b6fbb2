import type { Locale } from '../../../contract/enums.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { confirmPage } from '../kit/confirm-page.ts'
import type { Page } from '../kit/page.ts'
import { composeWords } from './words.ts'

/** The page between the two presses that discard what is written. */
export function discardPage(locale: Locale, unit: Unit, item: Pick<Composition, 'id' | 'title'>): Page {
  const words = composeWords[locale]
  return confirmPage(locale, unit, {
    ...{ title: words.discard, text: words.discardText, subject: item.title || words.untitled },
    path: `/compose/${item.id}`,
    fields: { act: 'discarded' },
    ...{ button: words.confirmDiscard, back: words.keep },
  })
}
