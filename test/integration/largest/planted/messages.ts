import { sql } from 'kysely'
import { adapters } from '../../../../src/channels/index.ts'
import { bounds } from '../../../../src/contract/limits.ts'
import type { CanonicalMessage } from '../../../../src/contract/messages/content.ts'
import { ensureDeliveryPartition } from '../../../../src/db/queries/delivery/deliveries.ts'
import type { Api } from '../../../fixtures/api.ts'
import { option } from '../../../fixtures/conversations.ts'
import { longText } from './long-text.ts'
import { idOf, many, type Planting } from './plant.ts'

type Person = { subjectId: string }

/**
 * Very many sent messages to one person, very many that wait for an approver, and one message with very many of everything:
 * deliveries, batches, answers, clicks, callbacks, notices and entries of the audit log.
 */
export async function plantMessages(trx: Planting, api: Api, person: Person) {
  const unit = api.units.a
  await plantSent(trx, unit, person)
  await plantSubmitted(trx, unit)
  const message = await plantLargest(trx, unit)
  await plantAudit(trx, unit, message.messageId)
  const compositionId = await plantCompositions(trx, unit)
  const callbackId = await plantCallbacks(trx, unit, message.messageId)
  await plantDays(trx, unit)
  return { ...message, compositionId, callbackId, ...(await plantSchedules(trx, unit)) }
}

const columns = sql`(unit_id, origin, category_id, title, audience, channel_plan, created_by, state, version, observed_version,
  submitted_at, snapshot, snapshot_at, closed_at)`
/** The current month where quota is counted. */
const month = sql`date_trunc('month', now() at time zone 'Asia/Taipei')::date`
const plan = '{"mode":"first_available","channels":["chat"]}'
const bothPlan = '{"mode":"first_available","channels":["chat","email"]}'
const snapshot = JSON.stringify({
  recipients: {
    total: 3,
    byChannel: { chat: 3 },
    byLocale: { 'zh-TW': 3 },
    excluded: { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 },
    excludedByChannel: {},
    unknownUids: 0,
  },
  quota: {},
  violations: [],
})
const texts = [{ kind: 'text' as const, text: { 'zh-TW': '校園開放日' } }]

/** The content as both channels carry it. */
function compiledFor(messages: CanonicalMessage[]): string {
  const name = { 'zh-TW': '開放日' }
  const unit = { id: 'planted', name, named: true, replyTo: null, sender: null, timeZone: 'Asia/Taipei' }
  const content = {
    messages,
    wave: 'only' as const,
    subject: name,
    unit,
    categoryId: 'news',
    category: name,
    unsubscribe: true,
  }
  const origin = { m: 'planted' }
  return JSON.stringify({
    chat: adapters.chat.compile(content, origin),
    email: adapters.email.compile(content, origin),
  })
}

async function insertContents(trx: Planting): Promise<void> {
  const compiled = compiledFor(texts)
  await sql`
    insert into message_content (message_id, request, frozen, compiled)
    select id, ${JSON.stringify({ messages: texts })}, ${JSON.stringify(texts)}, ${compiled} from message
    where not exists (select from message_content where message_id = message.id)`.execute(trx)
  await sql`
    insert into message_author (message_id, actor) select id, created_by from message on conflict do nothing`.execute(
    trx,
  )
}

async function plantSent(trx: Planting, unit: string, { subjectId }: Person): Promise<void> {
  await sql`
    insert into message ${columns}
    select ${unit}, 'api', 'news', '{"zh-TW":"校園開放日"}', '{"kind":"query","roles":["student"]}', ${plan}, 'key:planted',
      'sent', 4, 4, now(), ${snapshot}, now(), now()
    from generate_series(1, ${many}::int)`.execute(trx)
  await insertContents(trx)
  await sql`
    insert into wave (message_id, month, state, expected, sent, started_at, finished_at)
    select id, ${month}, 'sent', 3, 3, now(), now() from message`.execute(trx)
  await ensureDeliveryPartition(
    trx,
    await idOf(trx, sql<{ id: string }>`select id from wave order by id desc limit 1`),
  )
  await sql`
    insert into delivery (wave_id, subject_id, channel, batch, state)
    select id, ${subjectId}, 'chat', 0, 'sent' from wave`.execute(trx)
  await sql`
    insert into inbox_read (subject_id, wave_id) select ${subjectId}, id from wave where right(id::text, 1) < '8'`.execute(
    trx,
  )
  await sql`
    insert into read_signal (message_id) select id from message`.execute(trx)
}

async function plantSubmitted(trx: Planting, unit: string): Promise<void> {
  await sql`
    insert into message ${columns}
    select ${unit}, 'api', 'manual', '{"zh-TW":"校園開放日"}', '{"kind":"query","roles":["student"]}', ${plan}, 'key:planted',
      'submitted', 2, 1, now(), ${snapshot}, now(), null
    from generate_series(1, ${many}::int)`.execute(trx)
  await sql`update message set changed_at = now() - interval '1 hour' where state = 'submitted'`.execute(trx)
  await insertContents(trx)
  await sql`
    with approver as (select id from person where email = 'approver@example.org')
    insert into notice (message_id, version, person_id, reason)
    select message.id, 2, approver.id, 'submitted' from message, approver where state = 'submitted'`.execute(
    trx,
  )
  await sql`
    with editor as (select id from person where email = 'editor@example.org')
    insert into author_notice (message_id, version, person_id, what)
    select message.id, 4, editor.id, 'approved' from message, editor where state = 'sent'`.execute(trx)
}

/** One sent message to everybody, in buttons that everybody tapped. */
async function plantLargest(trx: Planting, unit: string) {
  const choices = [option('yes', '要'), option('no', '不要')]
  const asks: CanonicalMessage[] = [{ kind: 'buttons', text: { 'zh-TW': '要嗎？' }, actions: choices }]
  const messages = JSON.stringify(asks)
  const messageId = await idOf(
    trx,
    sql<{ id: string }>`
      insert into message ${columns} values (${unit}, 'api', 'news', '{"zh-TW":"要嗎？"}', '{"kind":"query","roles":["student"]}',
        ${plan}, 'key:planted', 'sent', 4, 4, now(), ${snapshot}, now(), null) returning id`,
  )
  await sql`
    insert into message_content (message_id, request, frozen, compiled, tracked)
    values (${messageId}, jsonb_build_object('messages', ${messages}::jsonb), ${messages}, ${compiledFor(asks)}, true)`.execute(
    trx,
  )
  const waveId = await idOf(
    trx,
    sql<{ id: string }>`
      insert into wave (message_id, month, state, expected, sent, started_at, finished_at)
      values (${messageId}, ${month}, 'sent', ${many}, ${many}, now(), now()) returning id`,
  )
  await sql`
    insert into delivery (wave_id, subject_id, channel, batch, state)
    select ${waveId}, id, 'chat', 0, 'sent' from subject where uid like 'person-%'`.execute(trx)
  await sql`
    insert into batch (wave_id, channel, number, locale, size, state, sent)
    select ${waveId}, 'chat', n, 'zh-TW', 1, 'counted', 1 from generate_series(1, ${many}::int) n`.execute(
    trx,
  )
  await sql`
    insert into message_answer (message_id, subject_id, question, n, o, option_id, channel)
    select ${messageId}, id, '0', 0, '0', 'yes', 'chat' from subject where uid like 'person-%'`.execute(trx)
  await sql`
    insert into mail_click (message_id, subject_id, n, o)
    select ${messageId}, id, 0, '0' from subject where uid like 'person-%'`.execute(trx)
  await sql`
    insert into click_count (message_id, n, o, channel, locale, clicks, people)
    select ${messageId}, n, '0', 'chat', 'zh-TW', 1, 1 from generate_series(0, 4) n`.execute(trx)
  const long: CanonicalMessage[] = [{ kind: 'text', text: { 'zh-TW': longText(5_000) } }]
  const longest = JSON.stringify(long)
  const waitingId = await idOf(
    trx,
    sql<{ id: string }>`
      insert into message ${columns} values (${unit}, 'api', 'manual', '{"zh-TW":"開放"}', '{"kind":"query","roles":["student"]}',
        ${bothPlan}, 'key:planted', 'submitted', 2, 2, now(), ${snapshot}, now(), null) returning id`,
  )
  await sql`
    insert into message_content (message_id, request, frozen, compiled)
    values (${waitingId}, jsonb_build_object('messages', ${longest}::jsonb), ${longest}, ${compiledFor(long)})`.execute(
    trx,
  )
  return { messageId, waveId, waitingId, ...(await plantSending(trx, unit)) }
}

/** Messages that are being sent to everybody: one by one, a parked one, and one that is only to be finished. */
async function plantSending(trx: Planting, unit: string) {
  const insert = async (parked: string | null) => {
    const id = await idOf(
      trx,
      sql<{ id: string }>`
        insert into message ${columns} values (${unit}, 'api', 'news', '{"zh-TW":"開放"}', '{"kind":"query","roles":["student"]}',
          ${plan}, 'key:planted', 'sending', 3, 3, now(), ${snapshot}, now(), null) returning id`,
    )
    await sql`insert into audit (actor, action, object_kind, object_id, version)
      values ('operator:planted', 'approve', 'message', ${id}, 3)`.execute(trx)
    const waveId = await idOf(
      trx,
      sql<{ id: string }>`
        insert into wave (message_id, month, state, expected, started_at, parked, parked_at, probe_at, claimed, sent)
        values (${id}, ${month}, 'sending', ${many}, now(), ${parked}, now(), now() + interval '1 hour', true, 1)
        returning id`,
    )
    await sql`
      insert into quota_reservation (wave_id, channel, unit_id, month, unit_reserved)
      values (${waveId}, 'chat', ${unit}, ${month}, ${2 * many})`.execute(trx)
    return { id, waveId }
  }
  const insertBatches = async (waveId: string, batch: string, delivery: string) => {
    await sql`
      insert into batch (wave_id, channel, number, locale, size, state, sent)
      select ${waveId}, 'chat', n, 'zh-TW', 1, ${batch}, case ${batch} when 'done' then 1 else 0 end
      from generate_series(1, ${many}::int) n`.execute(trx)
    await sql`
      insert into delivery (wave_id, subject_id, channel, batch, state)
      select ${waveId}, id, 'chat', row_number() over (), ${delivery} from subject where uid like 'person-%'`.execute(
      trx,
    )
  }
  await sql`
    insert into quota_ledger (scope, channel, month, monthly_limit, reserved)
    select scope, 'chat', ${month}, 1000000, case scope when 'pool' then 0 else ${6 * many} end
    from unnest(array[${unit}, 'pool']) scope`.execute(trx)
  const [sending, full, parked] = [await insert(null), await insert(null), await insert('provider')]
  await insertBatches(sending.waveId, 'open', 'pending')
  await insertBatches(full.waveId, 'done', 'sent')
  await insertContents(trx)
  return { sendingId: sending.id, sendingWaveId: sending.waveId, fullId: full.id, parkedId: parked.id }
}

async function plantAudit(trx: Planting, unit: string, messageId: string): Promise<void> {
  await sql`
    insert into audit (unit_id, actor, action, object_kind, object_id)
    select ${unit}, 'key:planted', 'edit', 'message', ${messageId} from generate_series(1, ${many}::int)`.execute(
    trx,
  )
  await sql`
    insert into audit (unit_id, actor, action, object_kind, object_id, version)
    select ${unit}, 'operator:planted', 'approve', 'message', id, 3 from message where state = 'sent'`.execute(
    trx,
  )
}

async function plantCallbacks(trx: Planting, unit: string, messageId: string): Promise<string> {
  const types = ['message.state_changed', 'message.answered']
  const callbackId = await idOf(
    trx,
    sql<{ id: string }>`
      insert into callback (unit_id, url, types, secret, created_by, url_by)
      values (${unit}, 'https://hooks.example.edu/', ${types}, '\\x00', 'key:planted', 'key:planted') returning id`,
  )
  await sql`
    insert into callback_delivery (callback_id, message_id, type, state, version, outcome, next_try_at, subject_id)
    select ${callbackId}, ${messageId}, 'message.answered', 'sent', 4, 'pending', now(), id
    from subject where uid like 'person-%'`.execute(trx)
  await sql`
    insert into callback_delivery (callback_id, message_id, type, state, version, outcome)
    select ${callbackId}, id, 'message.state_changed', 'sent', 4, 'delivered' from message where state = 'sent'`.execute(
    trx,
  )
  return callbackId
}

/** A year of numbers, and reminders and patterns in them. */
async function plantDays(trx: Planting, unit: string): Promise<void> {
  await sql`
    insert into day_metric (unit_id, date, sent, reached, read, people, closed_at)
    select ${unit}, current_date - n, 1, 1, 1, 1, now() from generate_series(1, 366) n`.execute(trx)
  await sql`
    insert into contact_day (unit_id, date, people)
    select unit_id, last_on, count(*) from contact group by unit_id, last_on`.execute(trx)
}

/** As many schedules as a unit may have, one of which has occurred very often. */
async function plantSchedules(trx: Planting, unit: string) {
  const message = JSON.stringify({
    categoryId: 'news',
    messages: texts,
    audience: { kind: 'query', roles: ['student'] },
  })
  await sql`
    insert into schedule (unit_id, name, type, cron, time_zone, category_id, message, state, acts_for, authors, created_by,
      next_at, observed_version)
    select ${unit}, 'Schedule ' || n, 'recurring', '0 9 * * *', 'Asia/Taipei', 'news', ${message}, 'active', 'key:planted',
      '{key:planted}', 'key:planted', now() + interval '1 day', 1
    from generate_series(1, 998) n`.execute(trx)
  const scheduleId = await idOf(trx, sql<{ id: string }>`select id from schedule limit 1`)
  await sql`
    insert into occurrence (schedule_id, key, due_at, plan, outcome, runs)
    select id, n::text, now(), 1, 'created', 1 from schedule, generate_series(1, 3) n where id <> ${scheduleId}`.execute(
    trx,
  )
  await sql`
    insert into occurrence (schedule_id, key, due_at, plan, outcome, runs)
    select ${scheduleId}, n::text, now(), 1, 'created', 1 from generate_series(1, ${many}::int) n`.execute(
    trx,
  )
  return { scheduleId }
}

/** As many as a unit writes at once, each as long as a message may be. */
async function plantCompositions(trx: Planting, unit: string): Promise<string> {
  const texts = [0, 1, 2, 3].flatMap((n): [string, string][] => [
    [`messages.${n}.kind`, 'text'],
    [`messages.${n}.text.zh-TW`, longText(4_900)],
  ])
  const form = JSON.stringify([...texts, ['categoryId', 'mail'], ['audience.kind', 'all']])
  return idOf(
    trx,
    sql<{ id: string }>`
      insert into composition (unit_id, kind, title, form, created_by, updated_by)
      select ${unit}, 'message', 'Long', ${form}, 'key:planted', 'key:planted' from generate_series(1, ${bounds.compositions.most}::int)
      returning id`,
  )
}
