import { beforeAll, describe, expect, it } from 'vitest'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import { changeMembers } from '../../../src/services/groups/change-members.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { forSends, withScriptedProvider } from '../../fixtures/delivery.ts'
import { activityAttempt, runUntilWait, sendInSteps } from '../../fixtures/delivery-steps.ts'
import { groupOf } from '../../fixtures/groups.ts'
import {
  automaticParts,
  codeOf,
  createDraft,
  createSubmitted,
  makeTemplate,
} from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { type PlannedSend, rowsOf } from '../../fixtures/sends.ts'
import { forEachTest } from '../../harness/for-file.ts'
import { expectAccounted } from './accounting.ts'

let template: string
const { database, shared } = forSends()
beforeAll(async () => {
  template = await makeTemplate(shared, { approved: true })
})
const fixture = forEachTest(() => withScriptedProvider(shared))

/** A message to a group, by a key that may not target individuals, which `by` approves. */
async function approvedToGroup(size: number, by: 'check' | 'person') {
  const tag = await addRecipients(database.db, size)
  const uids = Array.from({ length: size }, (_, n) => `${tag}-${n + 1}`)
  const group = await groupOf(fixture, uids)
  const id = await createSubmitted(fixture, {
    ...automaticParts(template),
    audience: { kind: 'query', groups: [group] },
  })
  const approver = by === 'check' ? fixture.producer : fixture.approver
  expect(await approveMessage(fixture.services, approver, id)).toEqual({ approved: true })
  const wave = await selectRow(database.db, 'wave', { message_id: id }, ['id'])
  const keep = (people: number) =>
    changeMembers(fixture.services, fixture.producer, group, { remove: uids.slice(people) })
  return { planned: { id, waveId: wave.id }, keep }
}

const steps = {
  'a wave': ({ id }: PlannedSend) => startWave(fixture.delivery, id),
  'a small wave': (planned: PlannedSend) => sendInSteps(fixture.delivery, activityAttempt(), planned),
}

describe.each(['check', 'person'] as const)('a group approved by a %s that shrinks below five', (by) => {
  it.each(Object.entries(steps))('returns %s to review as individual targeting', async (_, step) => {
    const { planned, keep } = await approvedToGroup(6, by)
    await keep(1)
    await step(planned)
    expect((await rowsOf(fixture, planned)).message).toMatchObject({
      state: 'submitted',
      kind: 'personal',
      review_drift: true,
      review_reason: 'audience_small',
    })
    const { timeline, snapshot } = await getMessage(fixture.services, fixture.approver, planned.id)
    expect(snapshot!.recipients.total).toBe(1)
    expect(timeline.map(({ action, reason }) => [action, reason])).toEqual(
      expect.arrayContaining([
        ['individual_targeting', undefined],
        ['drift', 'audience'],
        ['auto_check', 'audience_small'],
      ]),
    )
    expect(fixture.provider.journal).toEqual([])
    await expectAccounted(fixture, planned)
  })
})

it('is sent once a person approves the few, and no longer by the check', async () => {
  const { planned, keep } = await approvedToGroup(6, 'check')
  await keep(2)
  await startWave(fixture.delivery, planned.id)
  const checked = await approveMessage(fixture.services, fixture.producer, planned.id)
  expect(checked).toEqual({ approved: false, reason: 'audience_small' })
  await approveMessage(fixture.services, fixture.approver, planned.id)
  await sendInSteps(fixture.delivery, activityAttempt(), planned)
  expect(fixture.provider.journal.flatMap(({ to }) => to)).toHaveLength(2)
  expect((await rowsOf(fixture, planned)).message).toMatchObject({ state: 'sent', kind: 'personal' })
})

it('whoever got a message is named again only by those who may target individuals', async () => {
  const tag = await addRecipients(database.db, 1)
  const targeting = { ...fixture.producer, individualTargeting: true }
  const audience = { kind: 'individual' as const, uids: [`${tag}-1`] }
  const first = await createSubmitted(fixture, { ...automaticParts(template), audience }, targeting)
  await approveMessage(fixture.services, targeting, first)
  await runUntilWait(fixture, first)
  const again = await createDraft(fixture, {
    audience: { kind: 'query', history: [{ kind: 'received', messageId: first }] },
  })
  const by = (principal: typeof targeting) => codeOf(submitMessage(fixture.services, principal, again))
  expect(await by(fixture.producer)).toBe('individual_targeting_disabled')
  expect(await by(targeting)).toBe('ok')
})

it('a group that keeps five people is sent as it is', async () => {
  const { planned } = await approvedToGroup(5, 'check')
  await sendInSteps(fixture.delivery, activityAttempt(), planned)
  expect((await rowsOf(fixture, planned)).message).toMatchObject({ state: 'sent', kind: 'broadcast' })
})
