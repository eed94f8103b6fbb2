import { createHash } from 'node:crypto'

/** Maximum number of prepared statements per connection. */
const maxNames = 200
/** Maximum number of texts whose uses are counted; beyond it, all counts are dropped. */
const maxCandidates = 1_000
/** A text is prepared at this use: one-off lists of values and rare queries are not worth it. */
const preparedAtUse = 3

/**
 * Statements that must be planned on every execution. A cached plan made while a partition is small would read it row
 * by row after a wave of a million is written a second later, and the best plan for an audience depends on its
 * conditions. A statement that only adds deliveries reads none.
 */
const plannedEachTime = /(?<!\binsert into )\bdelivery\b|\) as audience\b/

/**
 * A statement with a list longer than this is not prepared: a cached plan ignores the length, and compares every row
 * with the list value by value.
 */
const maxListLength = 100

/** Names recurring statements; each connection prepares a named statement once. */
export type StatementNames = {
  /** The name of a statement with parameters; undefined: do not prepare it. */
  nameOf(text: string, values: readonly unknown[]): string | undefined
  /** Gives all statements new names, after a table has changed. */
  forget(): void
}

/** The statement names of one process, shared by its connections. */
export function statementNames(): StatementNames {
  const candidates = new Map<string, number>()
  const names = new Map<string, string | undefined>()
  let generation = 0

  function isWorthIt(text: string): boolean {
    const times = (candidates.get(text) ?? 0) + 1
    if (candidates.size >= maxCandidates) candidates.clear()
    candidates.set(text, times)
    return times >= preparedAtUse
  }

  return {
    nameOf(text, values) {
      if (values.length === 0 || values.some(isLong)) return undefined
      if (names.has(text)) return names.get(text)
      if (names.size >= maxNames || !isWorthIt(text)) return undefined
      candidates.delete(text)
      const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22)
      const name = plannedEachTime.test(text) ? undefined : `${generation}_${hash}`
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
  return Array.isArray(value) && value.length > maxListLength
}
