import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../src/domain/rights/principal.ts'
import { listAudit } from '../../../src/services/identity/audit.ts'
import { getUnit } from '../../../src/services/identity/unit.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { editMessage } from '../../../src/services/messages/edit.ts'
import { dryRun } from '../../../src/services/messages/prepare.ts'
import { getMessage, listMessages } from '../../../src/services/messages/read.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import {
  cancelMessage,
  pauseMessage,
  rejectMessage,
  resumeMessage,
} from '../../../src/services/messages/transitions.ts'
import { getTemplate } from '../../../src/services/templates/templates.ts'
import {
  codeOf,
  createDraft,
  createSubmitted,
  forMessages,
  listQuery,
  makeTemplate,
} from '../../fixtures/message-fixture.ts'

const { fixture } = forMessages()

describe('another unit', () => {
  it('cannot distinguish a message from an unknown one by any operation', async () => {
    const id = await createSubmitted(fixture)
    const { services } = fixture
    for (const by of [fixture.otherProducer, fixture.otherApprover]) {
      const tries = [
        getMessage(services, by, id),
        dryRun(services, by, id),
        editMessage(services, by, id, { kind: 'broadcast' }),
        submitMessage(services, by, id),
        approveMessage(services, by, id),
        rejectMessage(services, by, id, { reason: 'x' }),
        cancelMessage(services, by, id),
        pauseMessage(services, by, id),
        resumeMessage(services, by, id),
      ]
      expect(await Promise.all(tries.map(codeOf))).toEqual(tries.map(() => 'not_found'))
      expect((await listMessages(services, by, listQuery())).items).toEqual([])
    }
  })

  it('sees neither its unit nor its templates', async () => {
    const template = await makeTemplate(fixture)
    expect(await codeOf(getTemplate(fixture.services, fixture.otherProducer, template))).toBe('not_found')
    expect(await codeOf(getUnit(fixture.services, fixture.otherProducer, fixture.unit.id))).toBe('not_found')
  })
})

describe('the people of an individual audience', () => {
  it('are shown to approvers and to its author with the right; to others, their number', async () => {
    const author = { ...fixture.producer, keyId: 'author', individualTargeting: true }
    const uids = ['student-1', 'student-2']
    const id = await createDraft(fixture, { audience: { kind: 'individual', uids } }, author)
    const shownTo = async (by: Principal) => (await getMessage(fixture.services, by, id)).audience
    const all = { kind: 'individual', count: 2, uids }
    expect(await shownTo(author)).toEqual(all)
    expect(await shownTo(fixture.approver)).toEqual(all)
    const others: Principal[] = [
      fixture.editor,
      fixture.producer,
      { ...fixture.producer, keyId: 'other', individualTargeting: true },
      { ...author, individualTargeting: false },
    ]
    for (const by of others) expect(await shownTo(by)).toEqual({ kind: 'individual', count: 2 })
  })

  it('are in nothing else that an editor reads about it', async () => {
    const author = { ...fixture.producer, keyId: 'author', individualTargeting: true }
    const audience = { kind: 'individual' as const, uids: ['student-7'] }
    const id = await createSubmitted(fixture, { audience, kind: 'broadcast' }, author)
    const views = [
      await getMessage(fixture.services, fixture.editor, id),
      await listMessages(fixture.services, fixture.editor, listQuery()),
      await listAudit(fixture.db, fixture.editor, { scope: 'unit', limit: 200 }),
      await dryRun(fixture.services, fixture.editor, id),
      await cancelMessage(fixture.services, fixture.editor, id),
    ]
    expect(JSON.stringify(views)).not.toContain('student-7')
  })
})

describe('the text of a personal message', () => {
  it.each([
    ['individuals', { audience: { kind: 'individual' as const, uids: ['student-1'] } }],
    ['a query', { kind: 'personal' as const }],
  ])('to %s is shown to its author and to approvers, and to no one else in the unit', async (_, body) => {
    const author = { ...fixture.producer, keyId: 'author', individualTargeting: true }
    const id = await createDraft(fixture, body, author)
    const contentFor = async (by: Principal) => {
      const { kind, content } = await getMessage(fixture.services, by, id)
      expect(kind).toBe('personal')
      return content
    }
    expect(await contentFor(author)).not.toBeNull()
    expect(await contentFor(fixture.approver)).not.toBeNull()
    expect(await contentFor(fixture.editor)).toBeNull()
    expect(await contentFor(fixture.producer)).toBeNull()
  })

  it('is not in the title that others see: they see its category', async () => {
    const author = { ...fixture.producer, keyId: 'author', individualTargeting: true }
    const audience = { kind: 'individual' as const, uids: ['student-1'] }
    const messages = [{ kind: 'text' as const, text: { 'zh-TW': '您的成績：61 分' } }]
    const id = await createDraft(fixture, { audience, messages }, author)
    const titlesFor = async (by: Principal) => {
      const [item] = (await listMessages(fixture.services, by, listQuery({ limit: 1 }))).items
      return [(await getMessage(fixture.services, by, id)).title, item!.title]
    }
    for (const by of [author, fixture.approver])
      expect(await titlesFor(by)).toEqual([messages[0]!.text, messages[0]!.text])
    for (const by of [fixture.editor, fixture.producer])
      expect(JSON.stringify(await titlesFor(by))).not.toContain('61')
  })
})
