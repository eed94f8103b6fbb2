import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { findAuthorsSinceApproved } from '../../db/queries/approval/authors.ts'
import {
  type BegunComposition,
  type Composition,
  deleteComposition,
  findComposition,
  findSubmitted,
  findWriters,
  insertComposition,
  type ListedComposition,
  listCompositions as listRows,
  lockComposition,
  markSubmitted,
  saveComposition as saveRow,
} from '../../db/queries/composition/composition.ts'
import { clip } from '../../domain/content/graphemes.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { maySeePersonal } from '../../domain/rights/permission.ts'
import { actorOf, type PersonPrincipal } from '../../domain/rights/principal.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { personalText } from '../messages/read.ts'
import { assertMayAsk } from '../messages/rights.ts'
import { findInUnits, unitsOf } from '../unit-access.ts'
import type { WrittenIn } from '../written-in.ts'

/**
 * Begins to write something of a unit, or goes on with a draft, a template or a pattern of it: two people who do so write
 * the same.
 * `tells`: the scenario whose words it begins with.
 * Returns the id of what is written.
 * @throws ServiceError forbidden, validation_error if the unit writes too many
 */
export async function startComposition(
  { db }: Services,
  principal: PersonPrincipal,
  { form, tells = null, ...of }: BegunComposition & { tells?: string | null },
): Promise<string> {
  assertMayAsk(principal, 'create', of.unitId)
  return db.transaction().execute(async (trx) => {
    await assertRoomFor(trx, 'compositions', of.unitId)
    return insertComposition(trx, {
      ...of,
      title: titleOf(form),
      form,
      actor: actorOf(principal),
      wordsOf: tells === null ? [] : await findAuthorsSinceApproved(trx, 'scenario', tells),
    })
  })
}

/**
 * What is written, as it was saved last. A personal message that is being written is read by those who may read it once it
 * is made: its authors and the unit's approvers.
 * @throws ServiceError not_found, forbidden for people who may not write in the unit, or not read this
 */
export async function readComposition(
  { db }: Services,
  principal: PersonPrincipal,
  id: string,
): Promise<Composition> {
  const actor = actorOf(principal)
  const composition = await findInUnits(db, principal, id, 'composition', (trx, id, unitIds) =>
    findComposition(trx, { id, unitIds, actor }),
  )
  assertMayAsk(principal, 'create', composition.unitId)
  if (!mayRead(principal, composition)) throw personalText()
  return composition
}

function mayRead(
  principal: PersonPrincipal,
  { personal, isAuthor, unitId }: Pick<Composition, 'personal' | 'isAuthor' | 'unitId'>,
): boolean {
  return !personal || maySeePersonal(principal, unitId, isAuthor)
}

/**
 * Saves what was written over the version that was shown. Returns what is stored then; `stale`: something else has been
 * saved since, and nothing was written over it.
 * @throws ServiceError not_found, forbidden, validation_error if the form has too many fields, or too long names
 */
export async function saveComposition(
  services: Services,
  principal: PersonPrincipal,
  id: string,
  { version, form }: Pick<Composition, 'version' | 'form'>,
): Promise<{ stale: boolean; stored: Composition }> {
  await readComposition(services, principal, id)
  assertBounded(form)
  const saved = await saveRow(services.db, {
    ...{ id, version, title: titleOf(form), form },
    actor: actorOf(principal),
  })
  const stored = await readComposition(services, principal, id)
  // Whoever did not hear that it was saved saves the same again.
  const same = saved || canonicalJson(stored.form) === canonicalJson(form)
  return { stale: !same, stored }
}

/** Bounds what every reader of the form walks through, without which one person's form breaks the page of all. */
function assertBounded(form: Composition['form']): void {
  if (form.length > limits.compositionFields)
    throw new ServiceError('validation_error', 'The message has too many parts. Remove some of them.')
  const { compositionFieldLength: length, compositionFieldDepth: depth } = limits
  if (form.some(([name]) => name.length > length || name.split('.', depth + 1).length > depth))
    throw new ServiceError(
      'validation_error',
      'The form is not one of this page: a name of a field is too long.',
    )
}

/**
 * What is written, if it is still the version that was shown.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export async function sameAs(
  services: Services,
  principal: PersonPrincipal,
  ref: Pick<Composition, 'id' | 'version'>,
): Promise<Composition> {
  const stored = await readComposition(services, principal, ref.id)
  if (stored.version === ref.version) return stored
  throw changedSince()
}

function changedSince(): ServiceError {
  return new ServiceError(
    'invalid_transition',
    'Somebody else has changed it. See how it is now, then submit it.',
  )
}

/**
 * What is written, for the transaction that makes something of this version of it. `lock` throws not_found if it has
 * become that already, invalid_transition if it is not the version that was shown.
 */
export function writtenIn({ id, version }: Pick<Composition, 'id' | 'version'>): WrittenIn {
  return {
    async lock(trx) {
      const stored = await lockComposition(trx, id)
      if (stored === undefined)
        throw new ServiceError('not_found', 'It has been submitted or discarded already. Check the list.')
      if (stored !== version) throw changedSince()
      const writers = await findWriters(trx, id)
      return writers.map(({ actor }) => actor)
    },
    end: (trx, madeId) => markSubmitted(trx, id, madeId),
  }
}

/**
 * What has become of what was written, of which kind; undefined if it is still being written, or was discarded. Its page
 * decides whether the reader may see it.
 */
export function findMade(
  { db }: Services,
  principal: PersonPrincipal,
  id: string,
): Promise<{ kind: Composition['kind']; submittedId: string } | undefined> {
  return findSubmitted(db, id, unitsOf(principal))
}

/** @throws ServiceError not_found, forbidden */
export async function discardComposition(
  services: Services,
  principal: PersonPrincipal,
  id: string,
): Promise<void> {
  await readComposition(services, principal, id)
  await deleteComposition(services.db, id)
}

/** One of a list. `title`: null if the reader may not read it. */
export type ListItem = Omit<ListedComposition, 'title'> & { title: string | null }

/** What is written in a unit and not submitted, the newest first: all of it, since a unit has a bounded number. */
export async function listCompositions(
  { db }: Services,
  principal: PersonPrincipal,
  unitId: string,
): Promise<ListItem[]> {
  assertMayAsk(principal, 'create', unitId)
  const of = { unitId, actor: actorOf(principal) }
  const rows = await listRows(db, of, { after: null, limit: limits.pageSizeMax })
  return rows.map((row) => ({ ...row, title: mayRead(principal, row) ? row.title : null }))
}

/** The longest title of a list, in grapheme clusters. */
const titleLength = 80

/** The first line of the first text that is written, the Chinese one if there is one; empty without any. */
function titleOf(form: Composition['form']): string {
  const texts = form.filter(([name, text]) => /\.(text|title)\.(zh-TW|en)$/.test(name) && text.trim() !== '')
  const [, text = ''] = texts.find(([name]) => name.endsWith('.zh-TW')) ?? texts[0] ?? []
  return clip(text.trim().split('\n')[0]!, titleLength)
}
