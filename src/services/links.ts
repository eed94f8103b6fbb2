import type { Link } from '../channels/email/links.ts'
import type { LinkTarget } from '../channels/email/target.ts'
import type { Locale, LocalisedText } from '../contract/localised-text.ts'
import type { Db } from '../db/connect.ts'
import { insertAnswer, insertDoNotRemind } from '../db/queries/answer.ts'
import { mandatoryAmong } from '../db/queries/category.ts'
import { findLinkSubject, type LinkSubject } from '../db/queries/link.ts'
import { setPreferences } from '../db/queries/subject.ts'
import { type Option, optionAt } from '../domain/option-at.ts'

/** What the page behind a link in a mail shows: no more of the person than their language. */
export type LinkView = { locale: Locale; unit: string; category: LocalisedText } & (
  | { ask: 'mail'; state: 'on' | 'off' | 'fixed' }
  | { ask: 'do_not_remind'; state: 'open' | 'done' }
  | { ask: 'option'; label: LocalisedText; state: 'open' | 'done' | 'over' }
)

/** What a verified link leads to, changing nothing. Null where what it was about is gone. */
export async function seeLink(db: Db, link: Link): Promise<LinkView | null> {
  const found = await findLinkSubject(db, link)
  return found ? viewOf(found, link.target) : null
}

/**
 * Does what a link is for, and answers what its page shows then. Once or a hundred times is the same. `wanted` is what a
 * page's own button says; a mail program's one-click request (RFC 8058) says nothing of the kind and unsubscribes.
 */
export async function followLink(db: Db, link: Link, wanted: 'on' | 'off' | null): Promise<LinkView | null> {
  const found = await findLinkSubject(db, link)
  const view = found && viewOf(found, link.target)
  if (!found || !view) return null
  if (view.ask === 'mail' && view.state !== 'fixed') await switchMail(db, found, link.target, wanted)
  if (view.ask === 'do_not_remind') await insertDoNotRemind(db, found.messageId, found.subjectId)
  if (view.ask === 'option' && view.state === 'open') await answer(db, found, link.target)
  return seeLink(db, link)
}

function viewOf(found: LinkSubject, target: LinkTarget): LinkView | null {
  const { locale, unit, category } = found
  const head = { locale, unit, category }
  switch (target.purpose) {
    case 'unsubscribe':
    case 'preferences': {
      const state = found.layer === 'mandatory' ? 'fixed' : found.off ? 'off' : 'on'
      return { ...head, ask: 'mail', state }
    }
    case 'do_not_remind':
      return { ...head, ask: 'do_not_remind', state: found.notReminded ? 'done' : 'open' }
    case 'tap': {
      const option = optionAt(found.frozen ?? [], target.n, target.o)
      if (!option) return null
      const done = found.answers.includes(`${target.n}/${target.o}`)
      return {
        ...head,
        ask: 'option',
        label: option.label,
        state: done ? 'done' : found.over ? 'over' : 'open',
      }
    }
  }
}

/** Unsubscribing needs no word; the settings change only as their button says. */
async function switchMail(db: Db, found: LinkSubject, target: LinkTarget, wanted: 'on' | 'off' | null) {
  const choice = wanted ?? (target.purpose === 'unsubscribe' ? 'off' : null)
  if (choice === null) return
  const { subjectId, categoryId } = found
  await setPreferences(db, [{ subjectId, categoryId, channel: 'email', enabled: choice === 'on' }])
}

/** Writes down what was pressed, and mutes what a mute button names; what else follows from an answer is read from it. */
async function answer(db: Db, found: LinkSubject, target: LinkTarget): Promise<void> {
  if (target.purpose !== 'tap') return
  const { messageId, subjectId, frozen } = found
  const { n, o } = target
  const option = optionAt(frozen ?? [], n, o)!
  await db.transaction().execute(async (trx) => {
    await insertAnswer(trx, { messageId, subjectId, n, o, optionId: option.id ?? null, channel: 'email' })
    await mute(trx, subjectId, option)
  })
}

/** A category that has become mandatory since stays on. */
async function mute(db: Db, subjectId: string, { mutes: categoryId }: Option): Promise<void> {
  if (categoryId === undefined || (await mandatoryAmong(db, [categoryId])).length > 0) return
  const channels = ['chat', 'email'] as const
  await setPreferences(
    db,
    channels.map((channel) => ({ subjectId, categoryId, channel, enabled: false })),
  )
}
