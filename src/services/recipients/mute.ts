import { type Channel, channels } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { findChoices, lockSubject } from '../../db/queries/subject/preference.ts'
import type { Muted } from '../../domain/content/muted.ts'
import type { Option } from '../../domain/content/option.ts'
import { changePreferences } from './preferences.ts'

/** What a button switched. `undoes`: the channels to switch on again, also such as the category does not use now. */
export type Switched = Muted & { undoes: Channel[] }

/** A person, and the button that turns a category off. */
type Muting = { subjectId: string; option: Option }

/**
 * Turns a button's category off, unless it has become mandatory since. Unlike an answer this is possible for ever
 * (docs/design/links.md). Null for other buttons, and if the category is gone.
 */
export async function mute(trx: Trx, muting: Muting): Promise<Switched | null> {
  const category = await findCategory(trx, muting)
  if (!category) return null
  const { id, name, mandatory } = category
  if (mandatory) return { kind: 'not_mutable', category: name, channels: [], undoes: [] }
  const undoes = channels.filter((channel) => category[channel])
  const off = Object.fromEntries(channels.map((channel) => [channel, false]))
  await changePreferences(trx, muting.subjectId, { categories: { [id]: off } })
  return { kind: 'muted', category: name, channels: shownOf(category, undoes), undoes }
}

/** Turns it off, or `undoes` that: on again, on the channels on which it was. Null as for `mute`. */
export async function switchCategory(
  trx: Trx,
  muting: Muting,
  undoes: readonly Channel[] | null,
): Promise<Switched | null> {
  if (undoes === null) return mute(trx, muting)
  const category = await findCategory(trx, muting)
  if (!category) return null
  const on = Object.fromEntries(undoes.map((channel) => [channel, true]))
  await changePreferences(trx, muting.subjectId, { categories: { [category.id]: on } })
  return { kind: 'unmuted', category: category.name, channels: shownOf(category, undoes), undoes: [] }
}

/** Of the channels that were switched those that the category uses. */
function shownOf(category: { channels: Channel[] }, switched: readonly Channel[]): Channel[] {
  return category.channels.filter((channel) => switched.includes(channel))
}

/** The category of the button, and what is on; locked, so that nothing changes it before it is switched. */
async function findCategory(trx: Trx, { subjectId, option: { mutes } }: Muting) {
  if (mutes === undefined) return undefined
  await lockSubject(trx, subjectId)
  const choices = await findChoices(trx, subjectId)
  return choices?.categories.find(({ id }) => id === mutes)
}
