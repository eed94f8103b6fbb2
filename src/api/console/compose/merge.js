// What three readings of a form make together: the one that was posted, the one that is shown now, and the one that the
// server made of what was posted (docs/design/console.md). A reading is the names and values of its fields in their order.

/** @typedef {[name: string, value: string][]} Reading */

/**
 * Names of fields, and acts of buttons, that say of an entry which one it is instead of which number it has, and back. Of an
 * entry that is not there any more, `numbered` is null.
 * @param {Reading} reading
 */
export function namesIn(reading) {
  /** @type {Map<string, string>} */
  const keys = new Map()
  /** @type {Map<string, string>} */
  const numbers = new Map()
  for (const [name, key] of reading) {
    const [, list, number] = /^(.+)\.(\d+)\.key$/.exec(name) ?? []
    if (list === undefined || number === undefined || key === '') continue
    keys.set(`${list}.${number}`, key)
    numbers.set(`${list}.~${key}`, number)
  }
  /** @param {string} name @returns {string | null} */
  function numbered(name) {
    const [entry, list] = /^([^~]+\.)~[^.]+/.exec(name) ?? []
    if (entry === undefined) return name
    const number = numbers.get(entry)
    return number === undefined ? null : numbered(list + number + name.slice(entry.length))
  }
  return {
    /** @param {string} act */
    keyed: (act) =>
      act.replace(/\S+$/, (name) =>
        name.replace(/\.\d+(?=\.|$)/g, (step, at) => {
          const key = keys.get(name.slice(0, at) + step)
          return key === undefined ? step : `.~${key}`
        }),
      ),
    /** @param {string} act */
    numbered: (act) => {
      const at = act.lastIndexOf(' ') + 1
      const name = numbered(act.slice(at))
      return name && act.slice(0, at) + name
    },
  }
}

/**
 * What is shown once an answer is there: the answer, but what differs from what was posted stays as it is now. Entries that
 * the answer adds are there, and those that it removes are not.
 * @param {Reading} posted
 * @param {Reading} current
 * @param {Reading} answer
 * @returns {Reading}
 */
export function merge(posted, current, answer) {
  const [was, is, made] = [keyedValues(posted), keyedValues(current), keyedValues(answer)]
  const { numbered } = namesIn(answer)
  /** @type {Reading} */
  const merged = []
  for (const name of new Set([...made.keys(), ...is.keys()])) {
    const typed = is.get(name) ?? []
    const isNewer = JSON.stringify(typed) !== JSON.stringify(was.get(name) ?? [])
    const numberedName = numbered(name)
    if (numberedName === null) continue
    for (const value of isNewer ? typed : (made.get(name) ?? [])) merged.push([numberedName, value])
  }
  return merged
}

/** The values of each field, by its name with keys. @param {Reading} reading */
function keyedValues(reading) {
  const { keyed } = namesIn(reading)
  /** @type {Map<string, string[]>} */
  const values = new Map()
  for (const [name, value] of reading) {
    const key = keyed(name)
    values.set(key, [...(values.get(key) ?? []), value])
  }
  return values
}
