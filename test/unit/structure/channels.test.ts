import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../../../src')

/** Places that look at one channel alone, and would be right for a third one without a change. */
const ofOneChannel = [
  // The links of a mail are checked for the approver as they stand in it.
  'services/approvals/messages.ts',
  // Only chat content is several calls, each of which costs.
  'api/pages/approvals/message-facts.ts',
]

it('no code asks whether a channel is chat or mail: a table by channel would not compile without a third one', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^(channels|db\/migrations)\//.test(name))
    .filter((name) => /[=!]== '(chat|email)'/.test(readFileSync(join(src, name), 'utf8')))
  expect(files.toSorted()).toEqual(ofOneChannel.toSorted())
})
