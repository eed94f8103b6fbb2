import type { Link } from '../../channels/email/links.ts'
import { mailCopy } from '../../channels/email/sample.ts'
import type { LinkTarget } from '../../channels/email/wire.ts'
import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { ChangePreferences } from '../../contract/recipients/recipient.ts'
import type { Db } from '../../db/connect.ts'
import { insertDoNotRemind } from '../../db/queries/message/answer.ts'
import {
  type Choices,
  findChoices,
  findLinkSubject,
  type LinkSubject,
} from '../../db/queries/subject/preference.ts'
import { findSentMail } from '../../db/queries/subject/sent-mail.ts'
import { findOption } from '../../domain/option.ts'
import { changePreferences } from './preferences.ts'
import { recordTap } from './taps.ts'

/** The view of the page behind a link in a mail: of the person, only their language and choices. */
export type LinkView = { locale: Locale; unit: string; category: LocalisedText } & (
  | { ask: 'mail'; state: 'on' | 'off' | 'fixed' }
  | { ask: 'preferences'; choices: Choices; saved: boolean }
  | { ask: 'ended' }
  /** The mail itself, as HTML; or it can no longer be read. */
  | { ask: 'copy'; html: string }
  | { ask: 'copy_gone' }
  | { ask: 'do_not_remind'; state: 'open' | 'done' }
  | { ask: 'option'; label: LocalisedText; state: 'open' | 'done' | 'over' }
)

/** The form of a page: mail of the category on or off, or the choices of the preferences page. */
export type LinkForm = { wanted?: 'on' | 'off'; choices?: ChangePreferences }

/** The view of a verified link. Changes nothing. Null if its message or person no longer exists. */
export async function viewLink(db: Db, link: Link): Promise<LinkView | null> {
  const found = await findLinkSubject(db, link)
  return found ? viewOf(db, found, link.target) : null
}

/**
 * Performs the action of a link and returns its view afterwards. Idempotent. A mail program's one-click request (RFC
 * 8058) carries no choice and unsubscribes; preferences change only by the form of their page.
 */
export async function followLink(db: Db, link: Link, form: LinkForm): Promise<LinkView | null> {
  const found = await findLinkSubject(db, link)
  const view = found && (await viewOf(db, found, link.target))
  if (!found || !view) return null
  switch (view.ask) {
    case 'mail':
      if (view.state !== 'fixed') await change(db, found, mailOnly(found, form.wanted ?? 'off'))
      break
    case 'preferences':
      if (form.choices) await change(db, found, form.choices)
      break
    case 'do_not_remind':
      await insertDoNotRemind(db, found.messageId, found.subjectId)
      break
    case 'option':
      if (view.state === 'open') await answer(db, found, link.target)
  }
  const after = await viewLink(db, link)
  return after?.ask === 'preferences' ? { ...after, saved: form.choices !== undefined } : after
}

async function viewOf(db: Db, found: LinkSubject, target: LinkTarget): Promise<LinkView | null> {
  const { locale, unit, category } = found
  const head = { locale, unit, category }
  switch (target.purpose) {
    case 'unsubscribe': {
      const state = found.layer === 'mandatory' ? 'fixed' : found.off ? 'off' : 'on'
      return { ...head, ask: 'mail', state }
    }
    case 'preferences': {
      if (found.ended) return { ...head, ask: 'ended' }
      const choices = await findChoices(db, found.subjectId)
      return choices ? { ...head, ask: 'preferences', choices, saved: false } : null
    }
    case 'view': {
      const mail = found.ended ? undefined : await findSentMail(db, found)
      return mail ? { ...head, ask: 'copy', html: mailCopy(mail) } : { ...head, ask: 'copy_gone' }
    }
    case 'do_not_remind':
      return { ...head, ask: 'do_not_remind', state: found.notReminded ? 'done' : 'open' }
    case 'tap': {
      const option = findOption(found.frozen ?? [], target.n, target.o)
      if (!option) return null
      const done = found.answers.includes(`${target.n}/${target.o}`)
      return {
        ...head,
        ask: 'option',
        label: option.label,
        state: done ? 'done' : found.over || found.ended ? 'over' : 'open',
      }
    }
  }
}

function mailOnly({ categoryId }: LinkSubject, wanted: 'on' | 'off'): ChangePreferences {
  return { categories: { [categoryId]: { email: wanted === 'on' } } }
}

function change(db: Db, { subjectId }: LinkSubject, wanted: ChangePreferences): Promise<void> {
  return db.transaction().execute((trx) => changePreferences(trx, subjectId, wanted))
}

async function answer(db: Db, found: LinkSubject, target: LinkTarget): Promise<void> {
  if (target.purpose !== 'tap') return
  const { messageId, unitId, subjectId, frozen } = found
  const { n, o } = target
  const pressed = { messageId, unitId, subjectId, frozen: frozen ?? [], channel: 'email', n, o } as const
  await db.transaction().execute((trx) => recordTap(trx, { ...pressed, at: null }))
}
