import type { Category } from '../../../contract/catalogue/category.ts'
import type { Locale, PatternType } from '../../../contract/enums.ts'
import { isOneOf, patternTypes } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Pattern } from '../../../contract/patterns/pattern.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { DrawnConversation } from '../../../services/patterns/play.ts'
import type { Members } from '../answers/organisers.ts'
import { playedPhones } from '../facts/played.ts'
import { numberOf, zoneName } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { issueLines } from './check.ts'
import { askedKinds } from './form/acts.ts'
import { numbersIn } from './form/fields.ts'
import { keyField } from './form/keys.ts'
import type { FieldIssue } from './form/parse-form.ts'
import { composeFrame, type FrameProps, formState, listedIssues, submitButton } from './frame.ts'
import {
  bothLanguages,
  changeButton,
  type FormState,
  field,
  hidden,
  idOf,
  moveButtons,
  notesOf,
  type Position,
  select,
  toggle,
  valueIn,
} from './inputs.ts'
import { organisersSection } from './organisers.ts'
import { calendarFields } from './when.ts'
import { composeWords } from './words.ts'

/**
 * `played`: the conversation in each language, null: it cannot be played yet. `changed`: of which it is a new version; null:
 * something new.
 */
type PatternFormProps = FrameProps & {
  categories: readonly Category[]
  members: Members
  issues: readonly FieldIssue[]
  played: readonly DrawnConversation[] | null
  changed: Pattern | null
}

/** The page on which a registration, a survey or an rsvp is written, and beside it the conversation. */
export function patternForm(locale: Locale, props: PatternFormProps): Page {
  const words = composeWords[locale]
  const { categories, issues, changed } = props
  const form = formState(locale, props, issues)
  const type = typeIn(form)
  const category = categories.find(({ id }) => id === valueIn(form, 'categoryId'))
  const { buttons, titles } = words.pattern[changed ? 'changes' : 'creates']
  const submits = category?.approval_rule === 'manual' ? buttons.submit : buttons.open
  const isOpen = changed !== null && changed.inForce !== null
  const places = type === 'survey' ? [] : [placesSection(form)]
  return composeFrame(locale, props, {
    title: titles[type],
    form,
    sections: [
      aboutSection(form, props),
      ...places,
      questionsSection(form, type),
      // Of one that was in force, only an approver changes who reads the answers.
      ...(isOpen ? [] : [organisersSection(form, props.members)]),
    ],
    check: checkLines(form, props),
    aside: html``,
    submit: issues.length === 0 ? submitButton(locale, props, submits) : html``,
    preview: conversationPane(locale, props),
    notice: isOpen ? html`<p class="quiet">${words.pattern.untilApproved}</p>\n` : html``,
  })
}

/** How long a text of a pattern may be. */
const most = { units: limits.patternTextLength }

function typeIn(form: Pick<FormState, 'fields'>): PatternType {
  const type = valueIn(form, 'type')
  return isOneOf(patternTypes, type) ? type : 'registration'
}

function aboutSection(form: FormState, { unit, categories }: PatternFormProps): Markup {
  const { locale } = form
  const words = composeWords[locale]
  const { fields } = words
  const named = categories.map(({ id, name }) => [id, localise(locale, name)] as const)
  const zone = zoneName(locale, unit.timeZone, new Date().toISOString())
  return html`<h2>${words.pattern.about}</h2>
${[
  hidden(form, 'type'),
  bothLanguages(form, 'title', fields.title, { most: { units: limits.patternTitleLength } }),
  bothLanguages(form, 'description', fields.description, { rows: 3, optional: true, most }),
  select(form, 'categoryId', fields.categoryId, named, words.choose),
  field(form, 'deadline', fields.deadline, { type: 'datetime-local' }),
]}<p class="quiet">${words.zone(zone)}</p>\n`
}

function placesSection(form: FormState): Markup {
  const words = composeWords[form.locale]
  return html`<h2>${words.pattern.places}</h2>
${[
  field(form, 'capacity#', words.fields.capacity, { type: 'number', optional: true }),
  toggle(form, 'waitingList#', 'true', words.fields.waitingList),
  calendarFields(form),
]}`
}

/** An rsvp asks first whether people come, and a registration whether they register: those need not be written. */
function questionsSection(form: FormState, type: PatternType): Markup {
  const words = composeWords[form.locale]
  const questions = numbersIn(form.fields, 'questions').map((number, at, all) =>
    questionFields(form, `questions.${number}`, {
      at: at + 1,
      first: at === 0,
      last: at === all.length - 1,
    }),
  )
  const adds = askedKinds.map((kind) => changeButton(`add ${kind}`, `＋ ${words.pattern.asks[kind]}`))
  return html`<h2>${words.pattern.questions}</h2>
<p class="quiet">${words.pattern.first[type]}</p>
<div id="questions">${notesOf(form, 'questions').notes}${questions}</div><div class="acts adds" role="group" aria-label="${words.add}">${adds}</div>\n`
}

function questionFields(form: FormState, path: string, position: Position): Markup {
  const { locale } = form
  const words = composeWords[locale]
  const legend = words.numbered(words.entry.questions, numberOf(locale, position.at))
  const options = numbersIn(form.fields, `${path}.options`).map((number, index) =>
    optionFields(form, `${path}.options.${number}`, index + 1),
  )
  const { notes } = notesOf(form, `${path}.options`)
  const more = changeButton(`more ${path}.options`, words.more.options)
  const list =
    options.length === 0
      ? html`<p class="quiet">${words.pattern.typed}</p>\n`
      : html`<div id="${idOf(`${path}.options`)}">${notes}${options}</div><p>${more}</p>\n`
  return html`<fieldset class="written"><legend>${legend}</legend>${[
    hidden(form, `${path}.id`),
    hidden(form, `${path}.${keyField}`),
    bothLanguages(form, `${path}.text`, words.fields.question, { most }),
    list,
    toggle(form, `${path}.required#`, 'false', words.pattern.mayBeSkipped),
    moveButtons(form, path, { legend, position, remove: words.pattern.remove }),
  ]}</fieldset>\n`
}

function optionFields(form: FormState, path: string, at: number): Markup {
  const words = composeWords[form.locale]
  const legend = words.numbered(words.entry.options, String(at))
  return html`<fieldset class="entry"><legend>${legend}</legend>${[
    hidden(form, `${path}.id`),
    hidden(form, `${path}.${keyField}`),
    bothLanguages(form, `${path}.label`, words.fields.label, { most: { units: limits.patternLabelLength } }),
    changeButton(`remove ${path}`, words.removeEntry(String(at)), `${legend} ${words.remove}`),
  ]}</fieldset>\n`
}

function checkLines(form: FormState, props: PatternFormProps): Markup {
  const { issues, refused } = props
  const words = composeWords[form.locale]
  const refusal = refused === null ? html`` : html`<p class="wrong">${words.refused}${refused}</p>\n`
  const ready = issues.length === 0 ? html`<p>${words.pattern.ready}</p>\n` : html``
  return html`${refusal}${issueLines(form, listedIssues(props, issues))}${ready}`
}

/** The conversation with a person who takes part, as the chat shows it. */
function conversationPane(locale: Locale, { played, pictures }: PatternFormProps): Markup {
  const { pattern, nothingSeen } = composeWords[locale]
  const heading = html`<h2>${pattern.conversation}</h2>\n`
  if (!played) return html`${heading}<p class="quiet">${nothingSeen}</p>\n`
  return html`${heading}<p class="quiet">${pattern.played}</p>\n${playedPhones(locale, pictures, played)}`
}
