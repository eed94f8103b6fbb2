import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, expectTypeOf, it } from 'vitest'
import type * as published from '../../../client/src/types.ts'
import { typesOfContract } from '../../../client/types-of-contract.ts'
import type { CreateMessage } from '../../../src/contract/messages/create.ts'
import type { MessageDetail } from '../../../src/contract/messages/detail.ts'
import type { Template } from '../../../src/contract/templates/template.ts'

it('the types of the client library are those of the contract (npm run types -w client)', () => {
  const file = readFileSync(resolve(import.meta.dirname, '../../../client/src/types.ts'), 'utf8')
  expect(bare(file)).toBe(bare(typesOfContract()))
})

it('the library’s requests and responses match the service’s contract', () => {
  expectTypeOf<published.CreateMessage>().toExtend<CreateMessage>()
  expectTypeOf<CreateMessage>().toExtend<published.CreateMessage>()
  expectTypeOf<MessageDetail>().toExtend<published.MessageDetail>()
  expectTypeOf<Template>().toExtend<published.Template>()
})

/** A text without white space, quotes, commas and other layout. */
function bare(text: string): string {
  return text
    .replaceAll(/[\s'"]/g, '')
    .replaceAll(/([=:<])\|/g, '$1')
    .replaceAll(',', '')
}
