import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { upsertSubjects } from '../../../dev/people.ts'
import type { CreateGroup } from '../../../src/contract/groups/group.ts'
import { changeMembers, listMembers } from '../../../src/services/groups/change-members.ts'
import { editGroup } from '../../../src/services/groups/edit.ts'
import { createGroup, getGroup } from '../../../src/services/groups/groups.ts'
import { codeOf, forMessages, producerPrincipal } from '../../fixtures/message-fixture.ts'
import { auditRows } from '../../fixtures/rows.ts'

const { fresh, fixture } = forMessages()

const list = (parts: Partial<CreateGroup> = {}): CreateGroup => ({
  name: 'Scholars',
  kind: 'static',
  legalBasis: 'public_task',
  ...parts,
})
const make = async (parts: Partial<CreateGroup> = {}) =>
  (await createGroup(fixture.services, fixture.producer, list(parts))).id
const change = (id: string, add: string[], remove: string[] = []) =>
  changeMembers(fixture.services, fixture.producer, id, { add, remove })
const setParent = (id: string, parentId: string | null) =>
  editGroup(fixture.services, fixture.producer, id, { parentId })
const membersOf = async (id: string) =>
  (await listMembers(fixture.services, fixture.producer, id, { limit: 200 })).items.map(({ uid }) => uid)

describe('a group', () => {
  it('requires a legal basis, or a query', async () => {
    const create = (parts: Partial<CreateGroup>) =>
      codeOf(createGroup(fixture.services, fixture.editor, list(parts)))
    expect(await create({})).toBe('ok')
    expect(await create({ legalBasis: undefined })).toBe('validation_error')
    expect(await create({ query: { roles: ['student'] } })).toBe('validation_error')
    expect(await create({ kind: 'dynamic', legalBasis: undefined })).toBe('validation_error')
    expect(await create({ kind: 'dynamic', query: { roles: ['student'] } })).toBe('ok')
    expect(await create({ kind: 'dynamic', query: { roles: ['student'] }, parentId: await make() })).toBe(
      'validation_error',
    )
  })

  it('is for editors and keys of its unit', async () => {
    const id = await make()
    expect(await codeOf(createGroup(fixture.services, fixture.approver, list()))).toBe('forbidden')
    expect(await codeOf(editGroup(fixture.services, fixture.approver, id, { name: 'x' }))).toBe('forbidden')
    expect(await codeOf(getGroup(fixture.services, fixture.approver, id))).toBe('ok')
    expect(await codeOf(getGroup(fixture.services, fixture.otherApprover, id))).toBe('not_found')
    expect(await codeOf(changeMembers(fixture.services, fixture.otherProducer, id, { add: ['x'] }))).toBe(
      'not_found',
    )
    expect(await codeOf(createGroup(fixture.services, fixture.otherProducer, list({ parentId: id })))).toBe(
      'not_found',
    )
  })

  it('rejects a query that its author may not use, and one that names another query', async () => {
    const dynamic = (parts: Partial<CreateGroup>) =>
      list({ kind: 'dynamic', legalBasis: undefined, ...parts })
    const restricted = producerPrincipal(fixture.unit.id, { dimensions: ['groups', 'roles'] })
    const by = (principal: typeof restricted, parts: Partial<CreateGroup>) =>
      codeOf(createGroup(fixture.services, principal, dynamic(parts)))
    const query = { roles: ['student' as const] }
    expect(await by(restricted, { query })).toBe('ok')
    expect(await by(restricted, { query: { ...query, exclude: { tags: ['x'] } } })).toBe(
      'audience_dimension_not_allowed',
    )
    const { id } = await createGroup(fixture.services, fixture.producer, dynamic({ query }))
    for (const group of [id, randomUUID(), 'no id'])
      expect(await by(fixture.producer, { query: { groups: [group] } })).toBe('validation_error')
    expect(await by(fixture.producer, { query: { groups: [(await make()).toUpperCase()] } })).toBe('ok')
    expect(await codeOf(change(id, ['student-1']))).toBe('validation_error')
    expect(await codeOf(listMembers(fixture.services, fixture.producer, id, { limit: 1 }))).toBe(
      'validation_error',
    )
  })

  it('adds and removes members, and counts unknown ones', async () => {
    const id = await make()
    expect(await change(id, ['student-1', 'student-2', 'student-1', 'nobody'])).toEqual({
      ...{ added: 2, removed: 0, unknownUids: 1 },
    })
    expect(await change(id, ['student-2', 'student-3'], ['student-1', 'student-9', 'nobody'])).toEqual({
      ...{ added: 1, removed: 1, unknownUids: 1 },
    })
    expect((await membersOf(id)).sort()).toEqual(['student-2', 'student-3'])
    expect(await getGroup(fixture.services, fixture.producer, id)).toMatchObject({ memberCount: 2 })
    expect(await codeOf(change(id, ['student-4'], ['student-4']))).toBe('validation_error')
  })

  it('is audited, by counts', async () => {
    const id = await make()
    await change(id, ['student-1'])
    await editGroup(fixture.services, fixture.editor, id, { name: 'Others' })
    const trail = await auditRows(fresh.db, id, 'action', 'unit_id', 'details')
    const unit_id = fixture.unit.id
    expect(trail).toMatchObject([
      { action: 'create', unit_id },
      { action: 'members', unit_id, details: { added: 1, removed: 0, unknownUids: 0 } },
      { action: 'edit', unit_id, details: { fields: ['name'] } },
    ])
  })

  it('pages through its members', async () => {
    const id = await make()
    await change(id, ['student-1', 'student-2', 'student-3'])
    const page = (cursor?: string) =>
      listMembers(fixture.services, fixture.producer, id, { limit: 2, cursor })
    const first = await page()
    const second = await page(first.nextCursor!)
    expect([...first.items, ...second.items].map(({ uid }) => uid)).toEqual(await membersOf(id))
    expect(second.nextCursor).toBeNull()
  })
})

describe('a key without the right to write groups', () => {
  it('reads them, and is told which right it lacks', async () => {
    const id = await make()
    await change(id, ['student-1'])
    const { services } = fixture
    const key = { ...fixture.producer, groupWriting: false }
    const writes = [
      createGroup(services, key, list()),
      editGroup(services, key, id, { name: 'Others' }),
      changeMembers(services, key, id, { add: ['student-2'] }),
    ]
    for (const attempt of writes)
      await expect(attempt).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('groupWriting'),
      })
    expect(await getGroup(services, key, id)).toMatchObject({ name: 'Scholars', memberCount: 1 })
    const { items } = await listMembers(services, key, id, { limit: 200 })
    expect(items).toMatchObject([{ uid: 'student-1' }])
  })
})

describe('a child', () => {
  it('has no member that its parent lacks, whichever of the two is changed', async () => {
    const parent = await make()
    const child = await make({ parentId: parent })
    expect(await codeOf(change(child, ['student-1']))).toBe('group_subset')
    await change(parent, ['student-1', 'student-2'])
    expect(await codeOf(change(child, ['student-1', 'student-3']))).toBe('group_subset')
    expect(await membersOf(child)).toEqual([])
    await change(child, ['student-1'])
    expect(await codeOf(change(parent, ['student-5'], ['student-2', 'student-1']))).toBe('group_subset')
    expect((await membersOf(parent)).sort()).toEqual(['student-1', 'student-2'])
    await change(child, [], ['student-1'])
    expect(await change(parent, [], ['student-1'])).toMatchObject({ removed: 1 })
  })

  it('accepts a parent that contains all its members and is not below it', async () => {
    const [parent, child] = [await make(), await make()]
    await change(child, ['student-1'])
    expect(await codeOf(setParent(child, parent))).toBe('group_subset')
    await change(parent, ['student-1'])
    expect(await setParent(child, parent)).toMatchObject({ parentId: parent })
    expect(await codeOf(setParent(parent, child))).toBe('group_subset')
    expect(await codeOf(setParent(child, child))).toBe('group_subset')
    expect(await codeOf(setParent(child, randomUUID()))).toBe('not_found')
    expect(await setParent(child, null)).toMatchObject({ parentId: null })
    expect(await codeOf(setParent(parent, child))).toBe('ok')
  })

  it('stays inside its parent while both are written concurrently', async () => {
    const parent = await make()
    const child = await make({ parentId: parent })
    const loose = await make()
    const uids = Array.from({ length: 10 }, (_, n) => `student-${n}`)
    for (let round = 0; round < 10; round++) {
      await change(parent, uids)
      await change(loose, uids.slice(0, 5))
      const codes = await Promise.all([
        ...uids.map((uid) => codeOf(change(child, [uid]))),
        ...uids.map((uid) => codeOf(change(parent, [], [uid]))),
        codeOf(setParent(loose, parent)),
        codeOf(change(loose, uids.slice(5))),
      ])
      expect(new Set(codes)).toEqual(new Set(['ok', 'group_subset']))
      const whole = await membersOf(parent)
      expect(whole).toEqual(expect.arrayContaining(await membersOf(child)))
      if ((await getGroup(fixture.services, fixture.producer, loose)).parentId)
        expect(whole).toEqual(expect.arrayContaining(await membersOf(loose)))
      await setParent(loose, null)
      await change(child, [], uids)
    }
  })

  it('forms no cycle with others whose parents change at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = [await make(), await make(), await make(), await make()]
      const codes = await Promise.all(ids.map((id, n) => codeOf(setParent(id, ids[(n + 1) % 4]!))))
      expect(codes.sort()).toEqual(['group_subset', 'ok', 'ok', 'ok'])
    }
  })
})

it('accepts 100,000 people in one call, and returns them', async () => {
  const uids = Array.from({ length: 100_000 }, (_, n) => `many-${n}`)
  await upsertSubjects(
    fresh.db,
    uids.map((uid) => ({ uid })),
  )
  const id = await make()
  expect(await change(id, uids)).toEqual({ added: 100_000, removed: 0, unknownUids: 0 })
  expect(await change(id, [], uids)).toEqual({ added: 0, removed: 100_000, unknownUids: 0 })
})
