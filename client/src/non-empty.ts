/**
 * Whether a list has an item, for the fields that need one: the compiler knows it of a list that is written out, not of one
 * that is made.
 *
 * @example
 * const uids = ['b10902042', 'b10902043'].filter((uid) => uid.startsWith('b'))
 * if (nonEmpty(uids)) await carillon.scenarios.start(id, { subjectUids: uids })
 */
export function nonEmpty<Item>(list: Item[]): list is [Item, ...Item[]] {
  return list.length > 0
}
