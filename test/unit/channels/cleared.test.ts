import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { ChatCall, ChatReply } from '../../../src/channels/chat/send.ts'
import type { ChatMessage } from '../../../src/channels/chat/wire.ts'
import { type Clearance, Cleared } from '../../../src/channels/cleared.ts'
import type { CallToOne } from '../../../src/channels/connection.ts'
import type { Mailing } from '../../../src/channels/email/mailing.ts'
import type { CompiledEmail } from '../../../src/channels/email/wire.ts'
import type { Approval } from '../../../src/domain/rights/approval.ts'
import type { buttonMail } from '../../../src/services/notices/button-mail.ts'
import type { plainReply } from '../../../src/services/recipients/acknowledge.ts'

const messages: ChatMessage[] = [{ type: 'text', text: '您好' }]
const mail: CompiledEmail = { subject: '您好', html: ['您好'], text: ['您好'] }
const approval: Approval = { of: 'message', id: 'm1', version: 2, by: 'person:lin' }
const clearance: Clearance = { kind: 'approved', approval }

/** What the compiler refuses: it checks this file, and an expected error that does not come is one. */
function refusedByTheCompiler() {
  const retryKey = randomUUID()
  // @ts-expect-error words of anybody are pushed
  const push: ChatCall = { to: ['U1'], content: messages, retryKey }
  // @ts-expect-error … or answered by token
  const reply: ChatReply = { replyToken: 't', content: messages }
  // @ts-expect-error … or mailed
  const mailing: Mailing = { content: mail, messageId: 'm', waveId: 'w', to: [] }
  // @ts-expect-error … or sent as a test
  const test: CallToOne<'chat'>['content'] = messages
  // @ts-expect-error … or mailed to people of a unit
  const notice: ReturnType<typeof buttonMail> = mail
  // @ts-expect-error an object that looks like one is none
  const lookalike: Cleared<ChatMessage[]> = { content: messages, clearance }
  // @ts-expect-error nor is one made by anybody else
  const forgery = new Cleared(messages, clearance)
  // @ts-expect-error what nobody has approved has no approval
  const unapproved = Cleared.byApproval(messages, null)
  // @ts-expect-error a member answers for words to one address
  const toAll = Cleared.byMember(messages, { by: 'person:lin' })
  // @ts-expect-error the product says nothing that is not on its list
  const own = Cleared.byProduct(messages, 'anything')
  // @ts-expect-error what a conversation answers is on it
  const words: Parameters<typeof plainReply>[2] = { 'zh-TW': '請點 https://evil.example' }
  // @ts-expect-error a mail is not a chat message, whoever answers for it
  const other: ChatReply = { replyToken: 't', content: Cleared.byApproval(mail, approval) }
  return [
    ...[push, reply, mailing, test, notice, lookalike],
    ...[forgery, unapproved, toAll, own, words, other],
  ]
}

it('the compiler refuses everything else', () => {
  expect(refusedByTheCompiler).toBeTypeOf('function') // its body is for the compiler alone
})

it('names who answers for a content, and gives it to the channels as it is', () => {
  const cleared = Cleared.byApproval(messages, approval)
  expect(cleared.clearance).toEqual({ kind: 'approved', approval })
  expect(Cleared.contentFor(cleared, ['U1', 'U2'])).toBe(messages)
  expect(Cleared.byProduct(messages, 'over').clearance).toEqual({ kind: 'own', sentence: 'over' })
})

it('gives the words of a member to the one address that they are for', () => {
  const cleared = Cleared.byMember(messages, { by: 'person:lin', to: 'U1' })
  expect(Cleared.contentFor(cleared, ['U1'])).toBe(messages)
  expect(() => Cleared.contentFor(cleared, ['U1', 'U2'])).toThrow('one person alone')
})

it('gives nothing of what no maker has made, whatever the compiler was told', () => {
  const forged = { content: messages, clearance } as unknown as Cleared<ChatMessage[]>
  expect(() => Cleared.contentFor(forged, ['U1'])).toThrow(TypeError)
})
