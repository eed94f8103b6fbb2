import type { MailSentence } from '../../channels/cleared.ts'
import { Cleared } from '../../channels/cleared.ts'
import { htmlPage } from '../../channels/email/html-page.ts'
import type { MailDocument } from '../../channels/email/mail-document.ts'
import { textPage } from '../../channels/email/text-page.ts'
import type { CompiledEmail } from '../../channels/email/wire.ts'
import type { Locale } from '../../contract/enums.ts'

/** Where people switch these mails on and off. */
export const mailSettingsPath = '/mail-settings'
export const mailSettingsLabel: Record<Locale, string> = { 'zh-TW': '郵件通知設定', en: 'Mail settings' }

/**
 * A mail to a person of a unit: a text, and the button that leads on. `reason`: why they receive it. `publicUrl`: without
 * a trailing slash.
 */
export function buttonMail(
  sentence: MailSentence,
  language: Locale,
  publicUrl: string,
  mail: Pick<MailDocument, 'subject' | 'unit' | 'reason'> & {
    text: string
    button: { label: string; to: string }
  },
): Cleared<CompiledEmail> {
  const { text, button, ...head } = mail
  const letter: MailDocument = {
    ...head,
    blocks: [{ kind: 'choices', text, choices: [button], style: 'buttons' }],
    footerLinks: [{ label: mailSettingsLabel[language], to: `${publicUrl}${mailSettingsPath}` }],
  }
  const compiled = {
    subject: letter.subject,
    html: htmlPage(language, letter).pieces,
    text: textPage(letter),
  }
  return Cleared.byProduct(compiled, sentence)
}
