import type { Locale } from '../../../contract/enums.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { DrawnConversation } from '../../../services/patterns/play.ts'
import { kitWords } from '../kit/words.ts'
import { drawConversation } from '../preview/chat.ts'

/** A conversation on phones, in each language beside the other. `pictures`: what own pictures' addresses begin with. */
export function playedPhones(
  reader: Locale,
  pictures: string | null,
  played: readonly DrawnConversation[],
): Markup {
  const { languages } = kitWords[reader]
  const phones = played.map(
    ({ locale, turns }) =>
      html`<section aria-label="${languages[locale]}"><h3>${languages[locale]}</h3>
<div lang="${kitWords[locale].lang}">${drawConversation({ reader, pictures }, turns)}</div></section>\n`,
  )
  return html`<div class="columns">\n${phones}</div>\n`
}
