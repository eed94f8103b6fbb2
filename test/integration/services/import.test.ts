import { type AddressInfo, connect } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { setConsents, withdrawConsent } from '../../../src/db/queries/subject.ts'
import { startImports, workOffChunk } from '../../../src/services/imports/work.ts'
import { eventually } from '../../harness/eventually.ts'
import { openWorld, type World } from '../api/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
/** A test that leaves work behind would give it to the next. */
afterEach(async () => expect(await workOffChunk(world.database.db)).toBe(false))

const send = (raw: string, type = 'text/csv', query?: Record<string, string>) =>
  world.call('createImport', {
    key: world.keys.office,
    headers: { 'content-type': type },
    raw,
    ...(query && { query }),
  })
const read = (operation: 'getImport' | 'listRefusedLines', id: string, query?: Record<string, string>) =>
  world.call(operation, { key: world.keys.office, id, ...(query && { query }) })
const person = async (id: string) => (await world.call('getSubject', { key: world.keys.office, id })).body

async function listening(): Promise<number> {
  await world.app.listen({ port: 0, host: '127.0.0.1' })
  return (world.app.server.address() as AddressInfo).port
}

async function imported(raw: string, type?: string, query?: Record<string, string>) {
  const { status, body } = await send(raw, type, query)
  expect(status).toBe(202)
  while (await workOffChunk(world.database.db)) {}
  const done = (await read('getImport', body.id)).body
  expect(done).toMatchObject({ state: 'done', done: done.lines, finishedAt: expect.any(String) })
  return { ...done, refusedLines: (await read('listRefusedLines', body.id)).body.items }
}

describe('an import', () => {
  it('brings people with all that a CSV says of them', async () => {
    const csv = [
      '\uFEFFuid,stage,locale,displayName,roles,orgUnits,classIds,tags,chat,email,acquisitionSource,acquisitionRef,consents',
      'i1,member,en,"Ada, ""A""",student;staff,law,c1;c2,cohort:2026; a:1,Ui1,ada@example.org,directory,autumn,admission=1;alumni=2',
      'i2,,,,,,,,,,,,',
    ].join('\r\n')
    expect(await imported(csv, 'text/csv; charset=utf-8', { ref: 'intake-26' })).toMatchObject({
      lines: 2,
      written: 2,
      refused: 0,
      by: { name: 'test' },
    })
    expect(await person('i1')).toMatchObject({
      stage: 'member',
      tags: ['cohort:2026', 'a:1'],
      profile: { displayName: 'Ada, "A"', locale: 'en', roles: ['student', 'staff'], orgUnits: ['law'] },
      acquisition: { source: 'directory', ref: 'autumn' },
      addresses: [
        { channel: 'chat', address: 'Ui1' },
        { channel: 'email', address: 'ada@example.org' },
      ],
      consents: [
        { scope: 'admission', version: '1', source: 'import', withdrawnAt: null },
        { scope: 'alumni', version: '2' },
      ],
    })
    expect(await person('i2')).toMatchObject({
      stage: 'visitor',
      acquisition: { source: 'import', ref: 'intake-26' },
    })
  })

  it('reads NDJSON as well', async () => {
    const lines = [
      {
        uid: 'n1',
        stage: 'lead',
        profile: undefined,
        attributes: { year: 2 },
        consents: [{ scope: 'x', version: '1', source: 'desk' }],
      },
      { uid: 'n2', displayName: null, tags: ['a:1'] },
    ]
    const raw = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`
    expect(await imported(raw, 'application/x-ndjson')).toMatchObject({ written: 2, refused: 0 })
    expect(await person('n1')).toMatchObject({
      profile: { attributes: { year: 2 } },
      consents: [{ scope: 'x', source: 'desk' }],
    })
  })

  it('that comes again changes nothing', async () => {
    const csv = 'uid,stage,tags,chat,consents\nr1,member,a:1,Ur1,admission=1\n'
    await imported(csv)
    const before = await person('r1')
    expect(await imported(csv)).toMatchObject({ written: 1, refused: 0 })
    expect(await person('r1')).toEqual(before)
  })

  it('moves nobody backward, leaves what it does not say, and adds tags', async () => {
    await imported('uid,stage,displayName,roles,tags\nk1,member,Ada,student,a:1\n')
    await imported('uid,stage,roles,tags\nk1,lead,,b:2\n')
    expect(await person('k1')).toMatchObject({
      stage: 'member',
      profile: { displayName: 'Ada', roles: [] },
      tags: ['a:1', 'b:2'],
    })
  })

  it('brings no consent back that was withdrawn', async () => {
    await imported('uid,consents\nw1,admission=1\n')
    const { subjectId } = await person('w1')
    await withdrawConsent(world.database.db, subjectId, 'admission')
    await imported('uid,consents\nw1,admission=2\n')
    expect((await person('w1')).consents).toMatchObject([{ version: '1', withdrawnAt: expect.any(String) }])
    await setConsents(world.database.db, [{ subjectId, scope: 'admission', version: '3', source: 'form' }])
    await imported('uid,consents\nw1,admission=4\n')
    expect((await person('w1')).consents).toMatchObject([{ version: '4', withdrawnAt: null }])
  })

  it('tells which lines it refused and why, and nothing that stood in them', async () => {
    await imported('uid,chat\nowner,Uowned\n')
    const csv = [
      'uid,stage,tags,chat,email',
      ',lead,,,',
      'x1,king,,,',
      'x2,lead,nonamespace,,',
      'x3,,,Uowned,',
      'x4,,,Ufresh,',
      'x5,,,Ufresh,',
      'x6,,,,secret name@example',
      'x7,too,few',
      '"multi\nline",lead,,,',
      'x8,lead,a:1,Ux8,x8@example.org',
    ].join('\n')
    const { refusedLines, ...done } = await imported(csv)
    expect(done).toMatchObject({ lines: 10, written: 2, refused: 8 })
    expect(refusedLines.map(({ line, column }: { line: number; column: string }) => [line, column])).toEqual([
      [2, 'uid'],
      [3, 'stage'],
      [4, 'tags'],
      [5, 'chat'],
      [7, 'chat'],
      [8, 'email'],
      [9, null],
      [11, 'uid'],
    ])
    expect(JSON.stringify(refusedLines)).not.toMatch(/king|nonamespace|Uowned|Ufresh|secret|multi/)
    expect((await person('x4')).addresses).toMatchObject([{ address: 'Ufresh' }])
    expect((await person('x8')).stage).toBe('lead')
    const page = (await read('listRefusedLines', done.id, { limit: '3' })).body
    const next = (await read('listRefusedLines', done.id, { limit: '9', cursor: page.nextCursor })).body
    expect([...page.items, ...next.items]).toEqual(refusedLines)
  })

  it('refuses odd lines of NDJSON one by one', async () => {
    const raw = [
      '{"uid":"o1"}',
      'nonsense',
      '[]',
      '{"uid":"\\u0000"}',
      '{"uid":"\\ud800"}',
      '{"uid":"o2","colour":1}',
      `{"uid":"o3","attributes":{"a":${'['.repeat(99)}${']'.repeat(99)}}}`,
    ]
    expect(await imported(raw.join('\n'), 'application/x-ndjson')).toMatchObject({ written: 1, refused: 6 })
  })

  it.each([
    ['has no uid', 'stage\nlead', 'uid'],
    ['has a column nobody knows', 'uid,colour\na,b', 'colour'],
    ['has a column twice', 'uid,uid\na,b', 'twice'],
    ['is empty', '', 'empty'],
    ['never closes a quote', 'uid\n"a\nb', 'quote'],
  ])('of a file that %s is refused as a whole', async (_, raw, hint) => {
    const { code, body } = await send(raw)
    expect(code).toBe('validation_error')
    expect(body.error.message).toContain(hint)
    const left = await world.database.db
      .selectFrom('import')
      .select('id')
      .where('state', '<>', 'done')
      .execute()
    expect(left).toEqual([])
  })

  it('of another type or another encoding is refused', async () => {
    expect((await send('{}', 'application/json')).code).toBe('validation_error')
    const answer = await world.app.inject({
      method: 'POST',
      url: '/v1/imports',
      headers: { authorization: `Bearer ${world.keys.office}`, 'content-type': 'text/csv' },
      payload: Buffer.concat([Buffer.from('uid,displayName\nb5,'), Buffer.from([0xa4, 0xa4, 0xa4, 0xe5])]),
    })
    expect(answer.json().error.message).toContain('UTF-8')
  })

  it('is larger than other bodies may be, up to a limit of its own', async () => {
    const long = `uid,displayName\n${Array.from({ length: 30_000 }, (_, i) => `l${i},${'x'.repeat(90)}`).join('\n')}`
    expect(long.length).toBeGreaterThan(limits.bodyBytes)
    const taken = await send(long)
    expect(taken.body).toMatchObject({ state: 'waiting', lines: 30_000 })
    await world.database.db.deleteFrom('import').where('id', '=', taken.body.id).execute()
    const longer = await send('\n'.repeat(limits.importBytes + 1), 'application/x-ndjson')
    expect(longer.code).toBe('payload_too_large')
  })

  it('whose sender goes away in the middle leaves nothing', async () => {
    const port = await listening()
    const socket = connect(port, '127.0.0.1')
    const head = ['POST /v1/imports HTTP/1.1', 'host: x', 'content-type: text/csv', 'content-length: 999999']
    socket.write(
      `${[...head, `authorization: Bearer ${world.keys.office}`].join('\r\n')}\r\n\r\nuid\ngone1\n`,
    )
    const receiving = () =>
      world.database.db.selectFrom('import').select('id').where('state', '=', 'receiving').execute()
    await eventually(async () => expect(await receiving()).toHaveLength(1))
    socket.destroy()
    await eventually(async () => expect(await receiving()).toEqual([]))
  })

  it('is seen by its own unit alone', async () => {
    const { id } = await imported('uid\nu1\n')
    const other = await world.newKey(world.units.b)
    await world.database.db
      .updateTable('unit')
      .set({ kind: 'administrative' })
      .where('id', '=', world.units.b)
      .execute()
    expect((await world.call('getImport', { key: other, id })).code).toBe('not_found')
    expect((await world.call('listImports', { key: other })).body.items).toEqual([])
    const { items, nextCursor } = (
      await world.call('listImports', { key: world.keys.office, query: { limit: '1' } })
    ).body
    expect(items.map((item: { id: string }) => item.id)).toEqual([id])
    expect(nextCursor).not.toBeNull()
  })

  it('is written down: who began it, and that it is over', async () => {
    const { id } = await imported('uid\na1\n')
    const rows = await world.database.db
      .selectFrom('audit')
      .select(['action', 'actor', 'unit_id'])
      .where('object_kind', '=', 'import')
      .where('object_id', '=', id)
      .orderBy('id')
      .execute()
    expect(rows.map(({ action }) => action)).toEqual(['create', 'finish'])
    expect(rows.every(({ unit_id }) => unit_id !== null)).toBe(true)
  })
})

describe('while an import is worked off', () => {
  it('a worker does it by itself', async () => {
    const rounds = startImports({ db: world.database.db, log: pino({ level: 'silent' }) })
    const { id } = (await send('uid\nv1\n')).body
    await eventually(async () => expect((await read('getImport', id)).body.state).toBe('done'))
    await rounds.stop()
    expect((await person('v1')).stage).toBe('visitor')
  })

  const many = (n: number, prefix: string) =>
    ['uid,chat', ...Array.from({ length: n }, (_, i) => `${prefix}${i},U${prefix}${i}`)].join('\n')

  it('several workers write each line once', async () => {
    const { id } = (await send(many(5_000, 'm'))).body
    const work = async () => {
      for (;;)
        if (!(await workOffChunk(world.database.db)) && (await read('getImport', id)).body.state === 'done')
          return
    }
    await Promise.all([work(), work(), work()])
    expect((await read('getImport', id)).body).toMatchObject({ written: 5_000, done: 5_000, refused: 0 })
  })

  it('its progress is seen, and its lines are gone as they are written', async () => {
    const { id } = (await send(many(2_500, 'p'))).body
    expect((await read('getImport', id)).body).toMatchObject({ state: 'waiting', lines: 2_500, done: 0 })
    await workOffChunk(world.database.db)
    expect((await read('getImport', id)).body).toMatchObject({
      state: 'working',
      done: 1_000,
      written: 1_000,
    })
    while (await workOffChunk(world.database.db)) {}
    const left = await world.database.db.selectFrom('import_chunk').select('number').execute()
    expect(left).toEqual([])
  })

  it('a small file does not wait for a large one', async () => {
    const large = (await send(many(3_000, 'w'))).body
    await workOffChunk(world.database.db)
    const small = (await send('uid\nsmall\n')).body
    await workOffChunk(world.database.db)
    expect((await read('getImport', small.id)).body.state).toBe('done')
    expect((await read('getImport', large.id)).body).toMatchObject({ state: 'working', done: 1_000 })
    while (await workOffChunk(world.database.db)) {}
  })

  it('a line that the database will not take is refused alone', async () => {
    const { db } = world.database
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin if new.uid = 'q7' then raise exception 'no'; end if; return new; end $$`.execute(db)
    await sql`create trigger refuse before insert on subject for each row execute function refuse()`.execute(
      db,
    )
    const { refusedLines, written } = await imported(many(20, 'q'))
    await sql`drop trigger refuse on subject`.execute(db)
    expect([written, refusedLines]).toEqual([
      19,
      [{ line: 9, column: null, reason: 'cannot be stored (P0001)' }],
    ])
  })
})
