import { type AddressInfo, connect } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { pollLoop } from '../../../src/background/poll-loop.ts'
import { importWrite } from '../../../src/background/tasks.ts'
import { limits } from '../../../src/contract/limits.ts'
import { writeNextChunk } from '../../../src/services/imports/write-chunk.ts'
import { startApi } from '../../fixtures/api.ts'
import { importer } from '../../fixtures/import-file.ts'
import { auditRows, updateRows } from '../../fixtures/rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
/** A test must not leave pending work to the next one. */
afterEach(async () => expect(await writeNextChunk(api.services)).toBe(false))

const { send, read, person, imported } = importer(() => api)

async function listening(): Promise<number> {
  if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' })
  return (api.app.server.address() as AddressInfo).port
}

describe('a file', () => {
  it('may be larger than other bodies, up to its own limit', async () => {
    const long = `uid,displayName\n${Array.from({ length: 30_000 }, (_, i) => `l${i},${'x'.repeat(90)}`).join('\n')}`
    expect(long.length).toBeGreaterThan(limits.bodyBytes)
    const answer = await send(long)
    expect(answer.body).toMatchObject({ state: 'queued', lines: 30_000 })
    await api.database.db.deleteFrom('import').where('id', '=', answer.body.id).execute()
    const longer = await send('\n'.repeat(limits.uploadBytes + 1), 'application/x-ndjson')
    expect(longer.code).toBe('payload_too_large')
  })

  it.each([
    ['POST /v1/media', 'image/png', 413],
    ['POST /v1/imports', 'text/csv', 400],
  ])(
    'that is refused ends the connection of a sender that reads nothing before its end: %s',
    async (line, type, status) => {
      const socket = connect({ port: await listening(), host: '127.0.0.1' })
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.on('error', () => {}) // the other side has closed
      const key = line.includes('media') ? api.keys.a : api.keys.administrative
      const head = [
        'host: x',
        `content-type: ${type}`,
        'transfer-encoding: chunked',
        `authorization: Bearer ${key}`,
      ]
      socket.write(`${line} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
      const part = 'colour\n'.repeat(150_000)
      const chunk = `${part.length.toString(16)}\r\n${part}\r\n`
      for (let sent = 0; sent < 80 && !socket.destroyed; sent += 1)
        if (!socket.write(chunk)) {
          const drained = new Promise<void>((resolve) => socket.once('drain', resolve))
          await Promise.race([drained, closed])
        }
      const received: Buffer[] = []
      socket.on('data', (bytes: Buffer) => received.push(bytes))
      await closed
      const answer = Buffer.concat(received).toString()
      if (answer !== '') expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*connection: close`, 'i'))
    },
  )

  it('whose sender disconnects in the middle leaves nothing', async () => {
    const port = await listening()
    const socket = connect(port, '127.0.0.1')
    const head = ['POST /v1/imports HTTP/1.1', 'host: x', 'content-type: text/csv', 'content-length: 999999']
    socket.write(
      `${[...head, `authorization: Bearer ${api.keys.administrative}`].join('\r\n')}\r\n\r\nuid\ngone1\n`,
    )
    const receiving = () =>
      api.database.db.selectFrom('import').select('id').where('state', '=', 'uploading').execute()
    await eventually(async () => expect(await receiving()).toHaveLength(1))
    socket.destroy()
    await eventually(async () => expect(await receiving()).toEqual([]))
  })

  it('is visible to its own unit only', async () => {
    await imported('uid\nu0\n')
    const { id } = await imported('uid\nu1\n')
    const other = await api.newKey(api.units.b)
    await updateRows(api.database.db, 'unit', { id: api.units.b }, { kind: 'administrative' })
    expect((await api.call('getImport', { key: other, id })).code).toBe('not_found')
    expect((await api.call('listImports', { key: other })).body.items).toEqual([])
    const { items, nextCursor } = (
      await api.call('listImports', { key: api.keys.administrative, query: { limit: '1' } })
    ).body
    expect(items.map((item: { id: string }) => item.id)).toEqual([id])
    expect(nextCursor).not.toBeNull()
  })

  it('is audited: who started it, and its end', async () => {
    const { id } = await imported('uid\na1\n')
    const rows = await auditRows(api.database.db, id, 'action', 'actor', 'unit_id')
    expect(rows.map(({ action }) => action)).toEqual(['create', 'finish'])
    expect(rows.every(({ unit_id }) => unit_id !== null)).toBe(true)
  })
})

describe('while an import is being written', () => {
  it('a worker continues it without a request', async () => {
    const log = pino({ level: 'silent' })
    const rounds = pollLoop(importWrite({ db: api.database.db, log }), log)
    const { id } = (await send('uid\nv1\n')).body
    await eventually(async () => expect((await read('getImport', id)).body.state).toBe('completed'))
    await rounds.stop()
    expect((await person('v1')).stage).toBe('visitor')
  })

  const many = (n: number, prefix: string) =>
    ['uid,chat', ...Array.from({ length: n }, (_, i) => `${prefix}${i},U${prefix}${i}`)].join('\n')

  it('several workers write each line once', async () => {
    const { id } = (await send(many(5_000, 'm'))).body
    const work = async () => {
      for (;;)
        if (!(await writeNextChunk(api.services)) && (await read('getImport', id)).body.state === 'completed')
          return
    }
    await Promise.all([work(), work(), work()])
    expect((await read('getImport', id)).body).toMatchObject({
      written: 5_000,
      processed: 5_000,
      rejected: 0,
    })
    const { people } = await api.database.db
      .selectFrom('subject')
      .select(({ fn }) => fn.countAll<number>().as('people'))
      .where('uid', 'like', 'm%')
      .executeTakeFirstOrThrow()
    expect(Number(people)).toBe(5_000)
  })

  it('its progress is visible, and its lines are deleted as they are written', async () => {
    const { id } = (await send(many(2_500, 'p'))).body
    expect((await read('getImport', id)).body).toMatchObject({ state: 'queued', lines: 2_500, processed: 0 })
    await writeNextChunk(api.services)
    expect((await read('getImport', id)).body).toMatchObject({
      state: 'processing',
      processed: 1_000,
      written: 1_000,
    })
    while (await writeNextChunk(api.services)) {}
    const left = await api.database.db.selectFrom('import_chunk').select('number').execute()
    expect(left).toEqual([])
  })

  it('a small file does not wait for a large one', async () => {
    const large = (await send(many(3_000, 'w'))).body
    await writeNextChunk(api.services)
    const small = (await send('uid\nsmall\n')).body
    await writeNextChunk(api.services)
    expect((await read('getImport', small.id)).body.state).toBe('completed')
    expect((await read('getImport', large.id)).body).toMatchObject({ state: 'processing', processed: 1_000 })
    while (await writeNextChunk(api.services)) {}
  })

  it('a line that the database rejects is rejected alone', async () => {
    const { db } = api.database
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin if new.uid = 'q7' then raise exception 'no'; end if; return new; end $$`.execute(db)
    await sql`create trigger refuse before insert on subject for each row execute function refuse()`.execute(
      db,
    )
    const { rejectedLines, written: count } = await imported(many(20, 'q'))
    await sql`drop trigger refuse on subject`.execute(db)
    expect([count, rejectedLines]).toEqual([
      19,
      [{ line: 9, column: null, reason: 'cannot be stored (P0001)' }],
    ])
  })
})
