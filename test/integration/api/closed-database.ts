import { connect, type Db } from '../../../src/db/connect.ts'

/** A database without a server: connections to port 1 are refused. */
export function closedDatabase(): Db {
  return connect('postgres://nobody@127.0.0.1:1/nothing')
}
