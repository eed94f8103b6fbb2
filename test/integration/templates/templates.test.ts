import { describe, expect, it } from 'vitest'
import type { CreateTemplate, TemplateListQuery } from '../../../src/contract/templates/template.ts'
import { summaryOf } from '../../../src/db/queries/message/read.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { approveTemplate, rejectTemplate } from '../../../src/services/templates/decide.ts'
import { createTemplate, getTemplate, listTemplates } from '../../../src/services/templates/templates.ts'
import { createTemplateVersion, listTemplateVersions } from '../../../src/services/templates/versions.ts'
import {
  automaticParts,
  codeOf,
  createDraft,
  createSubmitted,
  forMessages,
  makeTemplate,
} from '../../fixtures/message-fixture.ts'
import { auditRows } from '../../fixtures/rows.ts'

const { fresh, fixture } = forMessages()

const template = (parts: Partial<CreateTemplate> = {}): CreateTemplate => ({
  name: '停課通知',
  categoryId: 'auto',
  messages: [{ kind: 'text', text: { 'zh-TW': '{{ course }} 停課' } }],
  variables: [{ name: 'course', required: true }],
  ...parts,
})

describe('a template', () => {
  it('is saved as a draft, with its author', async () => {
    const detail = await createTemplate(fixture.services, fixture.editor, template())
    expect(detail).toMatchObject({ state: 'draft', version: 1, author: { name: 'Editor' }, decision: null })
    expect(await getTemplate(fixture.services, fixture.editor, detail.id)).toEqual(detail)
  })

  it('is rejected if a text uses a variable that is not listed', async () => {
    const error = await createTemplate(fixture.services, fixture.producer, template({ variables: [] })).catch(
      (e) => e,
    )
    expect(error).toMatchObject({
      code: 'validation_error',
      details: {
        issues: [
          { path: 'messages[0].text.zh-TW', message: 'must not use course without listing it in variables' },
        ],
      },
    })
  })

  it('is for editors and keys that may use its category', async () => {
    const create = (by: Parameters<typeof createTemplate>[1], parts?: Partial<CreateTemplate>) =>
      codeOf(createTemplate(fixture.services, by, template(parts)))
    expect(await create(fixture.approver)).toBe('forbidden')
    expect(await create({ ...fixture.producer, categories: ['manual'] })).toBe('category_not_allowed')
    expect(await create(fixture.producer, { categoryId: 'unknown' })).toBe('not_found')
  })

  it('is approved by an approver who did not write it', async () => {
    const { id } = await createTemplate(fixture.services, fixture.both, template())
    const approve = (by: Parameters<typeof approveTemplate>[1], version?: number) =>
      approveTemplate(fixture.services, by, id, { version })
    expect(await codeOf(approve(fixture.editor))).toBe('forbidden')
    expect(await codeOf(approve(fixture.producer))).toBe('forbidden')
    expect(await codeOf(approve(fixture.otherApprover))).toBe('not_found')
    expect(await codeOf(approve(fixture.both))).toBe('self_approval')
    expect(await codeOf(approve(fixture.approver, 2))).toBe('invalid_transition')
    expect(await approve(fixture.approver)).toMatchObject({
      state: 'approved',
      decision: { by: { name: 'Approver' } },
    })
    expect(await codeOf(approve(fixture.approver))).toBe('invalid_transition')
  })

  it('is decided once, though two people decide concurrently', async () => {
    const id = await makeTemplate(fixture)
    const codes = await Promise.all([
      codeOf(approveTemplate(fixture.services, fixture.approver, id)),
      codeOf(rejectTemplate(fixture.services, fixture.both, id, { reason: '錯字' })),
    ])
    expect(codes.sort()).toEqual(['invalid_transition', 'ok'])
  })

  it('is rejected with a reason', async () => {
    const id = await makeTemplate(fixture)
    expect(await rejectTemplate(fixture.services, fixture.approver, id, { reason: '錯字' })).toMatchObject({
      state: 'rejected',
      decision: { reason: '錯字' },
    })
  })

  it('is audited', async () => {
    const id = await makeTemplate(fixture, { approved: true })
    const trail = await auditRows(fresh.db, id, 'action', 'unit_id')
    const unit_id = fixture.unit.id
    expect(trail).toEqual([
      { action: 'create', unit_id },
      { action: 'approve', unit_id },
    ])
  })

  it('is listed by its unit, by state and category, page by page', async () => {
    const list = (
      parts: Partial<TemplateListQuery> = {},
      by: Parameters<typeof listTemplates>[1] = fixture.editor,
    ) => listTemplates(fixture.services, by, { limit: 50, ...parts })
    const { items } = await list()
    expect(items.length).toBeGreaterThan(3)
    expect((await list({ state: ['approved'] })).items.every(({ state }) => state === 'approved')).toBe(true)
    expect((await list({ categoryId: 'manual' })).items).toEqual([])
    expect((await list({}, fixture.otherProducer)).items).toEqual([])
    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.nextCursor! })
    expect([...first.items, ...second.items]).toEqual(items.slice(0, 4))
  })
})

describe('a new version', () => {
  const next = (id: string, text: string, by = fixture.editor) =>
    createTemplateVersion(fixture.services, by, id, {
      messages: [{ kind: 'text', text: { 'zh-TW': text } }],
      variables: [{ name: 'course', required: true }],
    })
  const textOf = async (templateId: string) => {
    const id = await createSubmitted(fixture, { ...automaticParts(templateId) })
    const { content, template } = await getMessage(fixture.services, fixture.producer, id)
    const [first] = content!.messages as { text: { 'zh-TW': string } }[]
    return { text: first!.text['zh-TW'], version: template?.version }
  }

  it('waits: messages use the version approved last until this one is approved', async () => {
    const id = await makeTemplate(fixture, { approved: true })
    const before = { text: '微積分 在 A101', version: 1 }
    expect(await next(id, '{{ course }} 改期')).toMatchObject({ state: 'draft', version: 2, inForce: 1 })
    expect(await textOf(id)).toEqual(before)
    const inDraft = await getMessage(
      fixture.services,
      fixture.producer,
      await createDraft(fixture, automaticParts(id)),
    )
    expect(inDraft.template).toMatchObject({ version: 1 })
    await rejectTemplate(fixture.services, fixture.approver, id, { reason: '錯字' })
    await next(id, '{{ course }} 延期')
    expect(await textOf(id)).toEqual(before)
    expect(await approveTemplate(fixture.services, fixture.approver, id)).toMatchObject({
      version: 3,
      inForce: 3,
    })
    expect(await textOf(id)).toEqual({ text: '微積分 延期', version: 3 })
  })

  it('is usable at once if none was approved before', async () => {
    const id = await makeTemplate(fixture)
    await next(id, '{{ course }} 改期')
    expect(await textOf(id)).toEqual({ text: '微積分 改期', version: 2 })
  })

  it('that is rejected does not affect messages submitted with the version before', async () => {
    const id = await makeTemplate(fixture, { approved: true })
    await next(id, '{{ course }} 改期')
    const message = await createSubmitted(fixture, automaticParts(id))
    await rejectTemplate(fixture.services, fixture.approver, id, { reason: '錯字' })
    expect(await approveMessage(fixture.services, fixture.producer, message)).toEqual({ approved: true })
  })

  it('is approved by someone other than its author, and only if it is the newest', async () => {
    const id = await makeTemplate(fixture, { approved: true })
    await next(id, '{{ course }} 改期', fixture.both)
    const approve = (by: typeof fixture.both, version?: number) =>
      codeOf(approveTemplate(fixture.services, by, id, { version }))
    expect(await approve(fixture.both)).toBe('self_approval')
    expect(await approve(fixture.approver, 1)).toBe('invalid_transition')
    await next(id, '{{ course }} 延期')
    expect(await approve(fixture.both, 2)).toBe('invalid_transition')
    const unwritten = await approveTemplate(fixture.services, fixture.both, id, { version: 9 }).catch(
      (e) => e,
    )
    expect(unwritten.message).toContain('there is no version 9')
    expect(await approve(fixture.both, 3)).toBe('self_approval')
    expect(await approve(fixture.approver, 3)).toBe('ok')
  })

  it('is checked like the first version', async () => {
    const id = await makeTemplate(fixture)
    expect(await codeOf(next(id, '{{ room }}'))).toBe('validation_error')
    expect(await codeOf(next(id, 'x', fixture.approver))).toBe('forbidden')
    expect(await codeOf(next(id, 'x', fixture.otherApprover))).toBe('not_found')
    const restricted = { ...fixture.producer, categories: ['manual'] }
    const write = createTemplateVersion(fixture.services, restricted, id, {
      messages: [{ kind: 'text', text: { 'zh-TW': 'x' } }],
    })
    expect(await codeOf(write)).toBe('category_not_allowed')
  })

  it('can be written by two people concurrently, and all versions are listed', async () => {
    const id = await makeTemplate(fixture)
    await Promise.all([next(id, 'a'), next(id, 'b'), next(id, 'c')])
    const page = (cursor?: string) =>
      listTemplateVersions(fixture.services, fixture.producer, id, { limit: 3, cursor })
    const first = await page()
    const second = await page(first.nextCursor!)
    expect([...first.items, ...second.items].map(({ version }) => version)).toEqual([4, 3, 2, 1])
    expect(second.nextCursor).toBeNull()
    expect(await codeOf(page('eA'))).toBe('validation_error')
  })

  it('is counted among what waits for an approver, once for each template', async () => {
    const count = async () => (await summaryOf(fresh.db, fixture.unit.id)).templatesToApprove
    const before = await count()
    const id = await makeTemplate(fixture, { approved: true })
    expect(await count()).toBe(before)
    await next(id, 'a')
    await next(id, 'b')
    expect(await count()).toBe(before + 1)
  })
})
