import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CreateTemplate, TemplateListQuery } from '../../../src/contract/template.ts'
import { approveTemplate, rejectTemplate } from '../../../src/services/templates/decide.ts'
import { createTemplate, getTemplate, listTemplates } from '../../../src/services/templates/templates.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { codeOf, makeTemplate, makeWorld, type World } from './world.ts'

let fresh: FreshDatabase
let world: World
beforeAll(async () => {
  fresh = await freshDatabase()
  world = await makeWorld(fresh.db)
})
afterAll(() => fresh.drop())

const template = (parts: Partial<CreateTemplate> = {}): CreateTemplate => ({
  name: '停課通知',
  categoryId: 'auto',
  messages: [{ kind: 'text', text: { 'zh-TW': '{{ course }} 停課' } }],
  variables: [{ name: 'course', required: true }],
  ...parts,
})

describe('a template', () => {
  it('is saved as a draft, with its author', async () => {
    const made = await createTemplate(world.services, world.editor, template())
    expect(made).toMatchObject({ state: 'draft', version: 1, author: { name: 'Editor' }, decision: null })
    expect(await getTemplate(world.services, world.producer, made.id)).toEqual(made)
  })

  it('is refused where a text uses what the list does not name', async () => {
    const error = await createTemplate(world.services, world.producer, template({ variables: [] })).catch(
      (e) => e,
    )
    expect(error).toMatchObject({
      code: 'validation_error',
      details: { issues: [{ path: 'messages[0].text.zh-TW', message: 'uses course; add it to variables' }] },
    })
  })

  it('is for editors and keys that may use its category', async () => {
    const create = (by: Parameters<typeof createTemplate>[1], parts?: Partial<CreateTemplate>) =>
      codeOf(createTemplate(world.services, by, template(parts)))
    expect(await create(world.approver)).toBe('forbidden')
    expect(await create({ ...world.producer, categories: ['manual'] })).toBe('category_not_allowed')
    expect(await create(world.producer, { categoryId: 'unknown' })).toBe('not_found')
  })

  it('is approved by an approver who did not write it', async () => {
    const { id } = await createTemplate(world.services, world.both, template())
    const approve = (by: Parameters<typeof approveTemplate>[1], version?: number) =>
      approveTemplate(world.services, by, id, { version })
    expect(await codeOf(approve(world.editor))).toBe('forbidden')
    expect(await codeOf(approve(world.producer))).toBe('forbidden')
    expect(await codeOf(approve(world.otherApprover))).toBe('not_found')
    expect(await codeOf(approve(world.both))).toBe('self_approval')
    expect(await codeOf(approve(world.approver, 2))).toBe('invalid_transition')
    expect(await approve(world.approver)).toMatchObject({
      state: 'approved',
      decision: { by: { name: 'Approver' } },
    })
    expect(await codeOf(approve(world.approver))).toBe('invalid_transition')
  })

  it('is decided once, though two decide at the same moment', async () => {
    const id = await makeTemplate(world)
    const codes = await Promise.all([
      codeOf(approveTemplate(world.services, world.approver, id)),
      codeOf(rejectTemplate(world.services, world.both, id, { reason: '錯字' })),
    ])
    expect(codes.sort()).toEqual(['invalid_transition', 'ok'])
  })

  it('is rejected with a reason', async () => {
    const id = await makeTemplate(world)
    expect(await rejectTemplate(world.services, world.approver, id, { reason: '錯字' })).toMatchObject({
      state: 'rejected',
      decision: { reason: '錯字' },
    })
  })

  it('is written into the audit trail', async () => {
    const id = await makeTemplate(world, { approved: true })
    const trail = await fresh.db
      .selectFrom('audit')
      .select(['action', 'unit_id'])
      .where('object_kind', '=', 'template')
      .where('object_id', '=', id)
      .orderBy('id')
      .execute()
    const unit_id = world.unit.id
    expect(trail).toEqual([
      { action: 'create', unit_id },
      { action: 'approve', unit_id },
    ])
  })

  it('is listed by its unit, by state and category, page by page', async () => {
    const list = (
      parts: Partial<TemplateListQuery> = {},
      by: Parameters<typeof listTemplates>[1] = world.editor,
    ) => listTemplates(world.services, by, { limit: 50, ...parts })
    const { items } = await list()
    expect(items.length).toBeGreaterThan(3)
    expect((await list({ state: ['approved'] })).items.every(({ state }) => state === 'approved')).toBe(true)
    expect((await list({ categoryId: 'manual' })).items).toEqual([])
    expect((await list({}, world.otherProducer)).items).toEqual([])
    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.nextCursor! })
    expect([...first.items, ...second.items]).toEqual(items.slice(0, 4))
  })
})
