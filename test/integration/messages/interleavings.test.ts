import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { getUnit } from '../../../src/services/identity/unit.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { editMessage } from '../../../src/services/messages/edit.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import {
  cancelMessage,
  pauseMessage,
  rejectMessage,
  resumeMessage,
  withdrawMessage,
} from '../../../src/services/messages/transitions.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import {
  automaticParts,
  codeOf,
  createDraft,
  forMessages,
  makeTemplate,
} from '../../fixtures/message-fixture.ts'

let template: string
const { fresh, fixture } = forMessages()
beforeAll(async () => {
  template = await makeTemplate(fixture, { approved: true })
  await fresh.db.updateTable('quota_default').set({ monthly_limit: 1_000_000 }).execute()
})

const verbs = {
  // Another text each time: an edit that changes nothing makes no version.
  edit: (id: string) => {
    const messages = [{ kind: 'text' as const, text: { 'zh-TW': randomUUID() } }]
    return editMessage(fixture.services, fixture.editor, id, { messages })
  },
  submit: (id: string) => submitMessage(fixture.services, fixture.producer, id),
  approve: (id: string) => approveMessage(fixture.services, fixture.approver, id),
  check: (id: string) => approveMessage(fixture.services, fixture.producer, id),
  reject: (id: string) => rejectMessage(fixture.services, fixture.both, id, { reason: 'x' }),
  withdraw: (id: string) => withdrawMessage(fixture.services, fixture.editor, id),
  cancel: (id: string) => cancelMessage(fixture.services, fixture.producer, id),
  pause: (id: string) => pauseMessage(fixture.services, fixture.producer, id),
  resume: (id: string) => resumeMessage(fixture.services, fixture.producer, id),
}
type Verb = keyof typeof verbs

const everyVerb = Object.keys(verbs) as Verb[]
const refusals = ['invalid_transition', 'self_approval', 'ok']

it('ends in a legal state with an exact ledger, whatever is requested concurrently', async () => {
  const storm = fc.array(fc.constantFrom<Verb>('submit', 'approve', 'check', 'cancel', ...everyVerb), {
    minLength: 2,
    maxLength: 8,
  })
  let expected = 0
  await fc.assert(
    fc.asyncProperty(storm, async (requests) => {
      const id = await createDraft(fixture, automaticParts(template))
      const codes = await Promise.all(requests.map((verb) => codeOf(verbs[verb](id))))
      for (const code of codes) expect(refusals).toContain(code)

      const { state, timeline } = await getMessage(fixture.services, fixture.producer, id)
      if (state === 'approved' || state === 'paused') expected += 10
      const answered = requests.filter((_, n) => codes[n] === 'ok').length
      expect(timeline).toHaveLength(1 + answered)
    }),
    { numRuns: 150 },
  )
  const { ledger } = await getUnit(fixture.services, fixture.producer, fixture.unit.id)
  expect(ledger.find(({ channel }) => channel === 'chat')?.reserved).toBe(expected)
  const broken = await brokenInvariants(fresh.db, { runs: false })
  expect(broken).toEqual([])
})
