import { expect } from 'vitest'
import { writeNextChunk } from '../../../src/services/imports/write-chunk.ts'
import type { Api } from '../../fixtures/api.ts'

/** Imports as the administrative unit of an API fixture makes and sees them. */
export function importer(api: () => Api) {
  const send = (raw: string, type = 'text/csv', query?: Record<string, string>) =>
    api().call('createImport', {
      key: api().keys.administrative,
      headers: { 'content-type': type },
      raw,
      ...(query && { query }),
    })

  const read = (operation: 'getImport' | 'listRefusedLines', id: string, query?: Record<string, string>) =>
    api().call(operation, { key: api().keys.administrative, id, ...(query && { query }) })

  const person = async (id: string) =>
    (await api().call('getSubject', { key: api().keys.administrative, id })).body

  /** Sends a file and writes all of it. */
  async function imported(raw: string, type?: string, query?: Record<string, string>) {
    const { status, body } = await send(raw, type, query)
    expect(status).toBe(202)
    while (await writeNextChunk(api().database.db)) {}
    const done = (await read('getImport', body.id)).body
    expect(done).toMatchObject({ state: 'done', done: done.lines, finishedAt: expect.any(String) })
    return { ...done, refusedLines: (await read('listRefusedLines', body.id)).body.items }
  }
  return { send, read, person, imported }
}
