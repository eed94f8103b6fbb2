import { type Html, html } from '../../html.ts'
import { timeOf } from './clock.ts'
import { icons } from './icons.ts'
import type { RecentRecipient } from './recent-recipients.ts'

/** One of the two phones: its owner and its content. */
export type Phone = {
  side: 'left' | 'right'
  locale: 'zh-TW' | 'en'
  id: string
  markup: string
  next: string
  blocked: boolean
}

/** The page's stylesheets, in cascade order. */
export const stylesheets = ['page.css', 'phone.css', 'chat.css', 'cards.css']

/** The whole page: recent recipients at the side, and two phones that show both languages at once. */
export function page(phones: Phone[], recent: RecentRecipient[]): Html {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Chat simulator</title>
<link rel="icon" href="data:,">
${stylesheets.map((name) => html`<link rel="stylesheet" href="/${name}">`)}
<script src="/phone.js" type="module"></script>
<body>
<aside>
  <header>
    <span class="mark">${icons.bell}</span>
    <div><h1>Chat simulator</h1><p>As the recipients see it</p></div>
  </header>
  <h2>Recent recipients</h2>
  <nav id="recent">${recentList(recent)}</nav>
  <footer><a href="/journal?since=0">Journal</a><a href="/faults">Faults</a></footer>
</aside>
<main>${phones.map(phoneView)}</main>
</body>
</html>`
}

/** The list of recent recipients; a click shows one on the phone of their language. */
export function recentList(recent: RecentRecipient[]): Html {
  if (recent.length === 0)
    return html`<p class="nobody">No recipients yet. The recipients of sent messages appear here.</p>`
  return html`${recent.map(
    ({
      id,
      locale,
      line,
      at,
    }) => html`<button type="button" class="person" data-id="${id}" data-locale="${locale}">
      <span class="face" style="--hue: ${Number.parseInt(id.slice(1, 5), 16) % 360}">${id.slice(1, 3)}</span>
      <span class="person__id">${short(id)}<b>${locale}</b></span>
      <time datetime="${at}">${timeOf(at)}</time>
      <span class="person__line" lang="${locale}">${line}</span>
    </button>`,
  )}`
}

function short(id: string): string {
  return `${id.slice(0, 7)}…${id.slice(-4)}`
}

function phoneView({ side, locale, id, markup, next, blocked }: Phone): Html {
  return html`<section class="phone${blocked && ' phone--blocked'}" data-side="${side}" data-locale="${locale}" data-next="${next}">
    <label class="owner"><span class="owner__locale">${locale === 'en' ? 'English' : '中文'}</span><input class="owner__id" name="${side}" value="${id}" placeholder="U + 32 hexadecimal digits" spellcheck="false" autocomplete="off" aria-label="Recipient on the ${side} phone"></label>
    <div class="shell"><div class="screen">
      <div class="status"><span class="clock">9:41</span><span class="island"></span><span class="status__icons">${icons.signal}${icons.battery}</span></div>
      <div class="title"><span>${icons.back}</span><strong>Carillon</strong><button type="button" class="turn" data-act="block">Block</button><button type="button" class="turn" data-act="follow">Follow</button></div>
      <div class="chat">${{ markup }}</div>
      <form class="compose">${icons.plus}<input class="compose__field" name="text" placeholder="Aa" maxlength="5000" autocomplete="off" aria-label="Write to Carillon"><button class="compose__send" aria-label="Send">${icons.send}</button></form>
    </div></div>
  </section>`
}
