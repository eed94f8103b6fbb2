import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { beginning } from '../../../domain/content/graphemes.ts'
import { idOrNull } from '../../../domain/lib/id.ts'

/**
 * The id that the address of a page names. `message`: what is said of one that none can have.
 * @throws ServiceError not_found
 */
export function idIn({ params }: FastifyRequest, message: string): string {
  const id = idOrNull((params as { id: string }).id)
  if (id !== null) return id
  throw new ServiceError('not_found', message)
}

/** What the address of a list looks for, and where its page begins; null: at the newest. */
export function searchIn({ query }: FastifyRequest): { q: string; cursor: string | null } {
  const { q, cursor } = query as Record<string, unknown>
  return {
    q: typeof q === 'string' ? beginning(q.trim(), limits.searchLength) : '',
    cursor: typeof cursor === 'string' && cursor !== '' ? cursor : null,
  }
}
