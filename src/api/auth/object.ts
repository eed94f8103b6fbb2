import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Db } from '../../db/connect.ts'
import { existsInUnits, type UnitTable } from '../../db/queries/identity/object.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import type { Caller } from '../../domain/rights/principal.ts'
import { orNotFound, unitsOf } from '../../services/unit-access.ts'

/** The objects of a unit by the first part of their path: the table, and the word for it. */
const collections: Record<string, { table: UnitTable; word: string }> = {
  callbacks: { table: 'callback', word: 'callback' },
  'event-bindings': { table: 'event_binding', word: 'event binding' },
  handoffs: { table: 'handoff', word: 'handoff' },
  groups: { table: 'subject_group', word: 'group' },
  patterns: { table: 'pattern', word: 'pattern' },
  runs: { table: 'scenario_run', word: 'run' },
  messages: { table: 'message', word: 'message' },
  schedules: { table: 'schedule', word: 'schedule' },
  scenarios: { table: 'scenario', word: 'scenario' },
  templates: { table: 'template', word: 'template' },
  topics: { table: 'topic', word: 'topic' },
}

/** The kind of object that the body of an operation is about; undefined if it has no body, or concerns no such object. */
export function objectOf({ body, unit, path }: Endpoint): { table: UnitTable; word: string } | undefined {
  const [, collection] = /^\/v1\/([^/]+)\/\{id\}/.exec(path) ?? []
  return body && unit === 'object' && collection !== undefined ? collections[collection] : undefined
}

/**
 * Checks that the object in the path is one of the caller's units, so that nobody can make Carillon read a body about
 * something that is not theirs.
 * @throws ServiceError not_found
 */
export async function requireObject(
  db: Db,
  caller: Caller | null,
  { params }: Pick<FastifyRequest, 'params'>,
  { table, word }: { table: UnitTable; word: string },
): Promise<void> {
  if (caller?.kind !== 'producer' && caller?.kind !== 'person') return
  const id = idOrNull((params as { id?: string }).id)
  const exists = id !== null && (await existsInUnits(db, table, id, unitsOf(caller)))
  orNotFound(exists ? id : undefined, word)
}
