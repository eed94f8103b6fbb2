import type { Locale } from '../../../contract/enums.ts'
import { html, type Markup } from '../../../html/markup.ts'

/** What a box says: something is done, is to be known, or is to be looked at. */
export type BoxKind = 'done' | 'note' | 'wrong'

const tones: Record<BoxKind, string> = { done: ' good', note: '', wrong: ' stop' }
const roles: Record<BoxKind, Markup> = {
  done: html` role="status"`,
  note: html` role="status"`,
  wrong: html` role="alert"`,
}

const chinese: Record<BoxKind, string> = { done: '完成', note: '提示', wrong: '注意' }
const words: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: { done: 'Done', note: 'Note', wrong: 'Attention' },
}

/** A box in its colour, green, blue or red, which a word says as well. `content`: its paragraphs. */
export function box(locale: Locale, kind: BoxKind, content: Markup): Markup {
  const word = html`<span class="kind">${words[locale][kind]}</span>`
  return html`<div class="box${tones[kind]}"${roles[kind]}>${word}${content}</div>\n`
}
