import { afterEach, describe, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { setConsents, withdrawConsent } from '../../../src/db/queries/subject/consent.ts'
import { writeNextChunk } from '../../../src/services/imports/write-chunk.ts'
import { startApi } from '../../fixtures/api.ts'
import { importer } from '../../fixtures/import-file.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
/** A test must not leave pending work to the next one. */
afterEach(async () => expect(await writeNextChunk(api.services)).toBe(false))

const { send, read, person, imported } = importer(() => api)

describe('an import', () => {
  it('creates people with all fields of a CSV', async () => {
    const csv = [
      '\uFEFFuid,stage,locale,displayName,roles,orgUnits,classIds,tags,chat,email,acquisitionSource,acquisitionRef,consents',
      'i1,member,en,"Ada, ""A""",student;staff,law,c1;c2,cohort:2026; a:1,Ui1,ada@example.org,directory,autumn,admission=1;alumni=2',
      'i2,,,,,,,,,,,,',
    ].join('\r\n')
    expect(await imported(csv, 'text/csv; charset=utf-8', { ref: 'intake-26' })).toMatchObject({
      lines: 2,
      written: 2,
      rejected: 0,
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

  it('rejects a line of NDJSON that is too long, and writes the others', async () => {
    const long = JSON.stringify({ uid: 'long', displayName: 'x'.repeat(limits.lineBytes) })
    const text = `{"uid": "l1"}\n${long}\n{"uid": "l2"}`
    expect(await imported(text, 'application/x-ndjson')).toMatchObject({
      lines: 3,
      written: 2,
      rejectedLines: [{ line: 2, reason: `must be at most ${limits.lineBytes} bytes long` }],
    })
  })

  it('rejects a CSV file with a record that is too long, as after a missing quote, or too many columns', async () => {
    const rows = Array.from({ length: 8_000 }, (_, n) => `c${n},Name`).join('\n')
    const open = await send(`uid,displayName\nc,"Name\n${rows}`)
    expect(open.code).toBe('validation_error')
    expect(open.body.error.message).toContain(`longer than ${limits.lineBytes} bytes`)
    const commas = await send(`uid,displayName\n${','.repeat(limits.lineBytes + 1)}`)
    expect(commas.body.error.message).toContain(
      `in line 2: the record is longer than ${limits.lineBytes} bytes`,
    )
    const wide = await send(`uid${',x'.repeat(30_000)}\n`)
    expect(wide.code).toBe('validation_error')
    expect(wide.body.error.message).toContain('30001 columns')
    expect(wide.body.error.message.length).toBeLessThan(200)
  })

  it('stores long lines in small chunks', async () => {
    const lines = Array.from({ length: 200 }, (_, n) =>
      JSON.stringify({ uid: `k${n}`, attributes: { note: 'x'.repeat(60_000) } }),
    )
    const { body } = await send(lines.join('\n'), 'application/x-ndjson')
    const chunks = await api.database.db
      .selectFrom('import_chunk')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('import_id', '=', body.id)
      .executeTakeFirstOrThrow()
    expect(chunks.count).toBeGreaterThan(2)
    await api.database.db.deleteFrom('import').where('id', '=', body.id).execute()
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
    expect(await imported(raw, 'application/x-ndjson')).toMatchObject({ written: 2, rejected: 0 })
    expect(await person('n1')).toMatchObject({
      profile: { attributes: { year: 2 } },
      consents: [{ scope: 'x', source: 'desk' }],
    })
  })

  it('that is repeated changes nothing', async () => {
    const csv = 'uid,stage,tags,chat,consents\nr1,member,a:1,Ur1,admission=1\n'
    await imported(csv)
    const before = await person('r1')
    expect(await imported(csv)).toMatchObject({ written: 1, rejected: 0 })
    expect(await person('r1')).toEqual(before)
  })

  it('moves no stage backward, keeps omitted fields, and adds tags', async () => {
    await imported('uid,stage,displayName,roles,tags\nk1,member,Ada,student,a:1\n')
    await imported('uid,stage,roles,tags\nk1,lead,,b:2\n')
    expect(await person('k1')).toMatchObject({
      stage: 'member',
      profile: { displayName: 'Ada', roles: [] },
      tags: ['a:1', 'b:2'],
    })
  })

  it('restores no withdrawn consent', async () => {
    await imported('uid,consents\nw1,admission=1\n')
    const { subjectId } = await person('w1')
    await withdrawConsent(api.database.db, subjectId, 'admission')
    await imported('uid,consents\nw1,admission=2\n')
    expect((await person('w1')).consents).toMatchObject([{ version: '1', withdrawnAt: expect.any(String) }])
    await setConsents(api.database.db, [{ subjectId, scope: 'admission', version: '3', source: 'form' }])
    await imported('uid,consents\nw1,admission=4\n')
    expect((await person('w1')).consents).toMatchObject([{ version: '4', withdrawnAt: null }])
  })

  it('reports which lines it rejected and why, and none of their content', async () => {
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
    const { rejectedLines, ...done } = await imported(csv)
    expect(done).toMatchObject({ lines: 10, written: 2, rejected: 8 })
    expect(rejectedLines.map(({ line, column }: { line: number; column: string }) => [line, column])).toEqual(
      [
        [2, 'uid'],
        [3, 'stage'],
        [4, 'tags'],
        [5, 'chat'],
        [7, 'chat'],
        [8, 'email'],
        [9, null],
        [11, 'uid'],
      ],
    )
    expect(rejectedLines[6].reason).toBe('must have 5 cells, as the header has, not 3')
    expect(JSON.stringify(rejectedLines)).not.toMatch(/king|nonamespace|Uowned|Ufresh|secret|multi/)
    expect((await person('x4')).addresses).toMatchObject([{ address: 'Ufresh' }])
    expect((await person('x8')).stage).toBe('lead')
    const page = (await read('listRejectedLines', done.id, { limit: '3' })).body
    const next = (await read('listRejectedLines', done.id, { limit: '9', cursor: page.nextCursor })).body
    expect([...page.items, ...next.items]).toEqual(rejectedLines)
    // More than a line number can be: an invalid cursor, and no database error.
    const cursor = Buffer.from('99999999999').toString('base64url')
    expect(await read('listRejectedLines', done.id, { cursor })).toMatchObject({ code: 'validation_error' })
  })

  it.each([
    '1.12E+10',
    '1,12E+10',
    '1E+15',
    '-1.1e-05',
    '#N/A',
    '#REF!',
    '#NAME?',
    '#DIV/0!',
    '#WERT!',
    '####',
  ])('takes no id that a spreadsheet has made of others: %s', async (value) => {
    const csv = [
      'uid,displayName,chat,email,classIds,orgUnits',
      `"${value}",A,,,,`,
      `"${value}",B,,,,`,
      `s1,C,"${value}",,,`,
      `s2,D,,,"c1;${value}",`,
      `s3,E,,,,"${value}"`,
      `s4,"${value}",Us4-1E5,,5E3,E+10`,
    ].join('\n')
    const { rejectedLines, ...done } = await imported(csv)
    const columns = rejectedLines.map(({ line, column }: { line: number; column: string }) => [line, column])
    expect(columns).toEqual([
      [2, 'uid'],
      [3, null],
      [4, 'chat'],
      [5, 'classIds'],
      [6, 'orgUnits'],
    ])
    expect(rejectedLines[0].reason).toMatch(/^must not be what a spreadsheet made of it/)
    expect(done).toMatchObject({ written: 1, rejected: 5 })
    expect((await api.call('getSubject', { key: api.keys.administrative, id: value })).code).toBe('not_found')
  })

  it('rejects a second line of one uid that says something else, wherever it is in the file', async () => {
    const others = Array.from({ length: 2_500 }, (_, n) => `m${n},Name,`)
    const csv = [
      'uid,displayName,tags',
      'd1,Ann,a:1',
      ...others,
      'd1,Ben,b:2',
      'd1,Ann,a:1',
      'm7,Name,c:1',
    ].join('\n')
    const { rejectedLines, ...done } = await imported(csv)
    expect(done).toMatchObject({ lines: 2_504, written: 2_502, rejected: 2 })
    expect(rejectedLines).toEqual([
      { line: 2_503, column: null, reason: 'must not say something else about its uid than line 2' },
      { line: 2_505, column: null, reason: 'must not say something else about its uid than line 10' },
    ])
    expect(await person('d1')).toMatchObject({ profile: { displayName: 'Ann' }, tags: ['a:1'] })
    // Another file may say something else.
    expect(await imported('uid,displayName\nd1,Ben')).toMatchObject({ written: 1 })
    const same = '{"uid": "d2", "displayName": "Cid"}\n{"displayName": "Cid", "uid": "d2"}\n{"uid": "d2"}'
    expect(await imported(same, 'application/x-ndjson')).toMatchObject({
      written: 2,
      rejectedLines: [{ line: 3 }],
    })
  })

  it('rejects invalid lines of NDJSON one by one', async () => {
    const raw = [
      '{"uid":"o1"}',
      'nonsense',
      '[]',
      '{"uid":"\\u0000"}',
      '{"uid":"\\ud800"}',
      '{"uid":"o2","colour":1}',
      `{"uid":"o3","attributes":{"a":${'['.repeat(99)}${']'.repeat(99)}}}`,
    ]
    const { rejectedLines, ...done } = await imported(raw.join('\n'), 'application/x-ndjson')
    expect(done).toMatchObject({ written: 1, rejected: 6 })
    const odd = 'must not contain a NUL character or a lone surrogate'
    expect(rejectedLines.map(({ reason }: { reason: string }) => reason)).toEqual([
      'must be JSON',
      'must be a JSON object',
      odd,
      odd,
      'must not have the unknown field colour',
      'must be nested at most 32 levels deep',
    ])
  })

  it.each([
    ['has no uid', 'stage\nlead', 'uid'],
    ['has an unknown column', 'uid,colour\na,b', 'colour'],
    ['has a column twice', 'uid,uid\na,b', 'must be one column, not several'],
    ['is empty', '', 'empty'],
    ['never closes a quote', 'uid\n"a\nb', 'quote'],
  ])('of a file that %s is rejected as a whole', async (_, raw, hint) => {
    const { code, body } = await send(raw)
    expect(code).toBe('validation_error')
    expect(body.error.message).toContain(hint)
    const left = await api.database.db
      .selectFrom('import')
      .select('id')
      .where('state', '<>', 'completed')
      .execute()
    expect(left).toEqual([])
  })

  it('of another type or another encoding is rejected', async () => {
    expect((await send('{}', 'application/json')).code).toBe('validation_error')
    const answer = await api.app.inject({
      method: 'POST',
      url: '/v1/imports',
      headers: { authorization: `Bearer ${api.keys.administrative}`, 'content-type': 'text/csv' },
      payload: Buffer.concat([Buffer.from('uid,displayName\nb5,'), Buffer.from([0xa4, 0xa4, 0xa4, 0xe5])]),
    })
    expect(answer.json().error.message).toContain('UTF-8')
  })
})
