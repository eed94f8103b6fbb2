import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inGroups, mailerTo, mailTo, type Script, scripted } from '../../fixtures/mailbox.ts'

/** What the server does with a recipient: where it answers what. */
const fates: Record<string, { at: 'RCPT' | 'DATA' | 'DOT'; answer: string }[]> = {
  accepted: [],
  unknown: [{ at: 'RCPT', answer: '550 5.1.1 unknown' }],
  // A server may wait for the mail of nobody (RFC 2920, 3.1).
  'unknown, and it waits for the mail': [
    { at: 'RCPT', answer: '550 5.1.1 unknown' },
    { at: 'DATA', answer: '354 go on' },
    { at: 'DOT', answer: '554 5.5.1 no valid recipients' },
  ],
  greylisted: [{ at: 'RCPT', answer: '451 4.7.1 greylisted' }],
  'refused at DATA': [{ at: 'DATA', answer: '554 5.7.0 no' }],
  'refused at the end': [{ at: 'DOT', answer: '554 5.6.0 content' }],
  'cut at RCPT': [{ at: 'RCPT', answer: '!250 Ok' }],
  'cut at DATA': [{ at: 'DATA', answer: '!354 go on' }],
  'closing at the end': [{ at: 'DOT', answer: '!421 4.3.2 closing' }],
}
const names = Object.keys(fates)

/** The fate of a recipient is in the address: `f3.7@example.edu` has the third one. */
function scriptOf(grouped: boolean): Script {
  const replyAt = (at: 'RCPT' | 'DATA' | 'DOT', usual: string) => (to: string) =>
    fates[names[Number(to[1])]!]!.find((one) => one.at === at)?.answer ?? usual
  // A server that refused the recipient refuses the mail, unless its fate says otherwise.
  const data = (to: string) => {
    const refused = /^[45]/.test(replyAt('RCPT', '250 Ok')(to)) ? '503 5.5.1 no recipients' : '354 go on'
    return replyAt('DATA', refused)(to)
  }
  return {
    ...(grouped ? inGroups : {}),
    RCPT: replyAt('RCPT', '250 Ok'),
    DATA: data,
    DOT: replyAt('DOT', '250 Ok'),
  }
}

it('whatever a server does with each recipient, each outcome is what became of that mail', async () => {
  const mail = fc.integer({ min: 0, max: names.length - 1 })
  const mostly = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: mail })
  await fc.assert(
    fc.asyncProperty(
      fc.array(mostly, { minLength: 1, maxLength: 60 }),
      fc.boolean(),
      async (batch, grouped) => {
        const server = await scripted(scriptOf(grouped))
        const mails = batch.map((fate, n) =>
          mailTo(`f${fate}.${n}@example.edu`, { body: `.\r\nfor ${n}\r\n` }),
        )
        const outcomes = await mailerTo(server.port).send(mails)
        expect(outcomes).toHaveLength(batch.length)
        for (const [n, { to, bytes }] of mails.entries()) {
          const copies = server.mails.filter((one) => one.to === to)
          const name = names[batch[n]!]!
          const outcome = outcomes[n]!
          if (outcome.kind === 'accepted') expect([name, copies.length]).toEqual(['accepted', 1])
          else expect([name, copies.length, outcome]).toEqual([name, 0, expect.anything()])
          if (outcome.kind === 'refused') expect(['unknown', 'refused']).toContain(name.split(/[ ,]/)[0])
          if (outcome.kind === 'unavailable') expect(outcome.certain).toBe(true)
          for (const { text } of copies)
            expect(`${text}\r\n`).toBe(bytes.toString().replaceAll(/^\./gm, '..'))
        }
      },
    ),
    { numRuns: 150 },
  )
})
