import { html, type Markup, trusted } from '../../../src/html/markup.ts'
import { personAt } from '../../demo/directory.ts'
import { type Language, languageSwitch } from '../../language.ts'
import { timeOf } from './clock.ts'
import { account } from './conversation.ts'
import { icons } from './icons.ts'
import type { RecentRecipient } from './recent-recipients.ts'
import { type Words, words } from './words.ts'

/** One of the two phones: its owner and its content. */
export type Phone = {
  side: 'left' | 'right'
  locale: 'zh-TW' | 'en'
  id: string
  markup: string
  next: string
  blocked: boolean
}

/** The page's stylesheets, in cascade order; the first has the colours of the palette. */
export const stylesheets = ['palette.css', 'page.css', 'phone.css', 'chat.css', 'cards.css']

/** The people in the side list: recent recipients, or those that a search found. */
export type Listing = { people: ListedPerson[]; search: string }
/** `line`: the last text they received, if it is known. */
export type ListedPerson = Pick<RecentRecipient, 'id' | 'locale'> & Partial<RecentRecipient>

/** The whole page: people at the side, and two phones that show both languages at once. */
export function page(phones: Phone[], listing: Listing, language: Language): Markup {
  const text = words[language]
  const [left, right] = phones.map(({ id }) => id)
  return html`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${text.title}</title>
<link rel="icon" href="data:,">
${stylesheets.map((name) => html`<link rel="stylesheet" href="/${name}">`)}
<script src="/phone.js" type="module"></script>
<body data-silent="${text.silent}" data-refused="${text.refused}" data-unknown="${text.unknown}">
<aside>
  <header>
    <span class="mark">${icons.bell}</span>
    <div><h1>${text.title}</h1><p>${text.subtitle}</p></div>
    ${languageSwitch(language, { left, right, q: listing.search })}
  </header>
  <form id="search" action="/"><input type="search" name="q" value="${listing.search}" placeholder="${text.search}" aria-label="${text.search}" autocomplete="off" spellcheck="false"></form>
  <nav id="recent">${peopleList(listing, language)}</nav>
  <footer><a href="/journal?since=0">${text.journal}</a><a href="/faults">${text.faults}</a></footer>
</aside>
<main>${phones.map((phone) => phoneView(phone, text))}</main>
</body>
</html>`
}

/** The list of people; a click shows one on the phone of their language. */
export function peopleList({ people, search }: Listing, language: Language): Markup {
  const text = words[language]
  if (people.length === 0) return html`<p class="nobody">${search ? text.notFound(search) : text.none}</p>`
  return html`<h2>${search ? text.found : text.recent}</h2>${people.map((person) => entry(person, text))}`
}

function entry({ id, locale, line, at }: ListedPerson, text: Words): Markup {
  const { name, uid } = personAt(id) ?? {}
  return html`<button type="button" class="person" data-id="${id}" data-locale="${locale}" title="${id}">
      <span class="face" style="--hue: ${Number.parseInt(id.slice(1, 5), 16) % 360}">${name?.slice(0, 1) ?? id.slice(1, 3)}</span>
      <span class="person__name">${name ?? short(id)}${uid && html`<b>${uid}</b>`}</span>
      ${at && html`<time datetime="${at}">${timeOf(at)}</time>`}
      <span class="person__line" lang="${locale}">${line ?? text.noMessage}</span>
    </button>`
}

function short(id: string): string {
  return `${id.slice(0, 7)}…${id.slice(-4)}`
}

function phoneView({ side, locale, id, markup, next, blocked }: Phone, text: Words): Markup {
  return html`<section class="phone${blocked && ' phone--blocked'}" data-side="${side}" data-locale="${locale}" data-next="${next}">
    <label class="owner"><span class="owner__name">${ownerName(id) ?? (id && text.unknown)}</span><span class="owner__locale">${locale === 'en' ? 'English' : '中文'}</span><input class="owner__id" name="${side}" value="${id}" placeholder="${text.address}" spellcheck="false" autocomplete="off" aria-label="${text.owner}"></label>
    <div class="shell"><div class="screen">
      <div class="status"><span class="clock">9:41</span><span class="island"></span><span class="status__icons">${icons.signal}${icons.battery}</span></div>
      <div class="title"><span>${icons.back}</span><strong>${account}</strong><button type="button" class="turn" data-act="block">${text.block}</button><button type="button" class="turn" data-act="follow">${text.follow}</button></div>
      <div class="chat" data-empty="${text.nothing}">${trusted(markup)}</div>
      <form class="compose">${icons.plus}<input class="compose__field" name="text" placeholder="Aa" maxlength="5000" autocomplete="off" aria-label="${text.write}"><button class="compose__send" aria-label="${text.send}">${icons.send}</button></form>
    </div></div>
  </section>`
}

/** Name and uid of a person of the demo. */
export function ownerName(id: string): string | undefined {
  const person = personAt(id)
  return person && `${person.name} · ${person.uid}`
}
