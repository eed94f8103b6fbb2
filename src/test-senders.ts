import { randomUUID } from 'node:crypto'
import type { ChatClient } from './channels/chat/client.ts'
import { sendChat } from './channels/chat/send.ts'
import type { createMailSender } from './channels/email/mailing.ts'
import type { Outcome } from './domain/message/outcome.ts'
import type { TestSender } from './services/context.ts'

/** Sends test messages by chat, one call after another, until one is not accepted. */
export function createChatTestSender(client: ChatClient): TestSender<'chat'> {
  return async ({ to, parts, retryKeys }) => {
    let outcome: Outcome = { kind: 'accepted' }
    for (const [part, messages] of parts.entries()) {
      outcome = await sendChat(client, { to: [to.address], messages, retryKey: retryKeys[part]! })
      if (outcome.kind !== 'accepted') break
    }
    return outcome
  }
}

/** Sends test messages by mail, each as a mail of its own. */
export function createMailTestSender(send: ReturnType<typeof createMailSender>): TestSender<'email'> {
  return async ({ to, parts: [[mail]], messageId }) => {
    const recipients = [{ subjectId: to.id, address: to.address }]
    const mailing = { mail, messageId, waveId: randomUUID(), to: recipients, test: true }
    const [outcome] = await send(mailing, () => true)
    return outcome!
  }
}
