import { describe, expect, it } from 'vitest'
import { editMessage } from '../../../src/services/messages/edit.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { withdrawMessage } from '../../../src/services/messages/transitions.ts'
import { sendNextNotice } from '../../../src/services/notices/send.ts'
import {
  approve,
  codeOf,
  createDraft,
  createSubmitted,
  forMessages,
  read,
} from '../../fixtures/message-fixture.ts'
import { sendNotices } from '../../fixtures/notice-mails.ts'
import { selectRows } from '../../fixtures/rows.ts'

const { fresh, fixture } = forMessages()
const withdraw = (id: string, by = fixture.editor, version?: number) =>
  withdrawMessage(fixture.services, by, id, { version })
const submit = (id: string) => submitMessage(fixture.services, fixture.editor, id)
const texts = (text: string) => ({ messages: [{ kind: 'text' as const, text: { 'zh-TW': text } }] })

describe('a message that is withdrawn', () => {
  it('is the draft that it was, and is edited, submitted and approved as any other', async () => {
    const draft = await createDraft(fixture, { remindAt: '2098-12-02T00:00:00Z' })
    const { version: _, timeline: __, ...before } = await read(fixture, draft)
    await submit(draft)
    expect(await withdraw(draft)).toEqual({ state: 'draft' })
    const { version, timeline, ...detail } = await read(fixture, draft)
    expect(detail).toEqual(before)
    expect(timeline.map(({ action }) => action)).toEqual(['create', 'submit', 'withdraw'])
    expect(fixture.told.filter(({ id }) => id === draft).at(-1)).toEqual({
      ...{ id: draft, name: 'withdrawn', version },
      by: `person:${fixture.editor.personId}`,
    })

    await editMessage(fixture.services, fixture.editor, draft, texts('改好了'), { ifMatch: version })
    await submit(draft)
    expect(await approve(fixture, draft)).toEqual({ approved: true })
    const { state, content } = await read(fixture, draft)
    expect({ state, content }).toMatchObject({ state: 'approved', content: texts('改好了') })
  })

  it('keeps its authors from approving it', async () => {
    const id = await createSubmitted(fixture, {}, fixture.both)
    await withdraw(id)
    await submit(id)
    expect(await codeOf(approve(fixture, id, fixture.both))).toBe('self_approval')
  })

  it('asks nobody for a decision any more, and is asked for again as another version', async () => {
    await sendNotices(sendNextNotice, fixture.services)
    const id = await createSubmitted(fixture, {}, fixture.editor)
    await withdraw(id)
    expect(await sendNotices(sendNextNotice, fixture.services)).toEqual([])
    await submit(id)
    expect(await sendNotices(sendNextNotice, fixture.services)).not.toEqual([])
  })

  it('is the version that was shown, and none that was decided about', async () => {
    const id = await createSubmitted(fixture)
    const { version } = await read(fixture, id)
    expect(await codeOf(withdraw(id, fixture.editor, version - 1))).toBe('invalid_transition')
    expect(await codeOf(withdraw(id, fixture.otherApprover))).toBe('not_found')
    await approve(fixture, id)
    expect(await codeOf(withdraw(id))).toBe('invalid_transition')
    expect(await codeOf(withdraw(await createDraft(fixture)))).toBe('invalid_transition')
  })

  it('gets one of two that come at once: a withdrawal or an approval', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 20; round += 1) {
      const id = await createSubmitted(fixture)
      const calls = [() => withdraw(id), () => approve(fixture, id), () => withdraw(id)]
      if (round % 2) calls.reverse()
      const codes = await Promise.all(calls.map((call) => codeOf(call())))
      expect(codes.toSorted()).toEqual(['invalid_transition', 'invalid_transition', 'ok'])
      const { state } = await read(fixture, id)
      const waves = await selectRows(fresh.db, 'wave', { message_id: id }, ['state'])
      expect(waves).toHaveLength(state === 'approved' ? 1 : 0)
      outcomes.add(state)
    }
    expect([...outcomes].every((state) => state === 'draft' || state === 'approved')).toBe(true)
  })
})
