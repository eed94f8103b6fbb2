import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../../../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(src, name), 'utf8') }))
const filesWith = (pattern: RegExp) =>
  files.flatMap(({ name, text }) => (pattern.test(text) ? [name] : [])).sort()

/** docs/design/approvals.md: a place more is a decision, not a slip. */
describe('a text that leaves', () => {
  it.each([
    [
      'by an approval',
      /Cleared\.byApproval\(/,
      [
        'activities/delivery/call-batch.ts',
        'activities/delivery/recipient-batch.ts',
        'services/links/links.ts',
        'services/links/read-page.ts',
        'services/recipients/acknowledge.ts',
        'services/scenario-runs/clear-turn.ts',
      ],
    ],
    [
      'by a member',
      /Cleared\.byMember\(/,
      ['services/messages/test-send.ts', 'services/scenario-runs/clear-turn.ts'],
    ],
    [
      'by the product',
      /Cleared\.byProduct\(/,
      [
        'services/notices/button-mail.ts',
        'services/recipients/acknowledge.ts',
        'services/scenario-runs/clear-turn.ts',
      ],
    ],
    [
      'of the product by mail',
      /\bbuttonMail\(/,
      [
        'services/notices/author-mail.ts',
        'services/notices/button-mail.ts',
        'services/notices/handoff-mail.ts',
        'services/notices/mail.ts',
      ],
    ],
  ])('is cleared %s in these places alone', (_, pattern, places) => {
    expect(filesWith(pattern)).toEqual(places)
  })

  it.each([
    ['the chat provider', /\/v2\/bot\/message\/\$/, ['channels/chat/send.ts']],
    ['a mail server', /\bmailer\.send\(/, ['channels/email/connect.ts', 'channels/email/mailing.ts']],
  ])('reaches %s through one place', (_, pattern, places) => {
    expect(filesWith(pattern)).toEqual(places)
  })
})
