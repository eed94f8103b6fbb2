import type { Db } from '../src/db/connect.ts'
import { insertLookupEndpoint } from '../src/db/queries/lookup/endpoint.ts'

/** Lets Lookups of all units call any port of this machine, signed with the first key. */
export async function registerThisMachine(db: Db): Promise<void> {
  const endpoint = {
    origin: 'http://127.0.0.1:*',
    unitId: null,
    keyId: null,
    sendUid: false,
    createdBy: 'operator:cli',
  }
  await db.transaction().execute((trx) => insertLookupEndpoint(trx, endpoint))
}
