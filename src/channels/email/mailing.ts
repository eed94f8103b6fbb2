import type { Outcome } from '../../domain/message/outcome.ts'
import { Cleared } from '../cleared.ts'
import type { RecipientCall, Sender } from '../connection.ts'
import type { DkimSigner } from './dkim.ts'
import type { LinkSigner } from './links.ts'
import { type MailForm, type MailSender, mailForm, type Recipient, writeMail } from './message.ts'
import type { Mail, Mailer } from './send.ts'
import type { CompiledEmail } from './wire.ts'

/** One mail of a wave to several recipients, in their language. A test is marked in a header. */
export type Mailing = RecipientCall<'email'>

/** How mails are sent. */
export type MailSending = Sender<'email'>

/** What all mails of an installation have in common. */
type MailIdentity = Omit<MailSender, 'messageId' | 'test'> & {
  links: LinkSigner
  dkim: DkimSigner | undefined
}

/**
 * Creates a function that writes each recipient's mail and sends it. Returns one outcome per recipient, in order; an
 * invalid address or a mail that cannot be written is refused here. No mail is started once `mayBegin` returns false.
 */
export function createMailSender(mailer: Mailer, { links, dkim, ...head }: MailIdentity) {
  // A mail is prepared once for all its batches; a WeakMap releases it together with the compiled mail.
  const forms = new WeakMap<CompiledEmail, MailForm>()
  const formOf = ({ content, messageId, to, test = false }: Mailing): MailForm | undefined => {
    try {
      const addresses = to.map(({ address }) => address)
      const mail = Cleared.contentFor(content, addresses)
      const form = forms.get(mail) ?? mailForm(mail, { ...head, messageId, test })
      forms.set(mail, form)
      return form
    } catch {
      return undefined // the error may contain the text of the mail
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
    // The form is valid, but no recipient's mail can be written: the installation's keys are at fault.
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
