import { idOrNull } from '../../../domain/lib/id.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { Members } from '../answers/organisers.ts'
import { answersWords } from '../answers/words.ts'
import { type Fields, valuesOf } from './form/fields.ts'
import { organisersField } from './form/parse-form.ts'
import { chips, type FormState } from './inputs.ts'

/** Who is to read the answers, which its approver sees; folded while nobody is named. */
export function organisersSection(form: FormState, members: Members): Markup {
  const { title, hint } = answersWords[form.locale].organisers
  const open = organisersOf(form.fields).length > 0 ? html` open` : html``
  const names = members.map(({ id, name }) => [id, name] as const)
  return html`<details${open}><summary>${title}</summary>
<p class="quiet">${hint}</p>
${chips(form, organisersField, title, names)}</details>\n`
}

/** The ids of those who are named in what is written. */
export function organisersOf(fields: Fields): string[] {
  return valuesOf(fields, `${organisersField}[]`)
    .map(idOrNull)
    .filter((id) => id !== null)
}
