import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { uploadMembers } from '../../../src/services/groups/upload-members.ts'
import { startApi } from '../../fixtures/api.ts'
import { producerPrincipal } from '../../fixtures/message-fixture.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

const asProducer = () => ({ key: api.keys.a })
const make = async (parentId: string | null = null) => {
  const body = { name: 'Group', kind: 'static', legalBasis: 'consent', parentId }
  return (await api.call('createGroup', { ...asProducer(), body })).body.id as string
}
const send = (id: string, raw: string, query: Record<string, string> = {}) =>
  api.call('changeMembers', {
    ...asProducer(),
    id,
    query,
    raw,
    headers: { 'content-type': 'application/x-ndjson' },
  })
const membersOf = async (id: string) =>
  (await api.call('listMembers', { ...asProducer(), id })).body.items.map(({ uid }: { uid: string }) => uid)

describe('a list of members, one uid per line', () => {
  it('adds the people it names, quoted or plain, and removes them again', async () => {
    const id = await make()
    const text = '"s1"\n s2 \r\n\n"s2"\nnobody\n"\\u0073\\u0033"'
    expect((await send(id, text)).body).toEqual({ added: 3, removed: 0, unknownUids: 1 })
    expect((await send(id, text)).body).toEqual({ added: 0, removed: 0, unknownUids: 1 })
    expect((await membersOf(id)).sort()).toEqual(['s1', 's2', 's3'])
    expect((await send(id, 's1\ns2', { action: 'remove' })).body).toEqual({
      added: 0,
      removed: 2,
      unknownUids: 0,
    })
    expect(await membersOf(id)).toEqual(['s3'])
  })

  it('may be longer than a JSON body', async () => {
    const id = await make()
    const nobody = Array.from({ length: 60_000 }, (_, n) => `nobody-${'x'.repeat(40)}-${n}`)
    const text = [...nobody, 's1'].join('\n')
    expect(text.length).toBeGreaterThan(limits.bodyBytes)
    expect((await send(id, text)).body).toEqual({ added: 1, removed: 0, unknownUids: 60_000 })
  })

  it('is rejected as a whole with the line that is no uid', async () => {
    const id = await make()
    for (const [line, text] of [
      ['line 2', `s1\n${'x'.repeat(limits.uidLength + 1)}\ns2`],
      ['line 1', `${'x'.repeat(limits.lineBytes + 1)}\ns1`],
      ['line 3', 's1\ns2\n"\\u0000"'],
      ['line 1', '""'],
    ] as const) {
      const { code, body } = await send(id, text)
      expect(code).toBe('validation_error')
      expect(body.error.details.issues[0].path).toBe(line)
    }
    expect(await membersOf(id)).toEqual([])
  })

  it('is rejected as a whole if one of them is not in the parent', async () => {
    const parent = await make()
    await send(parent, 's1')
    const id = await make(parent)
    expect((await send(id, 's1\ns2')).code).toBe('group_subset')
    expect(await membersOf(id)).toEqual([])
  })

  it('has a maximum length, and is not read further', async () => {
    const id = await make()
    let read = 0
    const endless = async function* () {
      for (;;) {
        read += 1
        yield Buffer.from('nobody\n'.repeat(1_000))
      }
    }
    const upload = uploadMembers(
      api.services,
      producerPrincipal(api.units.a),
      { id, action: 'add' },
      Readable.from(endless()),
    )
    await expect(upload).rejects.toMatchObject({ code: 'payload_too_large' })
    expect(read).toBeLessThan(limits.membersPerUpload / 1_000 + 50)
  })

  it('has its action in the query, which a JSON body has not', async () => {
    const id = await make()
    const body = { add: ['s1'] }
    const query = { action: 'remove' }
    expect((await api.call('changeMembers', { ...asProducer(), id, query, body })).code).toBe(
      'validation_error',
    )
    expect((await send(id, 's1', { action: 'replace' })).code).toBe('validation_error')
  })
})

it('a JSON list that is too large is answered with the limit, and with what to use', async () => {
  const raw = JSON.stringify({ add: Array(200_000).fill('b11204001') })
  expect(raw.length).toBeGreaterThan(limits.bodyBytes)
  const { code, body } = await api.call('changeMembers', { ...asProducer(), id: await make(), raw })
  expect(code).toBe('payload_too_large')
  expect(body.error.message).toContain(String(limits.bodyBytes))
  expect(body.error.message).toContain('application/x-ndjson')
})
