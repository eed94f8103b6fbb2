import { sql, type Transaction } from 'kysely'
import { type Bound, bounds } from '../../../../src/contract/limits.ts'
import type { Db } from '../../../../src/db/connect.ts'
import type { Database } from '../../../../src/db/tables.ts'
import type { Api } from '../../../fixtures/api.ts'
import { plantConversations } from './conversations.ts'
import { plantEvents } from './events.ts'
import { plantMessages } from './messages.ts'
import { plantPeople } from './people.ts'
import { plantUnit } from './unit.ts'

/** How many of what has no limit of its own. Far more than any page, so that reading them all shows. */
export const many = 4_000

/** As many of what has a bound as leave some to be created. */
export const most = (what: Bound): number => bounds[what].most - 10

/** The version of the largest scenario that is in force; one after it is submitted. */
export const inForce = most('scenarioVersions') - 1

export type Planting = Transaction<Database>
export type Planted = Awaited<ReturnType<typeof plant>>

/**
 * Stores as much as a unit, a person, an object and an address may have, in the form that the services write. Foreign
 * keys are not checked meanwhile: that takes longer than writing the rows.
 */
export async function plant(api: Api, db: Db = api.database.db) {
  const planted = await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    const unit = await plantUnit(trx, api)
    const people = await plantPeople(trx, api)
    const messages = await plantMessages(trx, api, people)
    const conversations = await plantConversations(trx, api, people)
    const events = await plantEvents(trx, api, people)
    return { ...unit, ...people, ...messages, ...conversations, ...events }
  })
  await sql`analyze`.execute(db)
  return planted
}

/** The id of the first row of a statement. */
export async function idOf(
  trx: Planting,
  statement: ReturnType<typeof sql<{ id: string }>>,
): Promise<string> {
  return (await statement.execute(trx)).rows[0]!.id
}
