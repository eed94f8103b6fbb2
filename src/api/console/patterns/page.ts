import type { Locale } from '../../../contract/enums.ts'
import { isOneOf, keysOf } from '../../../contract/enums.ts'
import type { Pattern, PatternReport } from '../../../contract/patterns/pattern.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { DesignedPattern } from '../../../services/patterns/design.ts'
import { type Members, organiserChoice, organisersSection } from '../answers/organisers.ts'
import { answersWords } from '../answers/words.ts'
import { actorName } from '../facts/actor-name.ts'
import { patternLines } from '../facts/pattern-lines.ts'
import { answerBars, shareOf } from '../kit/answer-bars.ts'
import { box } from '../kit/box.ts'
import { confirmPage } from '../kit/confirm-page.ts'
import { dateOf, numberOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { type ConfirmedAct, changeOf, confirmedActs, type Offer, offersOf, standingOf } from './acts.ts'
import { patternTag } from './list.ts'
import type { PatternAct } from './words.ts'
import { patternPageWords } from './words.ts'

/** What the reader may do. `reads`: see who answered what. */
export type PatternRights = { edits: boolean; decides: boolean; reads: boolean }

/** `members`: of the unit, where the reader may name organisers; null: they may not. `deadline`: as the unit's wall time. */
export type PatternProps = DesignedPattern & {
  unit: Unit
  report: PatternReport
  rights: PatternRights
  members: Members | null
  deadline: string
}
/** `done`: what was done just now; `refused`: why something was not. */
type PatternPageProps = PatternProps & { done: PatternAct | null; refused: string | null }

/** The page of one registration, survey or rsvp: what happens next, its numbers, its answers and who takes part. */
export function patternPage(locale: Locale, props: PatternPageProps): Page {
  const words = patternPageWords[locale]
  const { unit, pattern, done, refused } = props
  const body = [
    done ? box(locale, 'done', html`<p>${words.done[done]}</p>`) : html``,
    refused === null ? html`` : box(locale, 'wrong', html`<p>${words.refused}${refused}</p>`),
    html`<p>${patternTag(locale, pattern)}</p>\n<p>${nextStepOf(locale, pattern)}</p>\n`,
    rejectionBox(locale, props),
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

/** What happens next with it, and with a change of it. */
function nextStepOf(locale: Locale, pattern: Pattern): Markup {
  const { nextStep, closedStep, changeSteps } = patternPageWords[locale]
  const standing = standingOf(pattern)
  const isOver = standing === 'active' && pattern.status === 'closed'
  const change = standing === 'retired' ? null : changeOf(pattern)
  const first = isOver ? closedStep : nextStep[standing]
  return change === null ? html`${first}` : html`${first}</p>\n<p>${changeSteps[change]}`
}

/** Who rejected the newest version when, and why. */
function rejectionBox(
  locale: Locale,
  { pattern: { versionState, decision }, unit }: PatternPageProps,
): Markup {
  if (versionState !== 'rejected' || !decision) return html``
  const { rejection } = patternPageWords[locale]
  const { by, at, reason } = decision
  const who = rejection.by(actorName(locale, by), dateOf(locale, unit.timeZone, at))
  const why = reason ? html`<p>${rejection.reason(reason)}</p>` : html``
  return box(locale, 'wrong', html`<p>${who}</p>${why}`)
}

/** What can be done with it: the first is what most people come for. */
function acts(locale: Locale, props: PatternPageProps): Markup {
  const { pattern, isGenerated, rights, members } = props
  const words = patternPageWords[locale]
  const decide =
    pattern.versionState === 'submitted' && rights.decides
      ? html`<a class="strong" href="/approvals/scenario/${pattern.scenarioId}">${words.decide}</a>\n`
      : html``
  if (!rights.edits) return decide
  const offers = offersOf(props)
  const opening = offers.includes('activate') ? openForm(locale, pattern, members ?? []) : html``
  const others = offers
    .filter((offer) => offer !== 'activate')
    .map((offer, at) => actForm(locale, pattern.id, offer, at === 0 && !offers.includes('activate')))
  const byHand =
    isGenerated || pattern.scenarioState === 'retired' ? html`` : html`<p class="quiet">${words.byHand}</p>\n`
  return html`${decide}${opening}<div class="acts">\n${others}</div>\n${byHand}`
}

/** Opens it, or asks for what was changed, and names who is to read the answers, which its approver sees. */
function openForm(locale: Locale, { organisers, inForce, version }: Pattern, members: Members): Markup {
  const { activate, activateAgain } = patternPageWords[locale]
  const choice = inForce === null ? organiserChoice(locale, members, organisers) : html``
  const text = inForce === null ? activate : activateAgain
  const about = html`<input type="hidden" name="version" value="${version}">`
  const button = html`<button class="strong" name="act" value="activate">${text}</button>`
  return html`<form method="post">${choice}${about}${button}</form>\n`
}

/** A button that begins to write something, or leads to a page that says what it does, in numbers. */
function actForm(locale: Locale, id: string, offer: Exclude<Offer, 'activate'>, isFirst: boolean): Markup {
  const words = patternPageWords[locale]
  const tone = isFirst ? 'strong' : 'mild'
  if (isOneOf(confirmedActs, offer))
    return html`<form><button class="${tone}" name="act" value="${offer}">${words.acts[offer].button}</button></form>\n`
  const text = { invite: words.invite, change: words.rewrite, copy: words.copy }[offer]
  const named = html`<input type="hidden" name="${offer === 'invite' ? 'pattern' : offer}" value="${id}">`
  return html`<form method="post" action="/compose">${named}<button class="${tone}">${text}</button></form>\n`
}

/** The page between the two presses of an act. `open`: conversations under way. */
export function confirmPatternPage(
  locale: Locale,
  props: PatternProps,
  act: ConfirmedAct,
  open: number,
): Page {
  const words = patternPageWords[locale]
  const { unit, pattern } = props
  const { title, text, confirm } = words.acts[act]
  const until = html`<input type="datetime-local" name="deadline" required>`
  const deadline = html`<label class="field">${words.change.deadline}${until}</label><p class="quiet">${words.change.zone}</p>\n`
  return confirmPage(locale, unit, {
    ...{ title, text, subject: localise(locale, pattern.title), path: `/patterns/${pattern.id}` },
    facts: act === 'close' ? closingNumbers(locale, props, open) : html``,
    fields: { act, version: pattern.version, shown: pattern.deadline },
    inputs: act === 'reopen' ? deadline : html``,
    ...{ button: confirm, back: words.back },
  })
}

/** Whom a closing is about. */
function closingNumbers(locale: Locale, { report, pattern }: PatternProps, open: number): Markup {
  const { numbers, openTalks } = patternPageWords[locale]
  const counts = [
    [numbers.answered, report.answered],
    ...(pattern.type === 'survey'
      ? []
      : [
          [numbers.registered, report.registered],
          [numbers.waitlisted, report.waitlisted],
        ]),
    [openTalks, open],
  ] as [string, number][]
  const rows = counts.map(
    ([label, count]) => html`<div><dt>${label}</dt><dd>${numberOf(locale, count)}</dd></div>\n`,
  )
  return html`<dl class="numbers">\n${rows}</dl>\n`
}

/** Starts the conversation with the reader alone: it takes no place, and nobody else sees it. */
function tryForm(locale: Locale, { pattern: { scenarioState, paused } }: PatternPageProps): Markup {
  if (paused || scenarioState === 'retired') return html``
  const { tryIt, aboutTry } = patternPageWords[locale]
  return html`<form method="post" class="acts"><button class="mild" name="act" value="try">${tryIt}</button></form>\n<p class="quiet">${aboutTry}</p>\n`
}

/** Numbers that say nothing while they are 0. */
const rare = ['waitlisted', 'withdrawn', 'declined', 'undecided', 'stopped'] as const

function numbersSection(locale: Locale, { report }: PatternPageProps): Markup {
  const words = patternPageWords[locale]
  const counted = keysOf(words.numbers).flatMap((name) => {
    const count = report[name]
    return count === null || (count === 0 && isOneOf(rare, name))
      ? []
      : [html`<div><dt>${words.numbers[name]}</dt><dd>${numberOf(locale, count)}</dd></div>\n`]
  })
  const share = report.completionRate?.toLocaleString(locale, { style: 'percent' })
  const completion = share === undefined ? html`` : html`<p>${words.completion(share)}</p>\n`
  return html`<h2>${words.sections.numbers}</h2>\n<dl class="numbers">\n${counted}</dl>\n${completion}`
}

/** How many people chose each option, by question, of those who were asked. */
function answersSection(locale: Locale, { pattern: { questions }, report }: PatternPageProps): Markup {
  const words = patternPageWords[locale]
  const { invited, reached, answered, byOption } = report
  const tables = questions.flatMap(({ id, text, options = [] }) => {
    if (options.length === 0) return []
    const bars = answerBars(locale, options, byOption[id] ?? {}, Math.max(invited, answered))
    return [html`<h3>${localise(locale, text)}</h3>\n${bars}`]
  })
  if (tables.length === 0) return html``
  const people = kitWords[locale].people(numberOf(locale, invited))
  const number = (n: number) => numberOf(locale, n)
  const line = words.asked(people, number(reached), number(answered), shareOf(locale, answered, invited))
  return html`<h2>${words.sections.answers}</h2>\n${invited > 0 ? html`<p>${line}</p>\n` : html``}${tables}`
}

/** Leads to who answered what, and says who of the unit may read it. */
function peopleSection(locale: Locale, { pattern, rights, members }: PatternPageProps): Markup {
  const { sections } = patternPageWords[locale]
  const { link, forbidden } = answersWords[locale]
  const { id, organisers, inForce, versionState } = pattern
  const list = rights.reads
    ? html`<p><a href="/patterns/${id}/answers">${link}</a></p>\n`
    : html`<p class="quiet">${forbidden}</p>\n`
  // Before anything was in force, who asks for the activation names them.
  const changes = rights.decides && (inForce !== null || versionState === 'submitted') ? members : null
  return html`<h2 id="people">${sections.people}</h2>\n${list}${organisersSection(locale, organisers, changes)}`
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
