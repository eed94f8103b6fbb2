import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, expectTypeOf, it } from 'vitest'
import type * as published from '../../../client/src/types.ts'
import { typesOfContract } from '../../../client/types-of-contract.ts'
import type { CallbackType } from '../../../src/contract/enums.ts'
import { CanonicalMessage } from '../../../src/contract/messages/content.ts'
import { CreateMessage, EditMessage } from '../../../src/contract/messages/create.ts'
import type { MessageDetail } from '../../../src/contract/messages/detail.ts'
import { ScenarioNode } from '../../../src/contract/scenarios/graph.ts'
import { StartRuns } from '../../../src/contract/scenarios/starts.ts'
import { CreateSchedule } from '../../../src/contract/schedules/schedule.ts'
import type { Template } from '../../../src/contract/templates/template.ts'

it('the types of the client library are those of the contract (npm run types -w client)', () => {
  const file = readFileSync(resolve(import.meta.dirname, '../../../client/src/types.ts'), 'utf8')
  expect(bare(file)).toBe(bare(typesOfContract()))
})

it('the library’s requests and responses match the service’s contract', () => {
  expectTypeOf<published.CreateMessage>().toExtend<CreateMessage>()
  expectTypeOf<keyof CreateMessage>().toEqualTypeOf<keyof published.CreateMessage>()
  expectTypeOf<MessageDetail>().toExtend<PossiblyEmpty<published.MessageDetail>>()
  expectTypeOf<Template>().toExtend<PossiblyEmpty<published.Template>>()
})

it('the library knows every callback of the contract', () => {
  expectTypeOf<published.CallbackEvent['type']>().toEqualTypeOf<CallbackType | 'callback.test'>()
})

it('what the service refuses is refused by the compiler', () => {
  const common = { categoryId: 'c', audience: { kind: 'all' } } as const
  const text: published.TextMessage = { kind: 'text', text: { 'zh-TW': '您好' } }
  expectTypeOf({ ...common, templateId: 't', variables: {} }).toExtend<published.CreateMessage>()
  // @ts-expect-error neither of messages and templateId
  const neither: published.CreateMessage = common
  // @ts-expect-error both
  const both: published.CreateMessage = { ...common, templateId: 't', messages: [text] }
  // @ts-expect-error no message
  const empty: published.CreateMessage = { ...common, messages: [] }
  // @ts-expect-error variables are a template's
  const foreign: published.CreateMessage = { ...common, messages: [text], variables: {} }
  // @ts-expect-error both
  const edit: published.EditMessage = { templateId: 't', messages: [text] }
  // @ts-expect-error neither of subjectUids and audience
  const start: published.StartRuns = {}
  // @ts-expect-error nobody
  const nobody: published.StartRuns = { subjectUids: [] }
  // @ts-expect-error neither of message and scenario
  const schedule: published.CreateSchedule = { name: 'n', type: 'once' }
  // @ts-expect-error two times
  const wait: published.WaitNode = { id: 'w', kind: 'wait', seconds: 60, untilVariable: 'at' }
  // @ts-expect-error no button
  const buttons: published.ButtonsMessage = { kind: 'buttons', text: text.text, actions: [] }
  for (const refused of [neither, both, empty, foreign])
    expect(CreateMessage.safeParse(refused).success).toBe(false)
  expect(EditMessage.safeParse(edit).success).toBe(false)
  for (const refused of [start, nobody]) expect(StartRuns.safeParse(refused).success).toBe(false)
  expect(CreateSchedule.safeParse(schedule).success).toBe(false)
  for (const refused of [wait, buttons])
    expect(ScenarioNode.or(CanonicalMessage).safeParse(refused).success).toBe(false)
})

/** The contract's own types do not say that a list has an item. */
type PossiblyEmpty<Value> = Value extends readonly (infer Item)[]
  ? PossiblyEmpty<Item>[]
  : Value extends object
    ? { [Name in keyof Value]: PossiblyEmpty<Value[Name]> }
    : Value

/** A text without white space, quotes, commas and other layout. */
function bare(text: string): string {
  return text
    .replaceAll(/[\s'"]/g, '')
    .replaceAll(/([=:<])\|/g, '$1')
    .replaceAll(',', '')
}
