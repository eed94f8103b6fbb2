import { createHash } from 'node:crypto'

/** Prepared statements that a connection holds at most. */
const mostNames = 200
/** Texts that were seen, but not often enough; more are forgotten all at once. */
const mostCandidates = 1_000
/** A text is prepared from this time on: a list of values or a rare query is not worth a place. */
const nameAfter = 3

/**
 * What must be planned anew each time. A prepared statement may keep its plan, made while a partition was small, and
 * read it row by row when a wave of a million has been written a second later; and the best plan for an audience depends
 * on whom it names.
 */
const growsSuddenly = /\bdelivery\b|\) as audience\b/

/**
 * A list longer than this is planned with its length in view: a kept plan does not know it, and compares it value by
 * value with every row.
 */
const longList = 100

/** Gives statements that come again and again a name, under which each connection prepares them once. */
export type StatementNames = {
  /** The name of a statement with parameters; undefined: it is sent as it is. */
  nameOf(text: string, values: readonly unknown[]): string | undefined
  /** All statements get new names: a table has changed under the old ones. */
  forget(): void
}

/** The names of one process; each connection prepares by them what it is asked. */
export function statementNames(): StatementNames {
  const candidates = new Map<string, number>()
  const names = new Map<string, string | undefined>()
  let generation = 0

  function isWorthIt(text: string): boolean {
    const times = (candidates.get(text) ?? 0) + 1
    if (candidates.size >= mostCandidates) candidates.clear()
    candidates.set(text, times)
    return times >= nameAfter
  }

  return {
    nameOf(text, values) {
      if (values.length === 0 || values.some(isLong)) return undefined
      if (names.has(text)) return names.get(text)
      if (names.size >= mostNames || !isWorthIt(text)) return undefined
      candidates.delete(text)
      const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22)
      const name = growsSuddenly.test(text) ? undefined : `${generation}_${hash}`
      names.set(text, name)
      return name
    },
    forget() {
      names.clear()
      generation += 1
    },
  }
}

function isLong(value: unknown): boolean {
  return Array.isArray(value) && value.length > longList
}
