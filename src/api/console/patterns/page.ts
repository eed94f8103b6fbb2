import type { z } from 'zod'
import type { Locale } from '../../../contract/enums.ts'
import { keysOf } from '../../../contract/enums.ts'
import type { Pattern, PatternReport, Registration } from '../../../contract/patterns/pattern.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { patternLines } from '../facts/pattern-lines.ts'
import { answerBars } from '../kit/answer-bars.ts'
import { box } from '../kit/box.ts'
import { numberOf, shortDateOf } from '../kit/format.ts'
import { head, scrollingTable } from '../kit/list-frame.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { patternTag } from './list.ts'
import type { PatternAct } from './words.ts'
import { patternPageWords } from './words.ts'

type Person = z.infer<typeof Registration>

/** What the reader may do. `names`: see who takes part. */
export type PatternRights = { edits: boolean; decides: boolean; names: boolean }

/**
 * `people`: who takes part, the first of them; null: they are not shown. `deadline`: as the unit's wall time;
 * `done`: what was done just now; `refused`: why something was not.
 */
type PatternPageProps = {
  unit: Unit
  pattern: Pattern
  report: PatternReport
  rights: PatternRights
  people: { items: readonly Person[]; more: boolean } | null
  deadline: string
  done: PatternAct | null
  refused: string | null
}

/** The page of one registration, survey or rsvp: what happens next, its numbers, its answers and who takes part. */
export function patternPage(locale: Locale, props: PatternPageProps): Page {
  const words = patternPageWords[locale]
  const { unit, pattern, done, refused } = props
  const body = [
    done ? box(locale, 'done', html`<p>${words.done[done]}</p>`) : html``,
    refused === null ? html`` : box(locale, 'wrong', html`<p>${words.refused}${refused}</p>`),
    html`<p>${patternTag(locale, pattern)}</p>\n<p>${words.nextStep[pattern.scenarioState]}</p>\n`,
    acts(locale, props),
    tryForm(locale, props),
    html`${patternLines(locale, unit.timeZone, pattern).map((line) => html`<p>${line}</p>\n`)}`,
    numbersSection(locale, props),
    answersSection(locale, props),
    peopleSection(locale, props),
    changeSection(locale, props),
  ]
  const { lang } = kitWords[locale]
  const title = localise(locale, pattern.title)
  return { lang, from: shownName(locale, unit), title, body, width: 'broad' }
}

function acts(locale: Locale, { pattern, rights }: PatternPageProps): Markup {
  const words = patternPageWords[locale]
  const { id, scenarioId, scenarioState, status } = pattern
  const decide =
    scenarioState === 'submitted' && rights.decides
      ? html`<a class="strong" href="/approvals/scenario/${scenarioId}">${words.decide}</a>\n`
      : html``
  if (!rights.edits) return decide
  if (scenarioState === 'draft')
    return html`<form method="post" class="acts"><button class="strong" name="act" value="activate">${words.activate}</button></form>\n`
  if (scenarioState !== 'active' || status === 'closed') return decide
  const named = html`<input type="hidden" name="pattern" value="${id}">`
  return html`<form method="post" action="/compose" class="acts">${named}<button class="strong">${words.invite}</button></form>\n`
}

/** Starts the conversation with the reader alone: it takes no place, and nobody else sees it. */
function tryForm(locale: Locale, { pattern: { scenarioState } }: PatternPageProps): Markup {
  if (scenarioState === 'paused' || scenarioState === 'retired') return html``
  const { tryIt, aboutTry } = patternPageWords[locale]
  return html`<form method="post" class="acts"><button class="mild" name="act" value="try">${tryIt}</button></form>\n<p class="quiet">${aboutTry}</p>\n`
}

function numbersSection(locale: Locale, { report }: PatternPageProps): Markup {
  const words = patternPageWords[locale]
  const counted = keysOf(words.numbers).flatMap((name) => {
    const count = report[name]
    return count === null
      ? []
      : [html`<div><dt>${words.numbers[name]}</dt><dd>${numberOf(locale, count)}</dd></div>\n`]
  })
  const share = report.completionRate?.toLocaleString(locale, { style: 'percent' })
  const completion = share === undefined ? html`` : html`<p>${words.completion(share)}</p>\n`
  return html`<h2>${words.sections.numbers}</h2>\n<dl class="numbers">\n${counted}</dl>\n${completion}`
}

/** How many people chose each option, by question. */
function answersSection(
  locale: Locale,
  { pattern: { questions }, report: { byOption } }: PatternPageProps,
): Markup {
  const words = patternPageWords[locale]
  const tables = questions.flatMap(({ id, text, options = [] }) => {
    if (options.length === 0) return []
    const bars = answerBars(locale, options, byOption[id] ?? {}, words.people)
    return [html`<h3>${localise(locale, text)}</h3>\n${bars}`]
  })
  return tables.length === 0 ? html`` : html`<h2>${words.sections.answers}</h2>\n${tables}`
}

/** Who takes part: shown once somebody asks for it, since each look is recorded. */
function peopleSection(locale: Locale, { unit, pattern, rights, people }: PatternPageProps): Markup {
  if (pattern.type === 'survey') return html``
  const { sections, registrations: words } = patternPageWords[locale]
  const heading = html`<h2 id="people">${sections.people}</h2>\n`
  if (!rights.names) return html`${heading}<p class="quiet">${words.forbidden}</p>\n`
  const csv = html`<a href="/patterns/${pattern.id}/registrations.csv">${words.csv}</a>`
  if (people === null)
    return html`${heading}<p class="quiet">${words.hint}</p>\n<p><a href="/patterns/${pattern.id}?people=shown#people">${words.show}</a> ${csv}</p>\n`
  if (people.items.length === 0) return html`${heading}<p>${words.none}</p>\n`
  const heads = words.columns.map((column, at) => head(column, at === 0))
  const rows = people.items.map(
    ({ position, uid, state, at }) =>
      html`<tr>${[
        html`<td class="number">${numberOf(locale, position)}</td>`,
        html`<th scope="row">${uid ?? words.erased}</th>`,
        html`<td>${words.states[state]}</td>`,
        html`<td class="whole">${shortDateOf(locale, unit.timeZone, at)}</td>`,
      ]}</tr>\n`,
  )
  const more = people.more ? html`<p>${words.more(numberOf(locale, people.items.length))}</p>\n` : html``
  return html`${heading}<p>${csv}</p>\n${more}${scrollingTable(sections.people, heads, rows)}`
}

/** Moves the deadline, and adds places. */
function changeSection(locale: Locale, { pattern, rights, deadline }: PatternPageProps): Markup {
  if (!rights.edits || pattern.scenarioState === 'retired') return html``
  const { sections, change } = patternPageWords[locale]
  const { capacity } = pattern
  const until = html`<input type="datetime-local" name="deadline" value="${deadline}" required>`
  const places =
    capacity === null
      ? html``
      : html`<label class="field">${change.capacity}${numberFrom(capacity)}</label><p class="quiet">${change.onlyMore}</p>\n`
  return html`<details><summary>${sections.change}</summary>
<form method="post"><label class="field">${change.deadline}${until}</label><p class="quiet">${change.zone}</p>
${places}<button class="mild" name="act" value="change">${change.button}</button></form></details>\n`
}

function numberFrom(capacity: number): Markup {
  return html`<input type="number" name="capacity" min="${capacity}" value="${capacity}" required>`
}
