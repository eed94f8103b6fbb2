import { type RawBuilder, sql } from 'kysely'
import type { MessageKind, Origin, RemindTo } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { MessageRequest } from '../../../contract/messages/create.ts'
import type { Audience } from '../../../domain/audience/audience.ts'
import type { ChannelPlan } from '../../../domain/content/channel-plan.ts'
import type { Pace } from '../../../domain/message/pace.ts'
import type { RunSignal } from '../../../domain/run/signals.ts'
import { currentTraceparent } from '../../../tracing/spans.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import type { SettingColumn } from '../../tables/message.ts'
import type { MessageRow, WaveRow } from '../../tables.ts'
import { insertMessageChange } from '../callback/delivery.ts'
import { isShown } from '../shown-state.ts'
import { rowsOfWriters, type Writer } from './content.ts'
import { categoryReference, knownMessage, type References } from './references.ts'
import { closing } from './write-move.ts'

export type NewMessage = {
  unitId: string
  idempotencyKey: string | null
  bodyHash: Buffer | null
  reference: string | null
  kind: MessageKind
  origin: Origin
  categoryId: string
  topicId: string | null
  templateId: string | null
  title: LocalisedText
  audience: Audience
  channelPlan: ChannelPlan
  planOverride: Partial<ChannelPlan> | null
  scheduleAt: string | null
  expiresAt: string | null
  remindAt: string | null
  remindTo: RemindTo
  pace: Pace | null
  createdBy: string
  request: MessageRequest
  /** The message that this one is a copy of, for the audit log, and whose words came with it. */
  copyOf?: { id: string; authors: string[] }
  /** Who wrote it beside `createdBy`. */
  authors?: readonly Writer[]
}

/**
 * Writes a draft with its content, author and audit rows in one statement; an audience of individuals has a row of its
 * own. The draft counts as observed: it has no run until it expires. Returns its id, or undefined if the unit has already
 * used the key (nothing is written then).
 */
export async function insertMessage(db: Db, message: NewMessage): Promise<string | undefined> {
  const { rows } = await sql<{
    id: string
  }>`with ${madeOf(message, targetingOf(message))} select id from made`.execute(db)
  return rows[0]?.id
}

/**
 * Writes the draft of a message without an idempotency key, for a caller with more to do in the same transaction: others
 * do not see it, so it needs no lock, and it has no wave. `event`: what it is the outcome of.
 */
export async function insertOwnMessage(
  trx: Trx,
  message: NewMessage & { idempotencyKey: null },
  event?: { source: string; eventId: string },
): Promise<LockedMessage> {
  const ended = event
    ? sql`, ended as (
        update event set unit_id = ${message.unitId}, message_id = (select id from made)
        where source = ${event.source} and event_id = ${event.eventId})`
    : sql``
  const { rows } = await sql<MessageRow & { now: Date }>`
    with ${madeOf(message)}${ended} select *, clock_timestamp() as now from made`.execute(trx)
  const { now, ...row } = rows[0]!
  return { message: row, wave: null, reminder: null, now: now.getTime(), told: [] }
}

/** The draft as the expression `made`, and what belongs to it; without a row if the unit has used the key. */
function madeOf(message: NewMessage, targeting = sql``) {
  const columns = { ...ownColumns(message), ...contentColumns(message) }
  return sql`made as (
      insert into message (${namesOf(columns)}) values (${sql.join(Object.values(columns))})
      on conflict (unit_id, idempotency_key) do nothing
      returning *
    ), ${extraCtes(message, targeting)}`
}

/** The audit row of an audience of individuals: their count, never their uids. */
function targetingOf({ unitId, createdBy, audience }: NewMessage) {
  if (audience.kind !== 'individual') return sql``
  const details = JSON.stringify({ count: audience.uids.length })
  return sql`
      union all
      select ${unitId}::uuid, ${createdBy}, 'individual_targeting', 'message', id::text, null, null, ${details}::jsonb
      from made`
}

/** A message whose plan is its category's. `title`: null if it is the category's name. */
type PlainMessage = Omit<NewMessage, 'channelPlan' | 'title' | 'copyOf'> & {
  idempotencyKey: string
  title: LocalisedText | null
}

/**
 * Looks up what a message refers to, and writes its draft as `insertMessage` does if the key is new and the category
 * enabled: one round trip for both. `id` is null if nothing was written.
 */
export async function insertPlainMessage(
  db: Db,
  { title, ...message }: PlainMessage,
): Promise<Pick<References, 'known'> & { id: string | null }> {
  const keys = { ...message, templateId: null, topicId: null }
  const columns = {
    ...ownColumns(message),
    ...plainColumns(message),
    title: sql`coalesce(${title && JSON.stringify(title)}::jsonb, category -> 'name')`,
    channel_plan: sql`category -> 'channelPlan'`,
  }
  const { rows } = await sql<Pick<References, 'known'> & { id: string | null }>`
    with reference as materialized (
      select ${knownMessage(keys)} as known, ${categoryReference(keys)}::jsonb as category
    ), made as (
      insert into message (${namesOf(columns)})
      select ${sql.join(Object.values(columns))} from reference
      where known is null and (category -> 'enabled')::boolean
      on conflict (unit_id, idempotency_key) do nothing
      returning id
    ), ${extraCtes(message)}
    select known, (select id from made) as id from reference`.execute(db)
  return rows[0]!
}

/** The columns that an edit leaves as they are. */
function ownColumns(message: Omit<NewMessage, 'title' | 'channelPlan'>) {
  return {
    unit_id: message.unitId,
    idempotency_key: message.idempotencyKey,
    body_hash: message.bodyHash,
    kind: message.kind,
    origin: message.origin,
    created_by: message.createdBy,
    observed_version: 1,
    traceparent: currentTraceparent(),
  }
}

function namesOf(columns: object) {
  return sql.join(Object.keys(columns).map((name) => sql.ref(name)))
}

/** What is written beside the row `made`. `targeting`: a second row of its trail. */
function extraCtes(
  {
    unitId,
    createdBy,
    request,
    copyOf,
    authors = [],
  }: Pick<NewMessage, 'unitId' | 'createdBy' | 'request' | 'copyOf' | 'authors'>,
  targeting = sql``,
) {
  const details = copyOf === undefined ? null : JSON.stringify({ copyOf: copyOf.id })
  const copied = copyOf?.authors.map((actor) => ({ actor, copied: true })) ?? []
  const others = [...copied, ...authors].filter(({ actor }) => actor !== createdBy)
  return sql`content as (
      insert into message_content (message_id, request) select id, ${JSON.stringify(request)}::jsonb from made
    ), author as (
      insert into message_author (message_id, actor, copied)
      select id, ${createdBy}, false from made union all select id, written.* from made, ${rowsOfWriters(others)}
    ), trail as (
      insert into audit (unit_id, actor, action, object_kind, object_id, to_state, version, details)
      select ${unitId}::uuid, ${createdBy}, 'create', 'message', id::text, 'draft', 1, ${details}::jsonb from made${targeting}
    )`
}

/** What an edit rewrites. */
type Content = Omit<
  NewMessage,
  | 'unitId'
  | 'idempotencyKey'
  | 'bodyHash'
  | 'kind'
  | 'origin'
  | 'createdBy'
  | 'request'
  | 'copyOf'
  | 'authors'
>

/** The columns that derive from the body of a message. */
export function contentColumns(message: Content) {
  return {
    ...plainColumns(message),
    title: JSON.stringify(message.title),
    channel_plan: JSON.stringify(message.channelPlan),
  }
}

/** Those of them that derive from the body alone. */
function plainColumns(message: Omit<Content, 'title' | 'channelPlan'>) {
  return {
    category_id: message.categoryId,
    topic_id: message.topicId,
    template_id: message.templateId,
    reference: message.reference,
    audience: JSON.stringify(message.audience),
    plan_override: message.planOverride && JSON.stringify(message.planOverride),
    schedule_at: message.scheduleAt,
    expires_at: message.expiresAt,
    remind_at: message.remindAt,
    remind_to: message.remindTo,
    pace: message.pace && JSON.stringify(message.pace),
    next_wakeup_at: message.expiresAt,
  } satisfies Record<Exclude<SettingColumn, 'kind'> | 'template_id' | 'next_wakeup_at', unknown>
}

/** Stores why the automatic check left a message to approvers. Leaves `version` as is: the run need not observe it. */
export async function setReviewReason(trx: Trx, messageId: string, reason: string): Promise<void> {
  await trx.updateTable('message').set({ review_reason: reason }).where('id', '=', messageId).execute()
}

/** A message, without a lock, and the moment (ms since the epoch) at which Postgres read it. */
export type FoundMessage = { message: MessageRow; now: number }

/** A message, of one of these units if they are given. */
export async function findMessage(
  db: Db,
  id: string,
  unitIds?: readonly string[],
): Promise<FoundMessage | undefined> {
  const row = await db
    .selectFrom('message')
    .selectAll()
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('id', '=', id)
    .$if(unitIds !== undefined, (query) => query.where('unit_id', '=', anyOf(unitIds!)))
    .executeTakeFirst()
  if (!row) return undefined
  const { now, ...message } = row
  return { message, now: now.getTime() }
}

/**
 * A message, its first wave and its reminder, all locked, and the moment (ms since the epoch, Postgres' clock) at which
 * all locks were held.
 */
export type LockedMessage = {
  message: MessageRow
  wave: WaveRow | null
  reminder: WaveRow | null
  now: number
  /** What its run is to be told after the commit: the moves that were made under the lock. */
  told: RunSignal<'message'>[]
}

/**
 * Locks a message, then its waves: the global lock order. Undefined if there is no such message, or it belongs to none
 * of `unitIds`. The clock is read once all locks are held. A wave created while the statement waits for the message is
 * missing from its snapshot; the move that created it changed the message's version, and the waves are then read again.
 */
export async function lockMessageRows(
  trx: Trx,
  id: string,
  unitIds?: readonly string[],
): Promise<LockedMessage | undefined> {
  const row = await lockTogether(trx, id, unitIds)
  if (!row) return undefined
  const { versionBefore, ...read } = row
  const { waves, now, ...message } =
    versionBefore === row.version ? read : { ...read, ...(await lockWaves(trx, id)) }
  const [wave = null, reminder = null] = waves.map(waveOf)
  return { message, wave, reminder, now: now.getTime(), told: [] }
}

/** Waves in order, locked, and the moment at which they were. */
type LockedWaves = { waves: WaveInJson[]; now: Date }

/** A message with its waves, and its version as this statement's snapshot has it. */
async function lockTogether(
  trx: Trx,
  id: string,
  unitIds?: readonly string[],
): Promise<(MessageRow & LockedWaves & { versionBefore: number }) | undefined> {
  const owned = unitIds === undefined ? sql`` : sql` and unit_id = ${anyOf(unitIds)}`
  const { rows } = await sql<MessageRow & LockedWaves & { versionBefore: number }>`
    with before as materialized (select version as "versionBefore" from message where id = ${id}),
    held as materialized (select * from message where id = ${id}${owned} for no key update),
    ${wavesOf(sql`held where wave.message_id = held.id`)}
    select held.*, "versionBefore", waves, coalesce(at, clock_timestamp()) as now from held, before, locked`.execute(
    trx,
  )
  return rows[0]
}

/** The waves of a message that is locked. */
async function lockWaves(trx: Trx, messageId: string): Promise<LockedWaves> {
  const { rows } = await sql<LockedWaves>`
    with ${wavesOf(sql`(select ${messageId}::uuid as id) as held where wave.message_id = held.id`)}
    select waves, coalesce(at, clock_timestamp()) as now from locked`.execute(trx)
  return rows[0]!
}

/** Locks waves in order, as the expression `locked`: `waves`, and `at`, the moment at which the last one was. */
function wavesOf(message: RawBuilder<unknown>) {
  return sql`wave_held as materialized (
      select wave.* from wave, ${message} order by wave.number for no key update of wave
    ),
    locked as materialized (
      select coalesce(json_agg(wave_held order by number), '[]') as waves, max(clock_timestamp()) as at from wave_held
    )`
}

/** The columns of a wave that are instants: in JSON they are text. */
type WaveInstant = { [K in keyof WaveRow]: Date extends WaveRow[K] ? K : never }[keyof WaveRow]
type WaveInJson = { [K in keyof WaveRow]: K extends WaveInstant ? string | null : WaveRow[K] }

const waveInstants = Object.keys({
  parked_at: true,
  probe_at: true,
  created_at: true,
  due_at: true,
  started_at: true,
  finished_at: true,
  purged_at: true,
  rolled_up_at: true,
  roll_up_at: true,
  doubted_at: true,
} satisfies Record<WaveInstant, true>) as WaveInstant[]

function waveOf(wave: WaveInJson): WaveRow {
  const instants = waveInstants.map((name) => [name, wave[name] === null ? null : new Date(wave[name])])
  return { ...wave, ...Object.fromEntries(instants) }
}

/** Postgres' clock, ms since the epoch: the only clock that decides. */
export async function databaseNow(trx: Trx): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx)
  return rows[0]!.now.getTime()
}

/**
 * Closes a message: its run ends, the reconciler ignores it, and its final counts are sent to callbacks. Requires its
 * lock. Returns the row.
 */
export async function markMessageClosed(trx: Trx, messageId: string): Promise<MessageRow> {
  const message = await trx
    .updateTable('message')
    .set(closing)
    .where('id', '=', messageId)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { unit_id: unitId, state, version } = message
  await insertMessageChange(trx, {
    types: ['message.closed'],
    unitId,
    messageId,
    state,
    from: null,
    version,
  })
  return message
}

/** `dueSeconds`: until the first planned send time of those that wait; null: none has one ahead. */
type ApprovalQueue = { waiting: number; oldestSeconds: number; dueSeconds: number | null }

/** Messages that wait for an approval, and how long the first of them has waited since it came to review (s); 0: none. */
export async function readApprovalQueue(db: Db): Promise<ApprovalQueue> {
  const { rows } = await sql<ApprovalQueue>`
    select count(*)::int as waiting,
      extract(epoch from min(schedule_at) filter (where schedule_at > clock_timestamp()) - clock_timestamp())::float8 as "dueSeconds",
      coalesce(extract(epoch from clock_timestamp() - min(snapshot_at)), 0)::float8 as "oldestSeconds"
    from message where ${isShown('message', 'submitted')}
  `.execute(db)
  return rows[0]!
}
