import type { WaitingApproval } from '../../../contract/approvals.ts'
import type { DecisionReason, Locale } from '../../../contract/enums.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { peopleText } from '../facts/audience-lines.ts'
import { contentSection } from '../facts/content.ts'
import { type ApprovalView, factList } from '../facts/facts.ts'
import { startText } from '../facts/message-facts.ts'
import { decidedBefore, outcomeLine, shortStartLine } from '../facts/outcome.ts'
import { invitationSections, patternSections } from '../facts/pattern-form.ts'
import { patternTitle } from '../facts/pattern-lines.ts'
import { messageFrames, previewsBeside } from '../facts/previews.ts'
import { type LayoutOf, scenarioSteps } from '../facts/scenario-steps.ts'
import { factWords } from '../facts/words.ts'
import { box } from '../kit/box.ts'
import { confirmPage } from '../kit/confirm-page.ts'
import { numberOf, shortDateOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { kindOf, pathOf, queueBeside } from './list.ts'
import { type ApprovalWords, approvalWords } from './words.ts'

/** The most characters of a reason, as the API takes it. */
const reasonLength = 1_000

/** What happened to the decision that the reader has just sent. */
export type Refused = 'stale' | 'no_reason' | 'quota_exceeded' | 'self_approval' | 'forbidden'

/** A decision that did not count, and the reason that was written. `asksOnce`: the button decides, and leads to no other page. */
export type DecisionAttempt = { refused?: Refused | undefined; reason?: string; asksOnce?: boolean }

/** `layoutOf` lays out the picture of a scenario; `queue`: the first of what waits in the unit, this one among it. */
type Around = { layoutOf: LayoutOf; queue: WaitingApproval[] }

/** The page of one thing that waits, with the forms to decide about it, or the decision and what waits next. */
export async function approvalPage(
  locale: Locale,
  view: ApprovalView,
  { layoutOf, queue }: Around,
  { refused, reason = '', asksOnce = false }: DecisionAttempt = {},
): Promise<Page> {
  const body = [
    noticeOf(locale, view, refused),
    outcomeLine(locale, view),
    view.kind === 'scenario' ? shortStartLine(locale, view) : html``,
    afterwards(locale, view, queue),
    factsOf(locale, view),
    view.kind === 'message' ? invitationSections(locale, view) : html``,
    await contentOf(locale, view, layoutOf),
    listLink(locale),
    decisionForms(locale, view, { reason, open: refused === 'no_reason', asksOnce }),
  ]
  const { lang } = kitWords[locale]
  const title = titleOf(locale, view)
  const beside = queueBeside(locale, view, queue)
  return { lang, from: shownName(locale, view.unit), title, body, width: 'broad', beside }
}

/** Where the reader goes on once this one is decided: to what becomes of a message, and to the next decision. */
function afterwards(locale: Locale, { id, kind, outcome }: ApprovalView, queue: WaitingApproval[]): Markup {
  if (!outcome) return html``
  const { list } = approvalWords[locale]
  const { colon } = kitWords[locale]
  const followed = kind === 'message' ? html`<p><a href="/messages/${id}">${list.follow}</a></p>\n` : html``
  const next = queue.find((item) => item.id !== id && item.allowed.approve.allowed)
  if (!next) return followed
  return html`${followed}<p><a class="strong" href="${pathOf(next)}">${list.goOn}${colon}${localise(locale, next.title)}</a></p>
<p class="quiet">${kindOf(locale, next)}</p>\n`
}

function noticeOf(locale: Locale, view: ApprovalView, refused: Refused | undefined): Markup {
  const words = approvalWords[locale]
  // The form says by itself that the reason is missing.
  if (refused === undefined || refused === 'no_reason') return html``
  const { refused: whyNot, stale } = words
  if (refused === 'stale') {
    const before = decidedBefore(locale, view)
    if (before) return box(locale, 'note', html`<p>${before}</p>`)
    return box(locale, 'wrong', html`<p><strong>${stale.title}</strong></p><p>${stale.text}</p>`)
  }
  const text = {
    quota_exceeded: whyNot.quota_exceeded,
    self_approval: whyNot.own,
    forbidden: whyNot.forbidden,
  }[refused]
  return box(locale, 'wrong', html`<p>${text}</p>`)
}

/** The phones beside the facts, of what has them. */
function factsOf(locale: Locale, view: ApprovalView): Markup {
  const facts = factList(locale, view)
  if (view.kind === 'message') return previewsBeside(locale, { ...view, frames: messageFrames(view) }, facts)
  if (view.kind !== 'template') return facts
  return previewsBeside(locale, { ...view, frames: { path: `/templates/${view.id}/preview` } }, facts)
}

/** What it is, and its name: a pattern is called what it is to people. */
function titleOf(locale: Locale, view: ApprovalView): string {
  if (view.kind === 'scenario' && view.pattern) return patternTitle(locale, view.pattern)
  const { colon } = kitWords[locale]
  return `${approvalWords[locale].kinds[view.kind]}${colon}${localise(locale, view.title)}`
}

/** Everything that it says. What is drawn on phones is there to be unfolded, with what its buttons do. */
async function contentOf(locale: Locale, view: ApprovalView, layoutOf: LayoutOf): Promise<Markup> {
  const words = await wordsOf(locale, view, layoutOf)
  // A pattern has headings of its own.
  if (view.kind === 'scenario' && view.pattern) return words
  if (view.kind !== 'template' || view.previews.length === 0)
    return html`<h2>${factWords[locale].labels.content}</h2>\n${words}`
  return html`<details><summary>${approvalWords[locale].asWritten}</summary>${words}</details>\n`
}

async function wordsOf(locale: Locale, view: ApprovalView, layoutOf: LayoutOf): Promise<Markup> {
  switch (view.kind) {
    case 'message':
      return view.detail.content
        ? contentSection(locale, view.detail.content.messages, view)
        : html`<p>—</p>\n`
    case 'template':
      return contentSection(locale, view.template.messages, { ...view, subject: view.template.subject })
    case 'event_binding':
      if (view.scenario) return scenarioSteps(locale, { ...view.scenario, unit: view.unit }, layoutOf)
      return view.template
        ? contentSection(locale, view.template.messages, { ...view, names: view.template.names })
        : html`<p>${factWords[locale].noTemplate}</p>\n`
    case 'scenario': {
      const steps = await scenarioSteps(locale, view, layoutOf)
      return view.pattern ? patternSections(locale, { ...view, pattern: view.pattern }, steps) : steps
    }
  }
}

type Asking = { reason: string; open: boolean; asksOnce: boolean }

/** The forms, or why the reader has none: at the bottom edge of the window, however long the page is. */
function decisionForms(locale: Locale, view: ApprovalView, asking: Asking): Markup {
  if (view.outcome) return html``
  const words = approvalWords[locale]
  const { approve, reject } = view.allowed
  const why = approve.allowed ? html`` : html`<p class="quiet">${refusalText(words, view)}</p>\n`
  const approving = approve.allowed ? approveForm(locale, view, asking) : html``
  return html`<div class="decide">${why}${approving}${reject.allowed ? rejectForm(locale, view, asking) : html``}</div>
`
}

/** Approves, or leads to the page that asks; the button says whom it reaches and when. */
function approveForm(locale: Locale, view: ApprovalView, { asksOnce }: Asking): Markup {
  const button = html`<button class="strong">${approvalLabel(locale, view)}</button>`
  const { version } = view
  if (!asksOnce)
    return html`<form method="get"><input type="hidden" name="approve" value="${version}">\n${button}</form>\n`
  const decision = html`<input type="hidden" name="decision" value="approve">`
  return html`<form method="post" action="${pathOf(view)}">${decision}<input type="hidden" name="version" value="${version}">\n${button}</form>\n`
}

/** Why the reader may not approve, in their language. */
function refusalText({ refused }: ApprovalWords, { allowed: { approve, reject } }: ApprovalView): string {
  if (approve.allowed) return ''
  if (approve.code === 'self_approval') return reject.allowed ? refused.own : refused.ownOnly
  if (approve.reason) return refused[refusedBecause[approve.reason]]
  if (approve.code === 'forbidden' || approve.code === 'quota_exceeded') return refused[approve.code]
  return refused.other
}

const refusedBecause = {
  category_disabled: 'category',
  triggers_taken: 'trigger',
  events_taken: 'pair',
} as const satisfies Record<DecisionReason, string>

/** The words of the button: how many people, and when. */
function approvalLabel(locale: Locale, view: ApprovalView): string {
  const { approve } = approvalWords[locale]
  const { people } = kitWords[locale]
  if (view.kind !== 'message') return approve[view.kind](String(view.version))
  const when = view.startsAt === null ? null : shortDateOf(locale, view.unit.timeZone, view.startsAt)
  return approve.message(people(numberOf(locale, view.detail.recipients?.total ?? 0)), when)
}

function rejectForm(locale: Locale, view: ApprovalView, { reason, open }: Asking): Markup {
  const { version } = view
  const { reject } = approvalWords[locale]
  const hint = open
    ? box(locale, 'wrong', html`<p id="hint">${reject.missing}</p>`)
    : html`<p class="quiet" id="hint">${reject.hint}</p>`
  const invalid = open ? html` aria-invalid="true" autofocus` : html``
  return html`<details class="reject"${open ? html` open` : html``}><summary>${reject.open}</summary>
<form method="post" action="${pathOf(view)}"><input type="hidden" name="decision" value="reject"><input type="hidden" name="version" value="${version}">
<label for="reason">${reject.label}</label>
${hint}
<textarea id="reason" name="reason" rows="4" maxlength="${reasonLength}" required aria-describedby="hint"${invalid}>${reason}</textarea>
<button class="mild">${reject.button}</button></form></details>\n`
}

/** The page between the two taps of an approval. */
export function confirmApprovalPage(locale: Locale, view: ApprovalView): Page {
  const words = approvalWords[locale]
  const { title, text, button } = words.confirm[view.kind]
  return confirmPage(locale, view.unit, {
    ...{ title, text, subject: localise(locale, view.title), facts: keyFacts(locale, view) },
    path: pathOf(view),
    fields: { decision: 'approve', version: view.version },
    ...{ button: button(approvalLabel(locale, view)), back: words.back },
  })
}

/** People and time of a message, so that the second tap is about them. */
function keyFacts(locale: Locale, view: ApprovalView): Markup {
  const recipients = view.kind === 'message' ? view.detail.snapshot?.recipients : undefined
  if (view.kind !== 'message' || !recipients) return html``
  const { labels } = factWords[locale]
  const people = html`<dt>${labels.people}</dt><dd><p>${peopleText(locale, recipients)}</p></dd>`
  const when = html`<dt>${labels.when}</dt><dd><p>${startText(locale, view)}</p></dd>`
  return html`<dl class="facts">${people}${when}</dl>\n`
}

/** A link to all that waits. */
function listLink(locale: Locale): Markup {
  return html`<p><a href="/approvals">${kitWords[locale].allWaiting}</a></p>\n`
}
