import { channelFacts } from '../../../channels/facts/by-channel.ts'
import { keysOf, type Locale } from '../../../contract/enums.ts'
import type { MessageDetail } from '../../../contract/messages/detail.ts'
import { sumOfCounts } from '../../../domain/message/stats.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { MessageView } from '../../../services/approvals/messages.ts'
import { problemWords } from '../../../services/notices/problem-words.ts'
import { outcomeLine } from '../facts/outcome.ts'
import { box } from '../kit/box.ts'
import { dateOf, numberOf, timeOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import { hasBegun } from './acts.ts'
import { messageWords } from './words.ts'

type Stats = NonNullable<MessageDetail['stats']>

/** How a message stands: its state, the next thing that happens, what hinders it, and the counts of what was sent. */
export function progressSection(locale: Locale, view: MessageView): Markup {
  const { detail } = view
  const { sections, reminderSent } = messageWords[locale]
  const first =
    detail.stats && hasBegun(detail.stats) ? countsOf(locale, sections.progress, detail.stats) : html``
  const again = detail.reminder?.stats
  const reminder = again && hasBegun(again) ? countsOf(locale, reminderSent, again) : html``
  return html`${outcomeLine(locale, view)}${nextLine(locale, view)}${hindrances(locale, view)}${first}${reminder}`
}

/**
 * Whether there may be something new to read in a moment. Not of a personal message: each reading of its answers stands in the
 * audit log.
 */
export function isMoving({ detail }: MessageView): boolean {
  const { state, reminder, problem, kind } = detail
  if (kind === 'personal') return false
  if (problem !== undefined) return true
  return state === 'sending' || state === 'approved' || reminder?.state === 'sending'
}

function nextLine(locale: Locale, view: MessageView): Markup {
  const { detail, unit } = view
  const { nextThing } = messageWords[locale]
  const date = (at: string) => dateOf(locale, unit.timeZone, at)
  const text = () => {
    switch (detail.state) {
      case 'draft':
        return nextThing.draft
      case 'submitted':
        return view.startsAt === null ? nextThing.submittedAtOnce : nextThing.submitted(date(view.startsAt))
      case 'approved':
        return detail.startsAt && Date.parse(detail.startsAt) > Date.now()
          ? nextThing.approved(date(detail.startsAt))
          : nextThing.approvedNow
      case 'paused':
        return nextThing.paused
      case 'sent':
        return detail.reminder?.state === 'waiting' ? nextThing.reminder(date(detail.reminder.at)) : null
      default:
        return null
    }
  }
  const line = text()
  return line === null ? html`` : html`<p>${line}</p>\n`
}

/** Why it does not go on, and what is tried again later. */
function hindrances(locale: Locale, { detail, unit }: MessageView): Markup {
  const words = messageWords[locale]
  const time = (at: string) => timeOf(locale, unit.timeZone, at)
  const parked = detail.parked
    ? [
        `${words.waits(problemWords[locale][detail.parked.problem])} ${words.nextTry(time(detail.parked.nextProbeAt))}`,
      ]
    : []
  const deferred = detail.retrying.map(({ channel, deliveries, reason, nextTryAt }) =>
    words.deferred(
      channelFacts[channel].names[locale].inSummary,
      numberOf(locale, deliveries),
      reason,
      time(nextTryAt),
    ),
  )
  const lines = [...parked, ...deferred]
  if (lines.length === 0) return html``
  return box(locale, 'wrong', html`${lines.map((line) => html`<p>${line}</p>`)}`)
}

/** A bar of the people who are done, and under it their counts, with those of the deliveries that this took. */
function countsOf(locale: Locale, title: string, stats: Stats): Markup {
  const words = messageWords[locale]
  const { people } = stats
  const number = (n: number) => numberOf(locale, n)
  const { done, all } = doneOf({ ...stats, reached: stats.sent, skipped: sumOfCounts(stats.skipped) })
  const deliveries = words.progress.deliveries(number(done), number(all))
  const counts = deliveryCounts(locale, stats)
  if (people === null) return section(locale, title, { done, all, text: deliveries, counts: cells(counts) })
  const each = doneOf(people)
  const { comma, people: peopleText, colon } = kitWords[locale]
  const outcomes = keysOf(words.peopleCounts).filter((what) => people[what] > 0 || what === 'reached')
  const ofPeople = outcomes.map((what) => [words.peopleCounts[what], number(people[what])] as const)
  const rest = html`<p class="quiet">${deliveries}${colon}${counts.map(([what, n]) => `${what} ${n}`).join(comma)}</p>\n`
  const text = words.progress.people(number(each.done), peopleText(number(each.all)))
  return section(locale, title, { ...each, text, counts: html`${cells(ofPeople)}${rest}` })
}

function section(
  locale: Locale,
  title: string,
  { done, all, text, counts }: { done: number; all: number; text: string; counts: Markup },
): Markup {
  const { label } = messageWords[locale].progress
  return html`<h2>${title}</h2>
<p><progress max="${all}" value="${done}" aria-label="${label}"></progress></p>
<p class="quiet">${text}</p>
${counts}`
}

type Count = readonly [what: string, n: string]

function deliveryCounts(locale: Locale, stats: Stats): Count[] {
  const { counts } = messageWords[locale]
  const all = { ...stats, skipped: sumOfCounts(stats.skipped) }
  const order = ['sent', 'pending', 'failed', 'unknown', 'skipped'] as const
  return order
    .filter((what) => all[what] > 0 || what === 'sent')
    .map((what) => [counts[what], numberOf(locale, all[what])])
}

function cells(counts: readonly Count[]): Markup {
  return html`<dl class="numbers">${counts.map(([what, n]) => html`<div><dt>${what}</dt><dd>${n}</dd></div>`)}</dl>\n`
}

type Outcomes = { reached: number; failed: number; unknown: number; skipped: number; pending: number }

function doneOf({ reached, failed, unknown, skipped, pending }: Outcomes): { done: number; all: number } {
  const done = reached + failed + unknown + skipped
  return { done, all: done + pending }
}
