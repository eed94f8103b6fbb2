import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Role, UnitKind } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { ChatSender, SendingUnit } from '../../../domain/content/sending-unit.ts'
import { anyOf } from '../../any-of.ts'
import type { Db } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'

export type Unit = {
  id: string
  name: string
  kind: UnitKind
  timeZone: string
  displayName: LocalisedText | null
  replyTo: string | null
  sender: ChatSender | null
}
/** The columns of a unit. */
const columns = [
  'id',
  'name',
  'kind',
  'time_zone as timeZone',
  'display_name as displayName',
  'reply_to as replyTo',
  'sender',
] as const

/** Whether Postgres, which counts the days of a unit, has this time zone: its list may be older than that of Node. */
export async function hasTimeZone(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where lower(name) = lower(${name})`.execute(db)
  return rows.length > 0
}

/** Creates a unit. A name that exists fails as a unique violation, and so does a display name. */
export async function insertUnit(
  db: Db,
  unit: Pick<Unit, 'name' | 'kind'> & Partial<Omit<Unit, 'id'>>,
): Promise<Unit> {
  return db
    .insertInto('unit')
    .values({ name: unit.name, ...columnsOf(unit) })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function findUnit(db: Db, id: string): Promise<Unit | undefined> {
  return db.selectFrom('unit').select(columns).where('id', '=', id).executeTakeFirst()
}

/** The id of a unit, by its id or its name. */
export async function findUnitNamed(db: Db, named: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('unit')
    .select('id')
    .where(({ eb, or }) => or([eb(sql<string>`id::text`, '=', named.toLowerCase()), eb('name', '=', named)]))
    .orderBy(sql`name = ${named}`)
    .executeTakeFirst()
  return row?.id
}

/** These units, by name. */
export async function findUnits(db: Db, ids: readonly string[]): Promise<Unit[]> {
  return db.selectFrom('unit').select(columns).where('id', '=', anyOf(ids)).orderBy('name').execute()
}

/** Changes the given fields of a unit. Undefined if it does not exist. */
export async function updateUnit(
  db: Db,
  id: string,
  change: Partial<Omit<Unit, 'id'>>,
): Promise<Unit | undefined> {
  return db
    .updateTable('unit')
    .set(columnsOf(change))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

function columnsOf({ name, kind, timeZone, displayName, replyTo, sender }: Partial<Omit<Unit, 'id'>>) {
  return {
    ...(name && { name }),
    ...(kind && { kind }),
    ...(timeZone && { time_zone: timeZone }),
    ...(displayName !== undefined && { display_name: displayName && JSON.stringify(displayName) }),
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(sender !== undefined && { sender: sender && JSON.stringify(sender) }),
  }
}

/** Units by name: all, or a page after the name `after`. */
export async function listUnits(db: Db, page?: RowPage): Promise<Unit[]> {
  return db
    .selectFrom('unit')
    .select(columns)
    .$if(page?.after != null, (query) => query.where('name', '>', page!.after!))
    .orderBy('name')
    .$if(page !== undefined, (query) => query.limit(page!.limit))
    .execute()
}

/** The name of the row `unit`, as recipients of its messages see it. */
export const seenName = sql<LocalisedText>`coalesce(unit.display_name, jsonb_build_object('zh-TW', unit.name))`

/** The row `unit`, as recipients of its messages see it. */
export const sendingUnit = sql<SendingUnit>`jsonb_build_object('id', unit.id,
  'name', ${seenName},
  'named', unit.display_name is not null, 'replyTo', unit.reply_to, 'sender', unit.sender,
  'timeZone', unit.time_zone)`

/** A unit, as recipients of its messages see it. */
export async function findSendingUnit(db: Db, id: string): Promise<SendingUnit> {
  const { row } = await db
    .selectFrom('unit')
    .select(sendingUnit.as('row'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row
}

/** The name of a unit (`unit`: its row in the query) for readers of this language. */
export function shownUnitName(unit: string, locale: Expression<string>): RawBuilder<string> {
  const [displayName, name] = [sql.ref(`${unit}.display_name`), sql.ref(`${unit}.name`)]
  return sql<string>`coalesce(${displayName} ->> ${locale}, ${displayName} ->> 'zh-TW', ${name})`
}

type Member = { id: string; name: string; email: string; roles: Role[] }

/** The members of a unit, by name. */
export async function listMembers(db: Db, unitId: string): Promise<Member[]> {
  return db
    .selectFrom('member as m')
    .innerJoin('person as p', 'p.id', 'm.person_id')
    .select(['p.id', 'p.name', 'p.email'])
    .select(sql<Role[]>`json_agg(m.role order by m.role)`.as('roles'))
    .where('m.unit_id', '=', unitId)
    .groupBy('p.id')
    .orderBy('p.name')
    .orderBy('p.id')
    .execute()
}
