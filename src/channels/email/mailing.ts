import type { CompiledEmail } from './compile.ts'
import type { DkimSigner } from './dkim.ts'
import type { LinkSigner } from './links.ts'
import { type Letterhead, type MailForm, mailForm, writeMail } from './message.ts'
import type { MailOutcome } from './outcome.ts'
import type { Mail, Mailer } from './send.ts'

/** One mail to several people: `letter` in their language, from a wave of a message. */
export type Mailing = {
  letter: CompiledEmail
  messageId: string
  waveId: string
  to: { subjectId: string; address: string }[]
  /** Says so in a header. */
  test?: boolean
}

/** What all mails of an installation have in common. */
export type Office = Omit<Letterhead, 'messageId' | 'test'> & {
  links: LinkSigner
  dkim: DkimSigner | undefined
}

/**
 * Makes the sender of mailings: writes each recipient's mail and hands it over. Answers one outcome for each, in order;
 * who has no usable address is refused here. Nothing begins while `mayBegin` says no.
 */
export function mailingSender(mailer: Mailer, { links, dkim, ...head }: Office) {
  // A letter is prepared once for all its batches, and forgotten with it.
  const forms = new WeakMap<CompiledEmail, MailForm>()
  return async (
    { letter, messageId, waveId, to, test = false }: Mailing,
    mayBegin: () => boolean,
  ): Promise<MailOutcome[]> => {
    const form = forms.get(letter) ?? mailForm(letter, { ...head, messageId, test })
    forms.set(letter, form)
    const date = new Date()
    const mails = await Promise.all(
      to.map((one) => writeMail(form, { ...one, waveId }, { links, dkim, date })),
    )
    const outcomes = await mailer.send(mails.filter(isMail), mayBegin)
    return mails.map((mail) => (mail ? outcomes.shift()! : { kind: 'refused', code: 'bad_address' }))
  }
}

function isMail(mail: Mail | null): mail is Mail {
  return mail !== null
}
