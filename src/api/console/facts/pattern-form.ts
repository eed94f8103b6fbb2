import type { Locale } from '../../../contract/enums.ts'
import type { Pattern, PatternQuestion } from '../../../contract/patterns/pattern.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { PlayedTurn } from '../../../services/patterns/play.ts'
import { kitWords } from '../kit/words.ts'
import { contentSection } from './content.ts'

const chinese = {
  form: '問哪些問題',
  free: '（輸入文字）',
  optional: '可略過',
  played: '對話範例',
  aboutPlayed: '以一位參加者為例：願意參加，其他問題都選第一個選項。',
  answers: (what: string) => `對方回覆：${what}`,
  whole: '完整流程與所有訊息',
}

const formWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    form: 'What it asks',
    free: '(a typed text)',
    optional: 'may be skipped',
    played: 'The conversation, played',
    aboutPlayed: 'With a person who takes part, and chooses the first option of every other question.',
    answers: (what) => `The person answers: ${what}`,
    whole: 'The whole graph, with every message',
  },
}

/** A pattern as its author has filled it in, and its conversation; `steps`, its graph, is there to be unfolded. */
export function patternSections(
  locale: Locale,
  { pattern, played, names }: { pattern: Pattern; played: readonly PlayedTurn[]; names: Map<string, string> },
  steps: Markup,
): Markup {
  const words = formWords[locale]
  const questions = pattern.questions.map((question) => questionOf(locale, question))
  const turns = played.map(({ messages, answer }) => {
    const blocks = contentSection(locale, messages, { names, trackedAddress: null })
    return html`${blocks}${answer ? html`<p class="quiet">${words.answers(localise(locale, answer))}</p>\n` : html``}`
  })
  const conversation =
    turns.length === 0
      ? html``
      : html`<section class="step"><h3>${words.played}</h3>\n<p class="quiet">${words.aboutPlayed}</p>\n${turns}</section>\n`
  return html`<section class="step"><h3>${words.form}</h3>
<ol class="ways">${questions}</ol></section>
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
