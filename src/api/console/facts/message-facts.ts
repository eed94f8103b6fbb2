import { keysOf, type Locale } from '../../../contract/enums.ts'
import type { MessageSetting } from '../../../contract/messages/create.ts'
import type { MessageDetail } from '../../../contract/messages/detail.ts'
import type { Forecast } from '../../../domain/audience/audience.ts'
import { calendarLines } from '../../../domain/content/calendar.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html } from '../../../html/markup.ts'
import type { MessageView } from '../../../services/approvals/messages.ts'
import { driftLines } from '../../../services/notices/drift-lines.ts'
import { dateOf, numberOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import { isFramed } from '../preview/frame.ts'
import { audienceLines, excludedLines, peopleText } from './audience-lines.ts'
import { costLines } from './cost-lines.ts'
import { type Fact, whoAndWhen } from './fact.ts'
import { linkLines } from './link-lines.ts'
import { scheduleLines } from './schedule-lines.ts'
import { factWords } from './words.ts'

/** A message. */
export function messageFacts(locale: Locale, view: MessageView): Fact[] {
  const { detail, unit } = view
  const words = factWords[locale]
  const { snapshot, expiresAt, remindAt, remindTo } = detail
  const date = (at: string) => dateOf(locale, unit.timeZone, at)
  const drift = detail.drift ? driftLines(locale, unit.timeZone, detail.drift) : []
  const planned = detail.scheduleAt && view.startsAt === null ? [words.planned(date(detail.scheduleAt))] : []
  const reminder = remindAt ? [date(remindAt), words.remindTo[remindTo ?? 'all'], words.reminderContent] : []
  const cost = view.since === null ? [] : [...costLines(locale, view), ...(remindAt ? [words.twice] : [])]
  const ofSettings = {
    scheduleAt: [['when', view.since === null ? [] : [startText(locale, view), ...planned]]],
    audience: [
      ['people', snapshot ? [peopleText(locale, snapshot.recipients)] : []],
      ['audience', audienceOf(locale, view)],
      ['excluded', snapshot ? excludedLines(locale, snapshot.recipients) : []],
    ],
    channelPlanOverride: [['cost', cost]], // by channel
    pace: [['pace', snapshot?.pace ? [paceText(locale, snapshot.pace, date)] : []]],
    remindAt: [['reminder', reminder]],
    remindTo: [], // with it
    expiresAt: [['expires', expiresAt ? [date(expiresAt)] : []]],
    categoryId: [], // below, with the unit
    topicId: [], // who left it is excluded
    kind: [], // who reads the page may read it
    reference: [], // of the producer
  } satisfies Record<MessageSetting, Fact[]>
  return [
    ['why', view.since === null ? [] : whyAsked(locale, view)],
    ['changed', drift],
    ['schedule', detail.origin === 'schedule' ? scheduleLines(locale, unit.timeZone, view.schedule) : []],
    ...Object.values(ofSettings).flat(),
    ['calendar', calendarText(locale, view)],
    ['links', messageLinkLines(locale, view)],
    ['organisers', organiserLines(locale, detail)],
    ['warnings', (snapshot?.warnings ?? []).map(({ message }) => localise(locale, message))],
    ...whoAndWhen(locale, view),
  ]
}

/** Who will read what each person answers. */
function organiserLines(locale: Locale, { organisers }: MessageDetail): string[] {
  if (organisers.length === 0) return []
  return [organisers.map(({ name }) => name).join(kitWords[locale].comma), factWords[locale].organisersRead]
}

/** The entry that recipients can add to their calendars. */
function calendarText(locale: Locale, { detail: { content, title }, unit }: MessageView): string[] {
  const entry = content?.calendar
  return entry ? calendarLines(locale, { ...entry, title: entry.title ?? title }, unit.timeZone) : []
}

function paceText(
  locale: Locale,
  { perMinute, lastAt }: NonNullable<Forecast['pace']>,
  date: (at: string) => string,
): string {
  return factWords[locale].pace(numberOf(locale, perMinute), date(lastAt))
}

/** The reason of the automatic check, or of the return to review. Without a check, the rule of the category, if it has one. */
function whyAsked(locale: Locale, { detail: { review, drift }, manual }: MessageView): string[] {
  const { why, review: reasons, drift: drifts } = factWords[locale]
  if (review.drift) return [drift ? drifts[drift.reason] : why.drift]
  const reason = keysOf(reasons).find((one) => one === review.reason)
  if (reason) return [reasons[reason]]
  return manual ? [reasons.category_not_auto] : []
}

/** When the send begins if it is approved now. */
export function startText(locale: Locale, { startsAt, unit }: MessageView): string {
  return startsAt === null ? factWords[locale].atOnce : dateOf(locale, unit.timeZone, startsAt)
}

function messageLinkLines(locale: Locale, view: MessageView): string[] {
  const lines = linkLines(locale, view, view.detail.content?.messages ?? [])
  return lines.length > 0 && view.previews.some(isFramed) ? [...lines, factWords[locale].trackedMails] : lines
}

/** Whom it is for: named people by name and uid, the first of them at once. */
function audienceOf(locale: Locale, { detail, people, valueNames }: MessageView): Fact[1] {
  const lines = audienceLines(locale, detail.audience, {
    group: groupNames(locale, detail),
    value: valueNames,
  })
  if (detail.audience.kind !== 'individual' || people.length === 0) return lines
  const { person } = kitWords[locale]
  const { nobody, others, unlisted } = factWords[locale]
  const named = people.map(({ uid, name }) => {
    if (name === undefined) return nobody(uid)
    return name === null ? uid : person(name, uid)
  })
  const [first, more] = [named.slice(0, shownAtOnce), named.slice(shownAtOnce)]
  const rest = detail.audience.count - named.length
  const folded = [...more, ...(rest > 0 ? [unlisted(numberOf(locale, rest))] : [])]
  if (folded.length === 0) return [...lines, ...first]
  const summary = others(numberOf(locale, detail.audience.count - first.length))
  return [
    ...lines,
    ...first,
    html`<details><summary>${summary}</summary>${folded.map((line) => html`<p>${line}</p>`)}</details>`,
  ]
}

/** How many named people stand on the page before it has to be unfolded. */
const shownAtOnce = 20

/** The names of the groups of a message, with the key that keeps each. */
function groupNames(locale: Locale, { audienceGroups }: MessageDetail): (id: string) => string {
  return (id) => {
    const group = audienceGroups.find((one) => one.id === id)
    if (!group) return id
    return group.keptBy ? factWords[locale].keptBy(group.name, group.keptBy.name) : group.name
  }
}
