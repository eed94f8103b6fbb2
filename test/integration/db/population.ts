import fc from 'fast-check'
import { type SubjectRecord, upsertSubjects } from '../../../dev/people.ts'
import { type Channel, channels, type DeliveryState } from '../../../src/contract/enums.ts'
import type { Db } from '../../../src/db/connect.ts'
import { insertGroup } from '../../../src/db/queries/catalogue/group.ts'
import { insertTopic } from '../../../src/db/queries/catalogue/topic.ts'
import { ensureDeliveryPartition } from '../../../src/db/queries/delivery/rows.ts'
import { insertUnit } from '../../../src/db/queries/identity/unit.ts'
import { insertAnswer } from '../../../src/db/queries/message/answer.ts'
import {
  setAddresses,
  setConsents,
  setPreferences,
  unsubscribeTopic,
  withdrawConsent,
} from '../../../src/db/queries/subject/consent.ts'
import type { QueryAudience } from '../../../src/domain/audience.ts'

/** Everything about one person that decides what they get; the model judges by this, Postgres by its rows. */
export type Person = Required<
  Pick<SubjectRecord, 'uid' | 'stage' | 'locale' | 'roles' | 'orgUnits' | 'classIds' | 'tags'>
> & {
  id: string
  addresses: Partial<Record<Channel, 'open' | 'blocked' | 'suppressed'>>
  consents: Record<string, 'given' | 'withdrawn'>
  /** `<category> <channel>` → wanted */
  preferences: Record<string, boolean>
  unsubscribed: boolean
  /** message id → how its delivery ended */
  history: Record<string, DeliveryState>
  /** `<message id> <option id>` they pressed; an option without a name is `none` */
  answers: string[]
  /** ids of static groups */
  groups: string[]
}

export const scopes = ['admission', 'alumni'] as const
export const categories = ['news', 'duty'] as const
export const words = {
  roles: ['student', 'teacher', 'staff'],
  stages: ['visitor', 'lead', 'member', 'alumni'],
  orgUnits: ['law', 'arts', 'science'],
  classIds: ['c1', 'c2', 'c3'],
  tags: ['interest:music', 'interest:go', 'cohort:2026'],
} as const

export const options = ['yes', 'no', 'none'] as const

export type World = {
  unitId: string
  topicId: string
  messageIds: string[]
  /** The unit's groups by id: what a dynamic one stands for, null of a static one. */
  groups: Map<string, QueryAudience | null>
  people: Person[]
}

const states: DeliveryState[] = ['pending', 'sent', 'failed', 'skipped', 'unknown']

/** What may be true of a person, in any combination. */
function anyPerson(messageIds: string[], staticGroups: string[]): fc.Arbitrary<Omit<Person, 'id' | 'uid'>> {
  const some = <Word>(of: readonly Word[]) => fc.subarray([...of])
  const optional = <Value>(value: fc.Arbitrary<Value>, keys: readonly string[]) =>
    fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] }) as fc.Arbitrary<
      Record<string, Value>
    >
  return fc.record({
    stage: fc.constantFrom(...words.stages),
    locale: fc.constantFrom('zh-TW' as const, 'en' as const),
    roles: some(words.roles),
    orgUnits: some(words.orgUnits),
    classIds: some(words.classIds),
    tags: some(words.tags),
    addresses: optional(fc.constantFrom('open', 'open', 'open', 'blocked', 'suppressed'), channels),
    consents: optional(fc.constantFrom('given', 'given', 'withdrawn'), scopes),
    preferences: optional(
      fc.boolean(),
      categories.flatMap((category) => channels.map((channel) => `${category} ${channel}`)),
    ),
    unsubscribed: fc.boolean(),
    history: optional(fc.constantFrom(...states), messageIds),
    answers: some(messageIds.flatMap((messageId) => options.map((option) => `${messageId} ${option}`))),
    groups: some(staticGroups),
  }) as fc.Arbitrary<Omit<Person, 'id' | 'uid'>>
}

/** Writes `size` random people, two categories, a topic, groups and two earlier messages into an empty database. */
export async function populate(db: Db, size: number, seed = 20261121): Promise<World> {
  const { id: unitId } = await insertUnit(db, { name: 'Unit', kind: 'ordinary' })
  const topicId = await insertTopic(db, { unitId, name: { 'zh-TW': '主題' } })
  for (const id of categories) await insertCategory(db, id)
  const waves = [await insertSentMessage(db, unitId), await insertSentMessage(db, unitId)]
  const messageIds = waves.map(({ messageId }) => messageId)

  const groups = await insertGroups(db, unitId, messageIds)
  const lists = [...groups].filter(([, query]) => query === null).map(([id]) => id)

  const drawn = fc.sample(anyPerson(messageIds, lists), { numRuns: size, seed })
  const named = drawn.map((person, place) => ({ ...person, uid: `u${place}` }))
  const ids = await upsertSubjects(
    db,
    named.map(({ history, answers, groups, ...record }) => record),
  )
  const people = named.map((person) => ({ ...person, id: ids.get(person.uid)! }))
  await writeGates(db, people, topicId)
  for (const { waveId, messageId } of waves) await writeHistory(db, people, waveId, messageId)
  await writeAnswers(db, people)
  await writeMembers(db, people)
  return { unitId, topicId, messageIds, groups, people }
}

/** Two lists; one query of properties, and one that names a list, takes people away and looks back. */
async function insertGroups(db: Db, unitId: string, messageIds: string[]): Promise<World['groups']> {
  const insert = (query: QueryAudience | null) =>
    db.transaction().execute((trx) =>
      insertGroup(trx, {
        ...{ unitId, name: 'Group', kind: query ? 'dynamic' : 'static', parentId: null, query },
        legalBasis: query ? null : 'consent',
      }),
    )
  const lists = [await insert(null), await insert(null)]
  const queries: QueryAudience[] = [
    { kind: 'query', roles: ['student'], stages: ['member', 'alumni'] },
    {
      kind: 'query',
      groups: [lists[0]!],
      exclude: { tags: ['interest:go'], history: [{ kind: 'answered', messageId: messageIds[0]! }] },
    },
  ]
  const groups: World['groups'] = new Map(lists.map((id) => [id, null]))
  for (const query of queries) groups.set(await insert(query), query)
  return groups
}

async function insertCategory(db: Db, id: string): Promise<void> {
  const plan = JSON.stringify({ mode: 'all', channels: ['chat', 'email'] })
  const name = JSON.stringify({ 'zh-TW': id })
  await db.insertInto('category').values({ id, name, layer: 'promotional', channel_plan: plan }).execute()
}

async function insertSentMessage(db: Db, unitId: string) {
  const json = JSON.stringify({})
  const { id: messageId } = await db
    .insertInto('message')
    .values({
      unit_id: unitId,
      origin: 'api',
      category_id: 'news',
      title: json,
      audience: json,
      channel_plan: json,
      created_by: 'test',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: waveId } = await db
    .insertInto('wave')
    .values({ message_id: messageId, month: '2026-11-01' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ensureDeliveryPartition(db, waveId)
  return { messageId, waveId }
}

async function writeGates(db: Db, people: Person[], topicId: string): Promise<void> {
  const addresses = people.flatMap(({ id: subjectId, uid, addresses }) =>
    (Object.keys(addresses) as Channel[]).map((channel) => ({
      subjectId,
      channel,
      address: `${uid}@${channel}`,
    })),
  )
  await setAddresses(db, addresses)
  for (const [column, state] of [
    ['blocked_at', 'blocked'],
    ['suppressed_at', 'suppressed'],
  ] as const)
    for (const channel of channels) {
      const closed = people.filter((person) => person.addresses[channel] === state).map(({ id }) => id)
      await db
        .updateTable('address')
        .set({ [column]: new Date() })
        .where('subject_id', 'in', closed)
        .where('channel', '=', channel)
        .execute()
    }
  await setConsents(
    db,
    people.flatMap(({ id: subjectId, consents }) =>
      Object.keys(consents).map((scope) => ({ subjectId, scope, version: '1', source: 'test' })),
    ),
  )
  for (const { id, consents } of people)
    for (const [scope, state] of Object.entries(consents))
      if (state === 'withdrawn') await withdrawConsent(db, id, scope)
  await setPreferences(
    db,
    people.flatMap(({ id: subjectId, preferences }) =>
      Object.entries(preferences).map(([key, enabled]) => {
        const [categoryId, channel] = key.split(' ') as [string, Channel]
        return { subjectId, categoryId, channel, enabled }
      }),
    ),
  )
  await unsubscribeTopic(
    db,
    topicId,
    people.filter(({ unsubscribed }) => unsubscribed).map(({ id }) => id),
  )
}

async function writeHistory(db: Db, people: Person[], waveId: string, messageId: string): Promise<void> {
  const rows = people
    .filter(({ history }) => history[messageId])
    .map(({ id, history }) => ({
      wave_id: waveId,
      subject_id: id,
      channel: 'chat' as const,
      state: history[messageId]!,
      batch: null,
      reason: null,
    }))
  await db.insertInto('delivery').values(rows).execute()
}

async function writeAnswers(db: Db, people: Person[]): Promise<void> {
  for (const { id: subjectId, answers } of people)
    for (const answer of answers) {
      const [messageId, option] = answer.split(' ') as [string, (typeof options)[number]]
      const optionId = option === 'none' ? null : option
      await insertAnswer(db, { messageId, subjectId, n: 0, o: option, optionId, channel: 'chat' })
    }
}

async function writeMembers(db: Db, people: Person[]): Promise<void> {
  const rows = people.flatMap(({ id, groups }) => groups.map((group_id) => ({ group_id, subject_id: id })))
  await db.insertInto('group_member').values(rows).execute()
}
