import type { Email } from 'postal-mime'
import { html, type Markup } from '../../../src/html/markup.ts'
import type { Language } from '../../language.ts'
import { demoTimeZone as timeZone } from '../../time-zone.ts'
import type { MailItem } from '../store.ts'
import { addresses, recipientOf } from './list.ts'
import { words } from './words.ts'

const style = { dateStyle: 'full', timeStyle: 'medium', timeZone } as const
const whens = {
  en: new Intl.DateTimeFormat('en-GB', style),
  'zh-TW': new Intl.DateTimeFormat('zh-TW', style),
}

/** One mail: side by side at phone and desktop width, as plain text, and its headers. */
export function mailView(
  item: MailItem,
  { html: markup, text, from, replyTo }: Email,
  language: Language,
): Markup {
  const label = words[language]
  const sender = from?.name ? `${from.name} <${from.address}>` : item.from
  const { name, uid } = recipientOf(item.to) ?? {}
  const answers = replyTo?.map(({ address }) => address).join(', ')
  return html`<article>
  <header class="mail__head">
    <h2>${item.subject || label.noSubject}</h2>
    <dl>
      <dt>${label.from}</dt><dd>${sender}</dd>
      ${answers && html`<dt>${label.answers}</dt><dd>${answers}</dd>`}
      <dt>${label.to}</dt><dd>${name && `${name} · ${uid} · `}${addresses(item.to)}</dd>
      <dt>${label.received}</dt><dd><time datetime="${item.at}">${whens[language].format(new Date(item.at))}</time>${!item.replied && html`<span class="badge">${label.cut}</span>`}</dd>
    </dl>
  </header>
  <div class="views">
    <input type="radio" name="view" id="view-html" checked><label for="view-html">${label.rendered}</label>
    <input type="radio" name="view" id="view-text"><label for="view-text">${label.text}</label>
    <input type="radio" name="view" id="view-head"><label for="view-head">${label.headers}</label>
    <a class="raw" href="/mails/${item.seq}/raw">${label.source}</a>
    <section class="view view--html">${markup ? html`${frame(item, 'phone', label.narrow)}${frame(item, 'desk', label.wide)}` : html`<p class="nothing">${label.noHtml}</p>`}</section>
    <section class="view view--text"><pre>${text?.trim() ?? label.noText}</pre></section>
    <section class="view view--head"><table>${Object.entries(item.headers).map(headerRow)}</table></section>
  </div>
</article>`
}

/** A mail is untrusted: its sandboxed frame runs no scripts and cannot reach this page. */
function frame({ seq }: MailItem, kind: 'phone' | 'desk', title: string): Markup {
  return html`<figure class="frame frame--${kind}"><figcaption>${title}</figcaption><iframe src="/mails/${seq}/html" title="${title}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe></figure>`
}

function headerRow([name, value]: [string, string | string[]]): Markup {
  return html`${[value].flat().map((one) => html`<tr><th>${name}</th><td>${one}</td></tr>`)}`
}
