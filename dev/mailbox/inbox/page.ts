import type { Email } from 'postal-mime'
import { html, type Markup } from '../../../src/html/markup.ts'
import { type Language, languageSwitch } from '../../language.ts'
import type { MailItem } from '../store.ts'
import { type Listing, mailList } from './list.ts'
import { mailView } from './mail.ts'
import { words } from './words.ts'

/** The whole page: the list at the side, and one mail as its recipient sees it. */
export function page(
  list: Listing,
  mail: { item: MailItem; content: Email } | undefined,
  language: Language,
): Markup {
  const text = words[language]
  const { search, before, shown: openSeq } = list
  const query = { to: search, before: before?.toString(), mail: openSeq?.toString() }
  return html`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${text.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/palette.css">
<link rel="stylesheet" href="/inbox.css">
<link rel="stylesheet" href="/mail.css">
<script src="/inbox.js" type="module"></script>
<body>
<aside>
  <header>
    <span class="mark">${envelope}</span>
    <div><h1>${text.title}</h1><p>${text.subtitle}</p></div>
    ${languageSwitch(language, query)}
  </header>
  <form id="search" action="/"><input type="search" name="to" value="${search}" placeholder="${text.search}" aria-label="${text.search}" autocomplete="off" spellcheck="false"></form>
  <nav id="list">${mailList(list, language)}</nav>
  <footer><a href="/journal?since=0">${text.journal}</a><a href="/faults">${text.faults}</a></footer>
</aside>
<main>${mail ? mailView(mail.item, mail.content, language) : html`<p class="empty">${envelope}<span>${text.noneSelected}</span></p>`}</main>
</body>
</html>`
}

const envelope = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><rect x="3.5" y="5.5" width="17" height="13" rx="2.5"/><path d="m4.5 7.5 7.5 6 7.5-6"/></svg>`
