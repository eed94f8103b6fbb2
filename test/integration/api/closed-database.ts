import { connect, type Db } from '../../../src/db/connect.ts'

/** A database that nobody serves: port 1 refuses. */
export function closedDatabase(): Db {
  return connect('postgres://nobody@127.0.0.1:1/nothing')
}
