import { type RawBuilder, sql } from 'kysely'
import { allRunKinds, type RunKind, runKinds } from '../../../domain/run/run-kinds.ts'

/** The table of the runs of a kind, for a statement. */
export function tableOf(kind: RunKind): RawBuilder<unknown> {
  return sql.table(runKinds[kind].table)
}

/** A query over the runs of every kind: the part for each, joined by `union all`. */
export function unionOfKinds(part: (kind: RunKind) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(allRunKinds.map(part), sql` union all `)
}

/** One value for each kind. */
export function byKind<T>(make: (kind: RunKind) => T): Record<RunKind, T> {
  return Object.fromEntries(allRunKinds.map((kind) => [kind, make(kind)])) as Record<RunKind, T>
}
