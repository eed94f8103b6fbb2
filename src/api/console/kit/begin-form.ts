import type { Locale } from '../../../contract/enums.ts'
import type { Session } from '../../../contract/identity/sign-in.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { unitField } from './unit-in.ts'

/** What can be begun: the type that the form posts, null for a message, and the words of its button. */
type Beginning = { type: string | null; text: string }

/**
 * A button for each thing that somebody may begin to write in a unit, which it names where they have several. Empty if they
 * are no editor of it.
 */
export function beginForm(
  locale: Locale,
  { units }: Pick<Session, 'units'>,
  unit: Unit,
  beginnings: readonly Beginning[],
): Markup {
  const roles = units.find(({ id }) => id === unit.id)?.roles ?? []
  if (!roles.includes('editor')) return html``
  const [open, close] = locale === 'en' ? [' (', ')'] : ['（', '）']
  const of = units.length > 1 ? `${open}${shownName(locale, unit)}${close}` : ''
  const buttons = beginnings.map(({ type, text }) => {
    const typed = type === null ? html`` : html` name="type" value="${type}"`
    return html`<button${typed}>${text}${of}</button>\n`
  })
  return html`<form method="post" action="/compose" class="acts">${unitField(unit)}${buttons}</form>\n`
}
