import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../../../src')

/** Files outside the folders of the channels that name one, by reason. A new one belongs into the channel's folder. */
const naming: Record<string, string[]> = {
  'a table by channel, which the compiler wants complete': ['services/suppression/handle-bounce.ts'],
  'people write, follow and are handed over in the chat alone': [
    'api/auth/id-token.ts',
    'db/queries/event/webhook.ts',
    'db/queries/handoff/address.ts',
    'db/queries/handoff/erase.ts',
    'db/queries/handoff/reply.ts',
    'db/queries/identity/person.ts',
    'db/queries/doctor/scenarios.ts',
    'db/queries/metrics/close-nights.ts',
    'db/queries/metrics/executive.ts',
    'db/queries/pattern/registration.ts',
    'db/queries/scenario-run/turn.ts',
    'db/queries/subject/former-address.ts',
    'services/handoffs/assistant-event.ts',
    'services/handoffs/reply.ts',
    'services/patterns/play.ts',
    'services/scenario-runs/test-run.ts',
    'services/webhooks/chat.ts',
    'services/subjects/last-follow.ts',
  ],
  'links in mails, and addresses that a mail server does not know': [
    'activities/delivery/finish-wave.ts',
    'activities/delivery/park-for-doubt.ts',
    'db/queries/delivery/move-mails.ts',
    'db/queries/message/click.ts',
    'db/queries/scenario-run/linked-turn.ts',
    'db/queries/subject/preference.ts',
    'db/queries/subject/sent-mail.ts',
    'domain/scenario/version-warnings.ts',
    'services/links/links.ts',
    'services/links/start-on-page.ts',
    'services/webhooks/email.ts',
  ],
  'webhooks: a path and a schema for each source': [
    'api/auth/adapter-signature.ts',
    'api/operations/events.ts',
  ],
  'defaults of the command line': ['cli/address.ts', 'cli/category.ts', 'cli/quota.ts'],
  'the e-mail address of a member of staff, which is no channel': [
    'db/queries/identity/session.ts',
    'services/admin/persons.ts',
  ],
}

/** The contract names channels in its list, its previews and its examples; landed migrations stay as they are. */
const free = /^(channels|contract|db\/migrations)\//

const named = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !free.test(file))
  .map((file) => ({ file, code: readFileSync(join(src, file), 'utf8') }))

describe('a channel is named', () => {
  it('by no file that is not listed here with a reason', () => {
    const files = named.filter(({ code }) => /'(chat|email)'/.test(code)).map(({ file }) => file)
    const allFiles = Object.values(naming).flat()
    expect(files.toSorted()).toEqual(allFiles.toSorted())
  })

  it('in no comparison, which would treat a further channel as one of the others', () => {
    const compared = named.filter(({ code }) => /[!=]== '(chat|email)'|'(chat|email)' [!=]==/.test(code))
    expect(compared.map(({ file }) => file)).toEqual([])
  })
})
