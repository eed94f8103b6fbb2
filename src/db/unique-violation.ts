import pg from 'pg'

/** Whether a write failed because its key exists (SQLSTATE 23505). `constraint`: the name in the schema. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint
}
