import type { Outcome } from '../../domain/outcome.ts'
import type { DkimSigner } from './dkim.ts'
import type { LinkSigner } from './links.ts'
import { type MailForm, type MailSender, mailForm, type Recipient, writeMail } from './message.ts'
import type { Mail, Mailer } from './send.ts'
import type { CompiledEmail } from './wire.ts'

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
export type MailIdentity = Omit<MailSender, 'messageId' | 'test'> & {
  links: LinkSigner
  dkim: DkimSigner | undefined
}

/**
 * Makes the sender of mailings: writes each recipient's mail and hands it over. Answers one outcome for each, in order;
 * who has no usable address, or whose mail cannot be written, is refused here. Nothing begins while `mayBegin` says no.
 */
export function createMailSender(mailer: Mailer, { links, dkim, ...head }: MailIdentity) {
  // A letter is prepared once for all its batches, and forgotten with it.
  const forms = new WeakMap<CompiledEmail, MailForm>()
  const formOf = ({ letter, messageId, test = false }: Mailing): MailForm | undefined => {
    try {
      const form = forms.get(letter) ?? mailForm(letter, { ...head, messageId, test })
      forms.set(letter, form)
      return form
    } catch {
      return undefined // what it throws may hold what the mail says
    }
  }
  const write = async (form: MailForm, recipient: Recipient, date: Date): Promise<Mail | Refused> => {
    try {
      return (await writeMail(form, recipient, { links, dkim, date })) ?? refused.address
    } catch {
      return refused.content
    }
  }
  return async (mailing: Mailing, mayBegin: () => boolean): Promise<Outcome[]> => {
    const { to, waveId } = mailing
    const form = formOf(mailing)
    if (!form) return to.map(() => refused.content)
    const date = new Date()
    const mails = await Promise.all(to.map((one) => write(form, { ...one, waveId }, date)))
    // Nobody's can be written, though the letter is as it should be: it is our keys.
    if (mails.length > 1 && mails.every((mail) => mail === refused.content))
      return mails.map(() => ({ kind: 'misconfigured', code: 'unwritable', general: true }))
    const outcomes = await mailer.send(mails.filter(isMail), mayBegin)
    return mails.map((mail) => (isMail(mail) ? outcomes.shift()! : mail))
  }
}

type Refused = Extract<Outcome, { kind: 'refused' }>

const refused = {
  address: { kind: 'refused', code: 'bad_address' },
  content: { kind: 'refused', code: 'content' },
} as const satisfies Record<string, Refused>

function isMail(mail: Mail | Refused): mail is Mail {
  return 'bytes' in mail
}
