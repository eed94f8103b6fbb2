import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { beginning } from '../../../domain/content/graphemes.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import type { ListQuery } from './list-frame.ts'

/** Rows of a page of a list. */
export const rowsOnPage = 50

/**
 * The id that the address of a page names. What there is none of, its page says in the words of its area.
 * @throws ServiceError not_found for one that nothing can have
 */
export function idOf({ params }: FastifyRequest): string {
  const id = idOrNull((params as { id: string }).id)
  if (id !== null) return id
  throw new ServiceError('not_found', 'Nothing has this id. Check the address.')
}

/** The path of a request, without its query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0]!
}

/** The number of a version in an address or a form; undefined if it is none. */
export function versionNamed(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** What the address of a list looks for, and where its page begins; null: at the newest. */
export function searchIn({ query }: FastifyRequest): ListQuery {
  const { q, cursor } = query as Record<string, unknown>
  return {
    q: typeof q === 'string' ? beginning(q.trim(), limits.searchLength) : '',
    cursor: typeof cursor === 'string' && cursor !== '' ? cursor : null,
  }
}

/** The filter that the address of a list sets by `name`; null: none, or one that there is not. */
export function filterIn<Value extends string>(
  { query }: FastifyRequest,
  name: string,
  values: readonly Value[],
): Value | null {
  const set = (query as Record<string, unknown>)[name]
  return values.find((one) => one === set) ?? null
}

/**
 * What a list of a unit is asked for, a page at a time. `search`: its search and its filters; what is empty is
 * not asked for.
 * @throws ZodError for a cursor that is none
 */
export function listQuery<Query>(
  schema: { parse(value: unknown): Query },
  { id }: Unit,
  search: ListQuery & Readonly<Record<string, unknown>>,
): Query {
  const set = Object.entries(search).filter(([, value]) => value)
  return schema.parse({ unitId: id, limit: rowsOnPage, ...Object.fromEntries(set) })
}
