import { htmlPage } from '../../channels/email/html-page.ts'
import type { MailDocument } from '../../channels/email/mail-document.ts'
import { textPage } from '../../channels/email/text-page.ts'
import type { CompiledEmail } from '../../channels/email/wire.ts'
import type { Locale } from '../../contract/enums.ts'

/** A mail to a person of a unit: a text, and the button that leads on. `reason`: why they receive it. */
export function buttonMail(
  language: Locale,
  mail: Pick<MailDocument, 'subject' | 'unit' | 'reason'> & {
    text: string
    button: { label: string; to: string }
  },
): CompiledEmail {
  const { text, button, ...head } = mail
  const letter: MailDocument = {
    ...head,
    blocks: [{ kind: 'choices', text, choices: [button], style: 'buttons' }],
    footerLinks: [],
  }
  return {
    subject: letter.subject,
    html: htmlPage(language, letter).pieces,
    text: textPage(letter),
  }
}
