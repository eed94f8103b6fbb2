import { expect } from 'vitest'
import { workOffChunk } from '../../../src/services/imports/work.ts'
import type { World } from '../../fixtures/api.ts'

/** Imports as the administrative unit of a world makes and sees them. */
export function importer(world: () => World) {
  const send = (raw: string, type = 'text/csv', query?: Record<string, string>) =>
    world().call('createImport', {
      key: world().keys.office,
      headers: { 'content-type': type },
      raw,
      ...(query && { query }),
    })

  const read = (operation: 'getImport' | 'listRefusedLines', id: string, query?: Record<string, string>) =>
    world().call(operation, { key: world().keys.office, id, ...(query && { query }) })

  const person = async (id: string) =>
    (await world().call('getSubject', { key: world().keys.office, id })).body

  /** Sends a file and writes all of it. */
  async function imported(raw: string, type?: string, query?: Record<string, string>) {
    const { status, body } = await send(raw, type, query)
    expect(status).toBe(202)
    while (await workOffChunk(world().database.db)) {}
    const done = (await read('getImport', body.id)).body
    expect(done).toMatchObject({ state: 'done', done: done.lines, finishedAt: expect.any(String) })
    return { ...done, refusedLines: (await read('listRefusedLines', body.id)).body.items }
  }
  return { send, read, person, imported }
}
