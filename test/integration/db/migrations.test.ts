import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as schema from '../../../src/db/migrations/0001_schema.ts'
import * as bindingVersions from '../../../src/db/migrations/0003_binding_versions.ts'
import * as suppression from '../../../src/db/migrations/0004_suppression.ts'
import * as roles from '../../../src/db/migrations/0008_roles.ts'
import * as eventsAndAnswers from '../../../src/db/migrations/0009_events_and_answers.ts'
import * as unitsAppear from '../../../src/db/migrations/0014_how_units_appear.ts'
import * as whoWrote from '../../../src/db/migrations/0031_who_wrote_acknowledgements.ts'
import * as whoseWords from '../../../src/db/migrations/0033_whose_words.ts'
import * as eventKeys from '../../../src/db/migrations/0051_event_keys.ts'
import * as keysWithoutStatistics from '../../../src/db/migrations/0059_keys_without_statistics.ts'
import * as claimedSources from '../../../src/db/migrations/0079_claimed_sources.ts'
import { findPairHolder } from '../../../src/db/queries/event/binding.ts'
import { findSuppression } from '../../../src/db/queries/subject/suppression.ts'
import { addressHasher } from '../../../src/services/address-hash.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { seedCategory, seedUnit } from '../../fixtures/seed.ts'
import { databaseWithoutSchema, type FreshDatabase } from '../../harness/database.ts'

/** An installation that stands is migrated: the rows of before keep what keeps it working. */
let database: FreshDatabase
beforeEach(async () => {
  database = await databaseWithoutSchema()
  await schema.up(database.db as never)
})
afterEach(() => database.drop())

describe('bindings of before versions', () => {
  it('are in force as they are, and count as approved', async () => {
    const { db } = database
    const unit = await seedUnit(db, 'Admissions')
    await seedCategory(db, 'news')
    await sql`
      insert into event_binding (unit_id, source, type, category_id, audience, key_ids, enabled) values
        (${unit}, 'sis', 'x', 'news', '{"kind": "query", "roles": ["student"]}', '{k}', true),
        (${unit}, 'sis', 'x', 'news', '{"kind": "event_subjects"}', null, false)`.execute(db)
    await sql`
      insert into audit (unit_id, actor, action, object_kind, object_id)
      select ${unit}, 'key:' || change, change, 'event_binding', id::text
      from event_binding, unnest(array['create', 'edit', 'replay']) as change where enabled`.execute(db)

    await bindingVersions.up(db as never)
    const found = await findPairHolder(db, { source: 'sis', type: 'x' })
    expect(found).toMatchObject({ unit_id: unit, version: 1, audience: { kind: 'query' }, authors: [] })
    const versions = await db
      .selectFrom('event_binding_version')
      .select(['state', 'enabled', 'key_ids', 'created_by', 'decided_by'])
      .orderBy('enabled', 'desc')
      .execute()
    expect(versions).toEqual([
      { state: 'in_force', enabled: true, key_ids: ['k'], created_by: 'key:edit', decided_by: null },
      { state: 'in_force', enabled: false, key_ids: null, created_by: 'system:run', decided_by: null },
    ])
  })
})

describe('sources of before claims', () => {
  it('are claimed by the units that have a key for them, or bind them', async () => {
    const { db } = database
    const [bound, keyed] = [await seedUnit(db, 'Admissions'), await seedUnit(db, 'Library')]
    await seedCategory(db, 'news')
    await sql`
      insert into event_binding (unit_id, source, type, category_id, audience)
      values (${bound}, 'sis', 'x', 'news', '{"kind": "event_subjects"}')`.execute(db)
    await bindingVersions.up(db as never)
    await eventsAndAnswers.up(db as never)
    await eventKeys.up(db as never)
    await sql`
      insert into event_key (id, unit_id, name, sources, secret, created_by, revoked_at) values
        ('k1', ${keyed}, 'Loans', '{loans,books}', '', 'person:1', null),
        ('k2', ${keyed}, 'Fines', '{fines}', '', 'person:1', now())`.execute(db)
    await claimedSources.up(db as never)
    const claims = await db
      .selectFrom('event_source_claim')
      .select(['source', 'unit_id', 'claimed_by'])
      .orderBy('source')
      .execute()
    expect(claims).toEqual([
      { source: 'books', unit_id: keyed, claimed_by: 'person:1' },
      { source: 'loans', unit_id: keyed, claimed_by: 'person:1' },
      { source: 'sis', unit_id: bound, claimed_by: 'system:run' },
    ])
  })
})

describe('copies of before they had the authors of their originals', () => {
  it('get those of all messages that they come from, up to one that a person approved', async () => {
    const { db } = database
    await bindingVersions.up(db as never)
    const unit = await seedUnit(db, 'Admissions')
    await seedCategory(db, 'news')
    const written = async (actor: string, copyOf: string | null = null) => {
      const { rows } = await sql<{ id: string }>`
        insert into message (unit_id, category_id, state, origin, audience, channel_plan, title, created_by)
        values (${unit}, 'news', 'draft', 'api', '{}', '{}', '{}', ${actor}) returning id`.execute(db)
      const { id } = rows[0]!
      await sql`insert into message_author (message_id, actor) values (${id}, ${actor})`.execute(db)
      const details = copyOf === null ? null : JSON.stringify({ copyOf })
      await sql`insert into audit (actor, action, object_kind, object_id, details)
        values (${actor}, 'create', 'message', ${id}, ${details}::jsonb)`.execute(db)
      return id
    }
    const copy = await written('key:a', await written('person:b', await written('person:c')))
    const approved = await written('person:d')
    await sql`insert into audit (actor, action, object_kind, object_id)
      values ('person:e', 'approve', 'message', ${approved})`.execute(db)
    const ofApproved = await written('key:a', approved)

    await whoseWords.up(db as never)
    const authorsOf = async (id: string) => {
      const authors = db.selectFrom('message_author').select(['actor', 'copied']).where('message_id', '=', id)
      return (await authors.orderBy('actor').execute()).map(({ actor, copied }) => [actor, copied])
    }
    expect(await authorsOf(copy)).toEqual([
      ['key:a', false],
      ['person:b', true],
      ['person:c', true],
    ])
    expect(await authorsOf(ofApproved)).toEqual([['key:a', false]])
  })
})

describe('versions of bindings of before they said when they took effect', () => {
  it('did so if a person approved them, or the audit log has them in force', async () => {
    const { db } = database
    await bindingVersions.up(db as never)
    const unit = await seedUnit(db, 'Admissions')
    await seedCategory(db, 'news')
    const { rows } = await sql<{ id: string }>`
      insert into event_binding (unit_id) values (${unit}) returning id`.execute(db)
    const { id } = rows[0]!
    const versions = [
      { version: 1, state: 'replaced', by: null, audited: 'in_force' },
      { version: 2, state: 'replaced', by: null, audited: 'submitted' },
      { version: 3, state: 'replaced', by: 'person:a', audited: 'submitted' },
      { version: 4, state: 'rejected', by: 'person:a', audited: 'submitted' },
      { version: 5, state: 'in_force', by: null, audited: 'in_force' },
      { version: 6, state: 'submitted', by: null, audited: 'submitted' },
    ]
    for (const { version, state, by, audited } of versions) {
      await sql`
        insert into event_binding_version (binding_id, version, state, source, type, category_id, audience, enabled,
          created_by, authors, decided_by, decided_at)
        values (${id}, ${version}, ${state}, 'sis', 'x', 'news', '{}', true, 'key:k', '{key:k}', ${by}::text,
          case when ${by}::text is not null then now() end)`.execute(db)
      await sql`insert into audit (actor, action, object_kind, object_id, details)
        values ('key:k', 'edit', 'event_binding', ${id}, ${JSON.stringify({ version, state: audited })}::jsonb)`.execute(
        db,
      )
    }

    await whoseWords.up(db as never)
    const effective = await db
      .selectFrom('event_binding_version')
      .select('version')
      .where('took_effect_at', 'is not', null)
      .orderBy('version')
      .execute()
    expect(effective.map(({ version }) => version)).toEqual([1, 3, 5])
  })
})

describe('words of categories of before their writers were known', () => {
  it('belong to who changed the category last', async () => {
    const { db } = database
    for (const id of ['news', 'grades']) await seedCategory(db, id)
    await sql`
      insert into audit (actor, action, object_kind, object_id) values
        ('person:first', 'create', 'category', 'news'), ('person:last', 'edit', 'category', 'news')`.execute(
      db,
    )
    await unitsAppear.up(db as never)
    await whoWrote.up(db as never)
    const { rows } = await sql`select id, acknowledgement_by as by from category order by id`.execute(db)
    expect(rows).toEqual([
      { id: 'grades', by: 'system:migrate' },
      { id: 'news', by: 'person:last' },
    ])
  })
})

describe('events of before they could be listed', () => {
  it('get ids in the order in which they came, and the unit of their message', async () => {
    const { db } = database
    const unit = await seedUnit(db, 'Admissions')
    await seedCategory(db, 'news')
    const { rows } = await sql<{ id: string }>`
      insert into message (unit_id, category_id, state, kind, origin, audience, channel_plan, title, created_by)
      values (${unit}, 'news', 'draft', 'personal', 'event', '{}', '{}', '{}', 'event:sis') returning id`.execute(
      db,
    )
    await sql`
      insert into event (source, event_id, type, occurred_at, subject_uids, data, key_id, next_try_at, received_at,
        message_id, error)
      select 'sis', n, 'x', now(), '{s1}', '{}', 'k', now(), now() - make_interval(days => n),
        case n when 2 then ${rows[0]!.id}::uuid end, case n when 3 then 'no_binding' end
      from generate_series(1, 3) as n`.execute(db)
    await eventsAndAnswers.up(db as never)
    const events = await db.selectFrom('event').select(['event_id', 'unit_id']).orderBy('id').execute()
    expect(events).toEqual([
      { event_id: '3', unit_id: null },
      { event_id: '2', unit_id: unit },
      { event_id: '1', unit_id: null },
    ])
  })
})

describe('answers of before the last one counted', () => {
  it('keep the last one to each question, under the id that counts use, with the producer’s data', async () => {
    const { db } = database
    const unit = await seedUnit(db, 'Admissions')
    await seedCategory(db, 'news')
    const { rows } = await sql<{ id: string }>`
      insert into message (unit_id, category_id, state, origin, audience, channel_plan, title, created_by)
      values (${unit}, 'news', 'sent', 'api', '{}', '{}', '{}', 'key:k') returning id`.execute(db)
    const id = rows[0]!.id
    const button = (kind: string, more: object = {}) => ({ kind, ...more })
    const frozen = [
      {
        kind: 'buttons',
        actions: [
          button('postback', { data: { v: 1, a: 'seat' } }),
          button('nextNode'),
          button('mute', { categoryId: 'news' }),
        ],
      },
      { kind: 'carousel', cards: [{ actions: [button('nextNode')] }, { actions: [button('nextNode')] }] },
      { kind: 'quickReply', options: [{ id: 'one' }] },
    ]
    await sql`insert into message_content (message_id, request, frozen)
      values (${id}, '{}', ${JSON.stringify(frozen)})`.execute(db)
    await sql`insert into subject (uid) values ('s1'), ('s2')`.execute(db)
    await sql`
      insert into message_answer (message_id, subject_id, n, o, option_id, channel, at)
      select ${id}, subject.id, n, o, option_id, 'chat', now() - make_interval(mins => ago) from subject, (values
        (0, '1', null, 3), (0, '0', null, 2), (0, '2', null, 1), (1, '0.0', null, 2), (1, '1.0', 'own', 1),
        (2, '0', 'one', 1)) as given (n, o, option_id, ago)
      where uid = 's1' or n = 2`.execute(db)
    await eventsAndAnswers.up(db as never)
    const kept = await db
      .selectFrom('message_answer')
      .innerJoin('subject', 'subject.id', 'subject_id')
      .select(['uid', 'question', 'option_id', 'data'])
      .orderBy('uid')
      .orderBy('question')
      .execute()
    expect(kept).toEqual([
      { uid: 's1', question: '0', option_id: '1.1', data: { v: 1, a: 'seat' } },
      { uid: 's1', question: '0.2', option_id: '1.3', data: null },
      { uid: 's1', question: '1.0', option_id: '2.1.1', data: null },
      { uid: 's1', question: '1.1', option_id: 'own', data: null },
      { uid: 's1', question: '2', option_id: 'one', data: null },
      { uid: 's2', question: '2', option_id: 'one', data: null },
    ])
  })
})

describe('addresses of before suppressions', () => {
  const insert = async (
    uid: string,
    channel: string,
    address: string,
    more: { suppressed?: boolean } = {},
  ) => {
    const { id } = await database.db
      .insertInto('subject')
      .values({ uid })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      insert into address (subject_id, channel, address, suppressed_at)
      values (${id}, ${channel}, ${address}, case when ${more.suppressed ?? false}::boolean then now() end)
    `.execute(database.db)
    return id
  }

  it('stay suppressed, for the reason that was audited, under any spelling', async () => {
    const { db } = database
    const gone = await insert('gone', 'email', 'Gone@example.edu', { suppressed: true })
    await insert('refused', 'email', '"refused"@example.edu', { suppressed: true })
    await insert('blocked', 'chat', 'Uab', { suppressed: true })
    await insert('open', 'email', 'open@example.edu')
    await insert('quoted', 'email', '"quoted"@example.edu')
    await sql`insert into audit (actor, action, object_kind, object_id, reason)
      values ('system:mail', 'suppress', 'subject', ${gone}, 'complaint')`.execute(db)
    await suppression.up(db as never)
    const hashOf = await addressHasher(db, undefined)
    const why = async (channel: 'chat' | 'email', address: string) =>
      (await findSuppression(db, channel, hashOf(channel, address)))?.why
    expect(await why('email', 'gone@example.edu')).toBe('complaint')
    expect(await why('email', 'refused@example.edu')).toBe('refused')
    expect(await why('chat', 'Uab')).toBe('refused')
    expect(await why('chat', 'UAB')).toBeUndefined()
    const hashed = await db
      .selectFrom('address')
      .innerJoin('subject', 'subject.id', 'subject_id')
      .select('uid')
      .where('hash', 'is not', null)
      .orderBy('uid')
      .execute()
    expect(hashed.map(({ uid }) => uid)).toEqual(['blocked', 'gone', 'quoted', 'refused'])
  })

  it('stop the migration if two subjects share one; the command line lists and unbinds them', async () => {
    const { db, url } = database
    const ids = [
      await insert('ann', 'email', 'ann@example.edu'),
      await insert('ANN', 'email', 'Ann@example.edu'),
    ]
    await insert('bob', 'email', 'bob@example.edu')
    const migrate = () => suppression.up(db as never)
    await expect(migrate()).rejects.toThrow(ids.join(', '))
    await expect(migrate()).rejects.toThrow('carillon address conflicts')
    await expect(migrate()).rejects.not.toThrow(/@example/)

    const carillon = (...args: string[]) => runCarillon({ DATABASE_URL: url }, 'address', ...args)
    const { out } = await carillon('conflicts')
    expect(out).toMatch(/^UID +ADDRESS +BOUND\nann +ann@example\.edu .*\nANN +Ann@example\.edu .*\n$/)
    const read = await sql<{ object_id: string }>`
      select object_id from audit where actor = 'operator:cli' and details ->> 'what' = 'address' order by object_id
    `.execute(db)
    expect(read.rows.map(({ object_id }) => object_id)).toEqual(ids.toSorted())
    expect(await carillon('unbind', 'ANN')).toMatchObject({ code: 0 })
    await migrate()
    const { rows } = await sql<{ address: string }>`select address from address order by address`.execute(db)
    expect(rows.map(({ address }) => address)).toEqual(['ann@example.edu', 'bob@example.edu'])
  })
})

describe('what Postgres knew of the keys of deliveries', () => {
  it('is dropped, and not gathered again, in months of before and after', async () => {
    const { db } = database
    await sql`
      create table delivery_2026_11 partition of delivery
      for values from ('019a3c00-0000-7000-8000-000000000000') to ('019ad700-0000-7000-8000-000000000000')`.execute(
      db,
    )
    await sql`
      insert into delivery (wave_id, subject_id, channel, batch, state)
      select '019a3c00-0000-7000-8000-000000000001', uuidv7(), 'email', n, 'sent' from generate_series(1, 10) n`.execute(
      db,
    )
    const known = async () => {
      await sql`analyze delivery`.execute(db)
      const { rows } = await sql<{ column: string }>`
        select distinct attname as column from pg_stats where tablename like 'delivery%' order by 1`.execute(
        db,
      )
      return rows.map(({ column }) => column)
    }
    expect(await known()).toContain('wave_id')

    await roles.up(db as never)
    await keysWithoutStatistics.up(db as never)
    const kept = await sql<{ column: string }>`
      select attname as column from pg_stats where tablename like 'delivery%' and attname in ('wave_id', 'batch')`.execute(
      db,
    )
    expect(kept.rows).toEqual([])
    await sql`select make_delivery_partition('2026-12-01')`.execute(db)
    await sql`
      insert into delivery (wave_id, subject_id, channel, batch, state)
      select first_uuid_of('2026-12-02'), uuidv7(), 'email', n, 'sent' from generate_series(1, 10) n`.execute(
      db,
    )
    expect(await known()).toEqual(['channel', 'reason', 'state', 'subject_id'])
  })
})
