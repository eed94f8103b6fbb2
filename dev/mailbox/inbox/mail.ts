import type { Email } from 'postal-mime'
import { type Html, html } from '../../html.ts'
import type { MailItem } from '../store.ts'
import { addresses } from './list.ts'

const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' })

/** One mail: side by side at phone and desktop width, as plain text, and its headers. */
export function mailView(item: MailItem, { html: markup, text, from }: Email): Html {
  const sender = from?.name ? `${from.name} <${from.address}>` : item.from
  return html`<article>
  <header class="mail__head">
    <h2>${item.subject || '(no subject)'}</h2>
    <dl>
      <dt>From</dt><dd>${sender}</dd>
      <dt>To</dt><dd>${addresses(item.to)}</dd>
      <dt>Received</dt><dd><time datetime="${item.at}">${when.format(new Date(item.at))}</time>${!item.replied && html`<span class="badge">connection cut before the reply</span>`}</dd>
    </dl>
  </header>
  <div class="views">
    <input type="radio" name="view" id="view-html" checked><label for="view-html">Rendered</label>
    <input type="radio" name="view" id="view-text"><label for="view-text">Plain text</label>
    <input type="radio" name="view" id="view-head"><label for="view-head">Headers</label>
    <a class="raw" href="/mails/${item.seq}/raw">Source</a>
    <section class="view view--html">${markup ? html`${frame(item, 'phone', 'Narrow, 360 px')}${frame(item, 'desk', 'Wide')}` : html`<p class="nothing">This mail has no HTML part.</p>`}</section>
    <section class="view view--text"><pre>${text?.trim() ?? 'This mail has no text part.'}</pre></section>
    <section class="view view--head"><table>${Object.entries(item.headers).map(headerRow)}</table></section>
  </div>
</article>`
}

/** A mail is untrusted: its sandboxed frame runs no scripts and cannot reach this page. */
function frame({ seq }: MailItem, kind: 'phone' | 'desk', title: string): Html {
  return html`<figure class="frame frame--${kind}"><figcaption>${title}</figcaption><iframe src="/mails/${seq}/html" title="${title}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe></figure>`
}

function headerRow([name, value]: [string, string | string[]]): Html {
  return html`${[value].flat().map((one) => html`<tr><th>${name}</th><td>${one}</td></tr>`)}`
}
