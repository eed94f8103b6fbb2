import type { Channel, Locale } from '../../../contract/enums.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import type { Forecast } from '../../../domain/audience/audience.ts'
import { localise } from '../../../domain/content/localise.ts'
import { channelEntries } from '../../../domain/lib/channel-entries.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { excludedLines, peopleText } from '../facts/audience-lines.ts'
import { costLines } from '../facts/cost-lines.ts'
import { factWords } from '../facts/words.ts'
import { numberOf, timeOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import type { FieldIssue } from './form/parse-form.ts'
import { type FormState, idOf, valueIn } from './inputs.ts'
import { fieldName, issueText } from './issues.ts'
import { composeWords } from './words.ts'

/** What is to be changed; or whom it would reach. `refused`: what the server would not take, and no field is to blame. */
export type Check = {
  issues: readonly FieldIssue[]
  forecast: Forecast | null
  previews: readonly Preview[]
  /** Those on which it is sent; until its category is chosen, all. */
  channels: readonly Channel[]
  refused: string | null
  /** What the numbers depend on; null: they cannot be counted yet. */
  numbersOf: string | null
  /** When it is to be sent; null: once it is approved. */
  startsAt: string | null
  /** When this was counted. */
  at: string
}

/** Whether it can be submitted as it is. */
export function isComplete({ issues, forecast }: Check): boolean {
  return issues.length === 0 && forecast !== null && forecast.recipients.total > 0
}

/** What the server would not take, and what is to be changed, each with a link to its field. */
export function checkSection(form: FormState, refused: string | null, issues: readonly FieldIssue[]): Markup {
  const words = composeWords[form.locale]
  const refusal = refused === null ? html`` : html`<p class="wrong">${words.refused}${refused}</p>\n`
  return html`${refusal}${issueLines(form, issues)}`
}

/** Whom it would reach, or why that is not said; before it is counted, that it is said here. */
export function numbersSection(form: FormState, unit: Unit, check: Check): Markup {
  const { locale } = form
  const { forecast, numbersOf, issues } = check
  if (forecast) return forecastLines(locale, unit, { ...check, forecast })
  if (numbersOf === null) return html``
  if (issues.length > 0) return issueLines(form, issues)
  return html`<p class="quiet">${composeWords[locale].notCounted}</p>\n`
}

/** What is to be changed, each with a link to its field. */
export function issueLines(form: FormState, issues: readonly FieldIssue[]): Markup {
  if (issues.length === 0) return html``
  const { missing } = composeWords[form.locale]
  return html`<p>${missing}</p>\n<ul>${issues.map((issue) => issueLine(form, issue))}</ul>\n`
}

function issueLine(form: FormState, issue: FieldIssue): Markup {
  const { locale } = form
  const { colon } = kitWords[locale]
  const name = issue.name || 'messages'
  const label = issue.label
    ? localise(locale, issue.label)
    : fieldName(locale, name, (one) => valueIn(form, one))
  return html`<li><a href="#${anchorOf(form, name)}">${label}</a>${colon}${issueText(locale, issue)}</li>\n`
}

/** Where a field is: of a text that is missing in both languages, the Chinese one. */
function anchorOf({ fieldNames }: FormState, name: string): string {
  return idOf(fieldNames.has(`${name}.zh-TW`) ? `${name}.zh-TW` : name)
}

function forecastLines(
  locale: Locale,
  { timeZone }: Unit,
  { forecast: { recipients, quota, pace, warnings }, startsAt, at }: Check & { forecast: Forecast },
): Markup {
  const words = composeWords[locale]
  const lines = [
    peopleText(locale, recipients),
    ...excludedLines(locale, recipients),
    ...costLines(locale, { quota, unit: { timeZone }, startsAt, calls: callsOf(quota) }),
    ...(pace
      ? [factWords[locale].pace(numberOf(locale, pace.perMinute), timeOf(locale, timeZone, pace.lastAt))]
      : []),
    ...warnings.map(({ message }) => localise(locale, message)),
  ]
  const nobody = recipients.total === 0 ? html`<p class="wrong">${words.nobody}</p>\n` : html``
  return html`${nobody}${lines.map((line) => html`<p>${line}</p>\n`)}<p class="quiet">${words.counted(timeOf(locale, timeZone, at))}</p>\n`
}

/** Provider calls for one person. */
function callsOf(quota: Forecast['quota']) {
  return Object.fromEntries(
    channelEntries(quota).map(([channel, { pushesPerPerson }]) => [channel, pushesPerPerson]),
  )
}
