import type { Adapter } from '../adapter.ts'
import { mailAddress } from './address.ts'
import { compileEmail } from './compile.ts'
import { sampleMail } from './sample.ts'
import { compileMailTurn } from './turn.ts'
import { readEmailEvent } from './webhook.ts'

/** Mail. */
export const email: Adapter<'email'> = {
  compile: compileEmail,
  compileTurn: compileMailTurn,
  callsOf: ([mails]) => mails,
  preview: ([[mail]], publicUrl) => sampleMail(mail, publicUrl),
  withoutLinks([[mail]], publicUrl) {
    const { subject, html, text } = sampleMail(mail, publicUrl)
    return [[{ subject, html: [html], text: [text] }]]
  },
  normaliseAddress: mailAddress,
  readEvent: readEmailEvent,
}
