import type { Locale } from '../../../contract/enums.ts'
import type { Pattern, PatternQuestion } from '../../../contract/patterns/pattern.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { MessageView } from '../../../services/approvals/messages.ts'
import type { DrawnConversation } from '../../../services/patterns/play.ts'
import { kitWords } from '../kit/words.ts'
import { patternTitle } from './pattern-lines.ts'
import { playedPhones } from './played.ts'

const chinese = {
  form: '問哪些問題',
  free: '（輸入文字）',
  optional: '可略過',
  played: '對話範例',
  aboutPlayed: '以一位參加者為例：願意參加，其他問題都選第一個選項。',
  whole: '完整流程與所有訊息',
  invites: { starts: '按下按鈕後開始：', conversation: '按下按鈕後的對話' },
}

const formWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    form: 'What it asks',
    free: '(a typed text)',
    optional: 'may be skipped',
    played: 'The conversation, played',
    aboutPlayed: 'With a person who takes part, and chooses the first option of every other question.',
    whole: 'The whole graph, with every message',
    invites: { starts: 'Its button starts', conversation: 'The conversation that the button starts' },
  },
}

/** A pattern as its author has filled it in, and its conversation; `steps`, its graph, is there to be unfolded. */
export function patternSections(
  locale: Locale,
  {
    pattern,
    played,
    pictures,
  }: { pattern: Pattern; played: readonly DrawnConversation[]; pictures: string | null },
  steps: Markup,
): Markup {
  const words = formWords[locale]
  const questions = pattern.questions.map((question) => questionOf(locale, question))
  const conversation =
    played.length === 0
      ? html``
      : html`<h2>${words.played}</h2>\n<p class="quiet">${words.aboutPlayed}</p>\n${playedPhones(locale, pictures, played)}`
  return html`<h2>${words.form}</h2>
<ol class="ways">${questions}</ol>
${conversation}<details><summary>${words.whole}</summary>
${steps}</details>\n`
}

function questionOf(locale: Locale, { text, options, required }: PatternQuestion): Markup {
  const { free, optional } = formWords[locale]
  const { comma, colon } = kitWords[locale]
  const answers = options ? options.map(({ label }) => localise(locale, label)).join(comma) : free
  const tag = required === false ? html` <span class="tag">${optional}</span>` : html``
  return html`<li>${localise(locale, text)}${colon}${answers}${tag}</li>\n`
}

/** What the button of an invitation starts: a link to it, and its conversation to be unfolded. */
export function invitationSections(
  locale: Locale,
  { invitations, pictures }: Pick<MessageView, 'invitations' | 'pictures'>,
): Markup {
  const { invites, aboutPlayed } = formWords[locale]
  return html`${invitations.map(({ pattern, played }) => {
    const link = html`<a href="/patterns/${pattern.id}">${patternTitle(locale, pattern)}</a>`
    const head = html`<p>${invites.starts} ${link}</p>\n`
    if (played.length === 0) return head
    return html`${head}<details><summary>${invites.conversation}</summary><p class="quiet">${aboutPlayed}</p>
${playedPhones(locale, pictures, played)}</details>\n`
  })}`
}
