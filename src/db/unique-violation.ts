import pg from 'pg'

/** Did a write fail because somebody else has what may be there only once? `constraint` as it is named in the schema. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint
}
