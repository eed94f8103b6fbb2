import type { Category } from '../../../contract/catalogue/category.ts'
import type { Locale, PatternType } from '../../../contract/enums.ts'
import { isOneOf, patternTypes } from '../../../contract/enums.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { DrawnConversation } from '../../../services/patterns/play.ts'
import { numberOf, zoneName } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { drawConversation } from '../preview/chat.ts'
import { issueLines } from './check.ts'
import { askedKinds } from './form/acts.ts'
import type { FieldIssue } from './form/described.ts'
import { numbersIn } from './form/fields.ts'
import { composeFrame, type Framed } from './frame.ts'
import {
  bothLanguages,
  changeButton,
  field,
  hidden,
  idOf,
  moveButtons,
  notesOf,
  type Place,
  select,
  toggle,
  valueIn,
  type Written,
} from './inputs.ts'
import { calendarFields } from './when.ts'
import { composeWords } from './words.ts'

/** `played`: the conversation in each language, null: it cannot be played yet; `refused`: what the server would not take. */
type Shown = Framed & {
  categories: readonly Category[]
  issues: readonly FieldIssue[]
  refused: string | null
  played: readonly DrawnConversation[] | null
  pictures: string | null
}

/** The page on which a registration, a survey or an rsvp is written, and beside it the conversation. */
export function patternForm(locale: Locale, shown: Shown): Page {
  const words = composeWords[locale]
  const { composition, categories, issues, played } = shown
  const written: Written = { locale, fields: composition.form, issues, shown: new Set() }
  const type = typeIn(written)
  const category = categories.find(({ id }) => id === valueIn(written, 'categoryId'))
  const submits = category?.approval_rule === 'manual' ? words.pattern.submit : words.pattern.open
  const places = type === 'survey' ? [] : [placesSection(written)]
  return composeFrame(locale, shown, {
    title: words.pattern.titles[type],
    written,
    sections: [aboutSection(written, shown), ...places, questionsSection(written, type)],
    check: checkLines(written, shown),
    aside: html``,
    submit: played ? html`<button class="mild" name="act" value="submit">${submits}</button>` : html``,
    seen: conversation(locale, shown),
    notice: html``,
  })
}

function typeIn(written: Pick<Written, 'fields'>): PatternType {
  const type = valueIn(written, 'type')
  return isOneOf(patternTypes, type) ? type : 'registration'
}

function aboutSection(written: Written, { unit, categories }: Shown): Markup {
  const { locale } = written
  const words = composeWords[locale]
  const { fields } = words
  const named = categories.map(({ id, name }) => [id, localise(locale, name)] as const)
  const zone = zoneName(locale, unit.timeZone, new Date().toISOString())
  return html`<h2>${words.pattern.about}</h2>
${[
  hidden(written, 'type'),
  bothLanguages(written, 'title', fields.title),
  bothLanguages(written, 'description', fields.description, { rows: 3, optional: true }),
  select(written, 'categoryId', fields.categoryId, named, words.choose),
  field(written, 'deadline', fields.deadline, { type: 'datetime-local' }),
]}<p class="quiet">${words.zone(zone)}</p>\n`
}

function placesSection(written: Written): Markup {
  const words = composeWords[written.locale]
  return html`<h2>${words.pattern.places}</h2>
${[
  field(written, 'capacity#', words.fields.capacity, { type: 'number', optional: true }),
  toggle(written, 'waitingList#', 'true', words.fields.waitingList),
  calendarFields(written),
]}`
}

/** An rsvp asks first whether people come, and a registration whether they register: those need not be written. */
function questionsSection(written: Written, type: PatternType): Markup {
  const words = composeWords[written.locale]
  const questions = numbersIn(written.fields, 'questions').map((number, at, all) =>
    questionFields(written, `questions.${number}`, {
      at: at + 1,
      first: at === 0,
      last: at === all.length - 1,
    }),
  )
  const adds = askedKinds.map((kind) => changeButton(`add ${kind}`, `＋ ${words.pattern.asks[kind]}`))
  return html`<h2>${words.pattern.questions}</h2>
<p class="quiet">${words.pattern.first[type]}</p>
<div id="questions">${notesOf(written, 'questions').notes}${questions}</div><div class="acts adds" role="group" aria-label="${words.add}">${adds}</div>\n`
}

function questionFields(written: Written, path: string, place: Place): Markup {
  const { locale } = written
  const words = composeWords[locale]
  const legend = words.numbered(words.entry.questions, numberOf(locale, place.at))
  const options = numbersIn(written.fields, `${path}.options`).map((number, index) =>
    optionFields(written, `${path}.options.${number}`, index + 1),
  )
  const { notes } = notesOf(written, `${path}.options`)
  const more = changeButton(`more ${path}.options`, words.more.options)
  const list =
    options.length === 0
      ? html`<p class="quiet">${words.pattern.typed}</p>\n`
      : html`<div id="${idOf(`${path}.options`)}">${notes}${options}</div><p>${more}</p>\n`
  return html`<fieldset class="written"><legend>${legend}</legend>${[
    hidden(written, `${path}.id`),
    bothLanguages(written, `${path}.text`, words.fields.question),
    list,
    toggle(written, `${path}.required#`, 'false', words.pattern.mayBeSkipped),
    moveButtons(written, path, { legend, place, remove: words.pattern.remove }),
  ]}</fieldset>\n`
}

function optionFields(written: Written, path: string, at: number): Markup {
  const words = composeWords[written.locale]
  const legend = words.numbered(words.entry.options, String(at))
  return html`<fieldset class="entry"><legend>${legend}</legend>${[
    hidden(written, `${path}.id`),
    bothLanguages(written, `${path}.label`, words.fields.label),
    changeButton(`remove ${path}`, words.removeEntry(String(at)), `${legend} ${words.remove}`),
  ]}</fieldset>\n`
}

function checkLines(written: Written, { issues, refused, played }: Shown): Markup {
  const words = composeWords[written.locale]
  const refusal = refused === null ? html`` : html`<p class="wrong">${words.refused}${refused}</p>\n`
  const ready = played ? html`<p>${words.pattern.ready}</p>\n` : html``
  return html`${refusal}${issueLines(written, issues)}${ready}`
}

/** The conversation with a person who takes part, as the chat shows it. */
function conversation(locale: Locale, { played, pictures }: Shown): Markup {
  const { pattern, nothingSeen } = composeWords[locale]
  const { languages } = kitWords[locale]
  const heading = html`<h2>${pattern.conversation}</h2>\n`
  if (!played) return html`${heading}<p class="quiet">${nothingSeen}</p>\n`
  const phones = played.map(
    (one) =>
      html`<section aria-label="${languages[one.locale]}"><h3>${languages[one.locale]}</h3>
<div lang="${kitWords[one.locale].lang}">${drawConversation({ reader: locale, pictures }, one.turns)}</div></section>\n`,
  )
  return html`${heading}<p class="quiet">${pattern.played}</p>\n<div class="columns">${phones}</div>\n`
}
