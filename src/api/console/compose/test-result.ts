import { channelFacts } from '../../../channels/facts/by-channel.ts'
import { type Channel, channels, isOneOf, keysOf, type Locale } from '../../../contract/enums.ts'
import type { findOwnAddresses } from '../../../db/queries/identity/person.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { TestOutcome } from '../../../services/messages/test-send.ts'
import { box } from '../kit/box.ts'
import { refusalWords } from '../kit/refusals.ts'
import { composeWords } from './words.ts'

/** What became of a test, as an address of the page says it. */
const results = ['sent', 'no_address', ...keysOf(refusalWords.en)] as const
/** What became of a test on a channel: it was sent, the person has no address there, or the code of an error. */
export type TestResult = { channel: Channel; result: (typeof results)[number] }

/** The addresses of a person to whom a test goes. */
export type OwnAddresses = Pick<Awaited<ReturnType<typeof findOwnAddresses>>, Channel>

export function testResultOf({ channel, error }: TestOutcome): TestResult {
  const { issues = [] } = (error?.details ?? {}) as { issues?: { rule?: string }[] }
  const hasNone = issues.some(({ rule }) => rule === 'no_own_address')
  return { channel, result: hasNone ? 'no_address' : (error?.code ?? 'sent') }
}

/** The query of the page that says what became of a test. */
export function testQuery(outcomes: readonly TestResult[]): URLSearchParams {
  return new URLSearchParams(
    outcomes.map(({ channel, result }): [string, string] => ['tested', `${channel}.${result}`]),
  )
}

/** The same backwards. `value`: of a query, which may say anything. */
export function testResultsIn(value: unknown): TestResult[] {
  return [value ?? []].flat().flatMap((one) => {
    const [channel, result] = String(one).split('.')
    return isOneOf(channels, channel) && isOneOf(results, result) ? [{ channel, result }] : []
  })
}

/** Sends what is written to the reader, and says to which phone and mailbox. */
export function testButton(locale: Locale, plan: readonly Channel[], own: OwnAddresses): Markup {
  const { test, trial } = composeWords[locale]
  const places = plan.filter((channel) => own[channel] !== null)
  const hint = places.length > 0 ? trial.goesTo(placesText(locale, places, own)) : trial.noAddress
  return html`<button class="mild small" name="act" value="test" aria-describedby="trial">${test}</button>
<span class="quiet" id="trial">${hint}</span>`
}

/** Where a test was sent, and why not where it was not. Empty if there was none. */
export function testNotice(locale: Locale, tested: readonly TestResult[], own: OwnAddresses): Markup {
  const { trial } = composeWords[locale]
  const places = tested.filter(({ result }) => result === 'sent').map(({ channel }) => channel)
  const sent =
    places.length > 0
      ? box(locale, 'done', html`<p>${trial.sentTo(placesText(locale, places, own))}</p>`)
      : html``
  const lines = tested.flatMap(({ channel, result }) => {
    if (result === 'sent') return []
    const why = result === 'no_address' ? trial.noAddress : refusalWords[locale][result]
    return [html`<p>${trial.unsent(channelFacts[channel].names[locale].inText, why)}</p>`]
  })
  return html`${sent}${lines.length > 0 ? box(locale, 'wrong', html`${lines}`) : html``}`
}

/** A mailbox by its address, and a phone by the end of its: people know no more of it. */
function placesText(locale: Locale, places: readonly Channel[], own: OwnAddresses): string {
  const { trial } = composeWords[locale]
  const named = { chat: trial.chat((own.chat ?? '').slice(-4)), email: own.email }
  return places.map((channel) => named[channel]).join(trial.and)
}
