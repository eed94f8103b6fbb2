import { type Markup, html as tag } from '../../html/markup.ts'
import type { MailLink } from './wire.ts'

/** HTML of a mail: its slots are Carillon's own links, which differ for each recipient. */
export type MailMarkup = Markup<MailLink>

/** Builds HTML of a mail. */
export const html = tag<MailLink>
