import { Cleared } from '../../channels/cleared.ts'
import type { Link } from '../../channels/email/links.ts'
import { mailCopy } from '../../channels/email/sample.ts'
import type { LinkTarget } from '../../channels/email/wire.ts'
import { type Channel, isOneOf, type Locale, type WaveState } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { ChangePreferences } from '../../contract/subjects/recipients.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertDoNotRemind } from '../../db/queries/answer/answer.ts'
import { findLinkedTurn, findTurnMail, type LinkedTurn } from '../../db/queries/scenario-run/linked-turn.ts'
import {
  type Choices,
  findChoices,
  findLinkSubject,
  type LinkSubject,
} from '../../db/queries/subject/preference.ts'
import { findSentMail } from '../../db/queries/subject/sent-mail.ts'
import { findOption, type Option } from '../../domain/content/option.ts'
import type { ReminderTime } from '../../domain/content/reminder-time.ts'
import type { Services } from '../context.ts'
import { mute } from '../recipients/mute.ts'
import { changePreferences, withdrawOwnConsent } from '../recipients/preferences.ts'
import { recordTap } from '../recipients/taps.ts'
import { emptyForm, type PageForm } from './answer-page.ts'
import { type PageAddress, readPage } from './read-page.ts'
import { type OpeningView, readOpening, startOnPage } from './start-on-page.ts'
import { type ButtonState, buttonState, pressTurnButton } from './turn-answers.ts'
import { findTurnButton } from './turn-button.ts'

/**
 * The view of the page behind a link in a mail: of the person, only their language and choices. `back`: has just been
 * switched on again.
 */
export type LinkView = { locale: Locale; unit: string; category: LocalisedText } & (
  | { ask: 'mail'; state: 'on' | 'off' | 'back' | 'fixed' }
  | MuteView
  | { ask: 'preferences'; choices: Choices; done?: 'saved' | 'withdrawn' }
  | { ask: 'ended' }
  /** The mail itself, as HTML; or it can no longer be read. */
  | { ask: 'copy'; html: string }
  | { ask: 'copy_gone' }
  | { ask: 'do_not_remind'; state: 'open' | 'done' | 'past'; reminder: ReminderTime | null }
  | OptionView
  /** An answer that is followed by a page of its own. */
  | { ask: 'goes_on'; page: PageAddress }
)

/**
 * A button that turns a category off. `channels`: those it turns off, or has turned off. `settings`: whether the page
 * may lead on to the settings.
 */
type MuteView = {
  ask: 'mute'
  state: 'on' | 'off' | 'back' | 'fixed'
  muted: LocalisedText
  channels: Channel[]
  settings: boolean
}

/**
 * `before`: the label of another answer to the same question, which this one replaces or has replaced; where the answer is
 * `final` (of a scenario's question), that one stands.
 */
type OptionView = {
  ask: 'option'
  state: ButtonState['state']
  question: LocalisedText
  label: LocalisedText
  before?: LocalisedText
  final: boolean
  /** It begins a conversation, which begins with this. */
  opening?: OpeningView
}

/**
 * The form of a page: a category on or off (`channels`: on which to undo a mute), the choices of the preferences page,
 * or the scope of a consent to withdraw.
 */
export type LinkForm = {
  wanted?: 'on' | 'off'
  channels?: Channel[]
  choices?: ChangePreferences
  withdraw?: string
  onPage?: PageForm
}

type LinkServices = Pick<Services, 'db' | 'wake' | 'rendering'>
type LinkReaders = Omit<LinkServices, 'wake'>

/** What a link belongs to: the wave of a message, or a turn of a scenario's run, with its person. */
type LinkOwner = LinkSubject | LinkedTurn

/** The view of a verified link. Changes nothing. Null if its message, turn or person no longer exists. */
export async function viewLink(services: LinkReaders, link: Link): Promise<LinkView | null> {
  const owner = await findLinked(services.db, link)
  return owner ? viewOf(services, owner, link.target) : null
}

async function findLinked(db: Db, { waveId, subjectId }: Link): Promise<LinkOwner | undefined> {
  return (
    (await findLinkSubject(db, { waveId, subjectId })) ??
    (await findLinkedTurn(db, { turnId: waveId, subjectId }))
  )
}

function isTurn(owner: LinkOwner): owner is LinkedTurn {
  return 'turnId' in owner
}

/**
 * Performs the action of a link and returns its view afterwards. Idempotent. A mail program's one-click request (RFC
 * 8058) carries no choice and unsubscribes; preferences change only by the form of their page.
 */
export async function followLink(
  services: LinkServices,
  link: Link,
  form: LinkForm,
): Promise<LinkView | null> {
  const { db } = services
  const owner = await findLinked(db, link)
  const view = owner && (await viewOf(services, owner, link.target))
  if (!owner || !view) return null
  const { subjectId } = owner
  switch (view.ask) {
    case 'mail': {
      if (view.state === 'fixed') return view
      await change(db, owner, mailOnly(owner, form.wanted ?? 'off'))
      const after = await viewLink(services, link)
      return after?.ask === 'mail' && after.state === 'on' ? { ...after, state: 'back' } : after
    }
    case 'mute': {
      if (view.state === 'fixed') return view
      const undone = form.wanted === 'on'
      await (undone
        ? unmute(db, owner, link.target, form.channels ?? [])
        : press(services, owner, link.target))
      const after = await viewLink(services, link)
      if (after?.ask !== 'mute') return after
      if (undone) return after.state === 'on' ? { ...after, state: 'back' } : after
      return view.state === 'on' ? { ...after, channels: view.channels } : after
    }
    case 'preferences': {
      const { choices, withdraw } = form
      if (choices) await change(db, owner, choices)
      if (withdraw !== undefined)
        await inTransaction(db, (trx) => withdrawOwnConsent(trx, subjectId, withdraw))
      const after = await viewLink(services, link)
      const done = withdraw === undefined ? choices && ('saved' as const) : ('withdrawn' as const)
      return after?.ask === 'preferences' && done ? { ...after, done } : after
    }
    case 'do_not_remind':
      if (!isTurn(owner)) await insertDoNotRemind(db, owner.messageId, subjectId)
      return viewLink(services, link)
    case 'option': {
      const { locale, unit, category } = owner
      const onPage = (page: PageAddress) => ({ locale, unit, category, ask: 'goes_on' as const, page })
      if (view.state === 'done' && isTurn(owner)) {
        const page = await findRepeated(db, owner, link.target)
        return page ? onPage(page) : view
      }
      if (view.state !== 'open') return view
      const pressed = await press(services, owner, link.target, form.onPage)
      if (pressed && 'page' in pressed) return onPage(pressed.page)
      if (pressed) return { ...view, ...pressed }
      const after = await viewLink(services, link)
      return after?.ask === 'option' && view.before ? { ...after, before: view.before } : after
    }
    case 'ended':
    case 'copy':
    case 'copy_gone':
    case 'goes_on':
      return view
  }
}

/** The page of an answer that is sent twice; null: it was given more than a minute ago, and has a page no longer. */
async function findRepeated(db: Db, owner: LinkedTurn, target: LinkTarget): Promise<PageAddress | null> {
  const button = 'o' in target ? findTurnButton(owner, target.n, target.o) : null
  if (!button || button.option.starts !== undefined) return null
  const { runId, subjectId } = owner
  const address = { runId, subjectId, after: owner.number }
  const page = await readPage(db, address)
  return page?.run.justSpoke && page.view.is !== 'passed' ? address : null
}

async function viewOf(services: LinkReaders, owner: LinkOwner, target: LinkTarget): Promise<LinkView | null> {
  const { db } = services
  const { locale, unit, category } = owner
  const head = { locale, unit, category }
  switch (target.purpose) {
    case 'unsubscribe': {
      const state = owner.layer === 'mandatory' ? 'fixed' : owner.off ? 'off' : 'on'
      return { ...head, ask: 'mail', state }
    }
    case 'preferences': {
      if (owner.ended) return { ...head, ask: 'ended' }
      const choices = await findChoices(db, owner.subjectId)
      return choices ? { ...head, ask: 'preferences', choices } : null
    }
    case 'view': {
      const sent = owner.ended ? undefined : await findMail(db, owner)
      if (!sent) return { ...head, ask: 'copy_gone' }
      return { ...head, ask: 'copy', html: mailCopy(Cleared.byApproval(sent.mail, sent.approval)) }
    }
    case 'open':
    case 'calendar':
    case 'page':
      return null // opens its URL (open-link.ts), is a file (calendar-file.ts), or a page of its own (read-page.ts)
    case 'do_not_remind': {
      if (isTurn(owner)) return null
      const { remindAt, timeZone } = owner
      const ahead = isOneOf(remindable, owner.reminder)
      const state = owner.notReminded ? 'done' : ahead ? 'open' : 'past'
      return { ...head, ask: 'do_not_remind', state, reminder: remindAt && { at: remindAt, timeZone } }
    }
    case 'tap':
    case 'mute': {
      const option = optionOf(owner, target)
      if (!option) return null
      if (option.mutes === undefined) {
        const view = await (isTurn(owner)
          ? buttonView(services, owner, target)
          : optionView(services, owner, option, target))
        return view && { ...head, ...view }
      }
      const view = await muteView(db, owner, option.mutes, target)
      return view && { ...head, ...view }
    }
  }
}

function findMail(db: Db, owner: LinkOwner) {
  return isTurn(owner) ? findTurnMail(db, owner) : findSentMail(db, owner)
}

/** A reminder in these states may still be declined. */
const remindable: readonly WaveState[] = ['waiting', 'sending', 'paused']

type Pressed = Extract<LinkTarget, { purpose: 'tap' | 'mute' }>

async function muteView(
  db: Db,
  owner: LinkOwner,
  mutes: string,
  { purpose }: Pressed,
): Promise<MuteView | null> {
  const choices = await findChoices(db, owner.subjectId)
  const category = choices?.categories.find(({ id }) => id === mutes)
  if (!category) return null
  const on = category.channels.filter((channel) => category[channel])
  return {
    ask: 'mute',
    state: category.mandatory ? 'fixed' : on.length > 0 ? 'on' : 'off',
    muted: category.name,
    channels: on.length > 0 ? on : category.channels,
    settings: purpose === 'mute' && !owner.ended,
  }
}

async function optionView(
  services: LinkReaders,
  owner: LinkSubject,
  { asks, label, question, starts }: Option,
  { n, o }: Pressed,
): Promise<OptionView> {
  if (starts !== undefined) {
    const view = { ask: 'option', question: asks, label, final: false } as const
    if (owner.over || owner.ended) return { ...view, state: 'over' }
    return { ...view, ...(await openingState(services, owner, starts)) }
  }
  const lastAnswer = owner.answers.find((answer) => answer.question === question)
  const same = lastAnswer?.n === n && lastAnswer.o === o
  const before =
    lastAnswer && !same ? findOption(owner.frozen ?? [], lastAnswer.n, lastAnswer.o)?.label : undefined
  const state = same ? 'done' : owner.over || owner.ended ? 'over' : 'open'
  return { ask: 'option', state, question: asks, label, ...(before && { before }), final: false }
}

async function buttonView(
  services: LinkReaders,
  owner: LinkedTurn,
  { n, o }: Pressed,
): Promise<OptionView | null> {
  const button = findTurnButton(owner, n, o)
  const state = button && (await buttonState(services.db, owner, button))
  if (!state) return null
  const { asks, label, starts } = button.option
  const begins = starts !== undefined && state.state === 'open'
  const opening = begins ? await openingState(services, owner, starts) : {}
  return { ask: 'option', question: asks, label, ...state, final: true, ...opening }
}

/** A conversation that can be begun: whoever opens the link reads how it begins. */
async function openingState(
  services: LinkReaders,
  { unitId }: LinkOwner,
  starts: string,
): Promise<Pick<OptionView, 'state' | 'opening'>> {
  const opening = await readOpening(services, { unitId, starts })
  return opening ? { state: 'open', opening } : { state: 'not_active' }
}

function mailOnly({ categoryId }: LinkOwner, wanted: 'on' | 'off'): ChangePreferences {
  return { categories: { [categoryId]: { email: wanted === 'on' } } }
}

function change(db: Db, { subjectId }: LinkOwner, wanted: ChangePreferences): Promise<void> {
  return inTransaction(db, (trx) => changePreferences(trx, subjectId, wanted))
}

/** Turns a button's category on again, on the channels that the page named. */
async function unmute(
  db: Db,
  owner: LinkOwner,
  target: LinkTarget,
  channels: readonly Channel[],
): Promise<void> {
  const mutes = optionOf(owner, target)?.mutes
  if (mutes === undefined) return
  const on = Object.fromEntries(channels.map((channel) => [channel, true]))
  await change(db, owner, { categories: { [mutes]: on } })
}

/**
 * Records the answer while the message takes answers; a button that mutes works for ever. One that leads to a scenario that
 * takes nobody records nothing, so that it can be pressed again. Returns where the button stands now, if that is not what
 * its view says.
 */
async function press(
  services: LinkServices,
  owner: LinkOwner,
  target: LinkTarget,
  form: PageForm = emptyForm,
): Promise<ButtonState | { page: PageAddress } | null> {
  if (!('o' in target)) return null
  const { n, o } = target
  const { db } = services
  if (isTurn(owner)) {
    const button = findTurnButton(owner, n, o)
    return button && pressTurnButton(services, owner, button, form)
  }
  const option = optionOf(owner, target)
  if (!option) return null
  if (option.starts !== undefined) {
    const page = await startOnPage(services, owner, { starts: option.starts, n, o }, form)
    return page ? { page } : { state: 'not_active' }
  }
  const { messageId, unitId, subjectId, frozen } = owner
  const pressed = { messageId, unitId, subjectId, frozen: frozen ?? [], channel: 'email', n, o } as const
  await inTransaction(db, async (trx) => {
    if (owner.over || owner.ended) await mute(trx, { subjectId, option })
    else await recordTap(trx, { ...pressed, at: null })
  })
  return null
}

function optionOf(owner: LinkOwner, target: LinkTarget): Option | null {
  if (!('o' in target)) return null
  const { n, o } = target
  if (isTurn(owner)) return findTurnButton(owner, n, o)?.option ?? null
  return findOption(owner.frozen ?? [], n, o)
}

function inTransaction<T>(db: Db, act: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(act)
}
