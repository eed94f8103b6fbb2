import type { Email } from 'postal-mime'
import { type Html, html } from '../../html.ts'
import type { MailItem } from '../store.ts'
import { type Listing, mailList } from './list.ts'
import { mailView } from './mail.ts'

/** The whole page: the list at the side, and one mail as its recipient sees it. */
export function page(list: Listing, mail: { item: MailItem; content: Email } | undefined): Html {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Mailbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/inbox.css">
<link rel="stylesheet" href="/mail.css">
<script src="/inbox.js" type="module"></script>
<body>
<aside>
  <header>
    <span class="mark">${envelope}</span>
    <div><h1>Mailbox</h1><p>All mail sent by Carillon</p></div>
  </header>
  <form id="search" action="/"><input type="search" name="to" value="${list.search}" placeholder="Recipient" aria-label="Search by recipient" autocomplete="off" spellcheck="false"></form>
  <nav id="list">${mailList(list)}</nav>
  <footer><a href="/journal?since=0">Journal</a><a href="/faults">Faults</a></footer>
</aside>
<main>${mail ? mailView(mail.item, mail.content) : html`<p class="empty">${envelope}<span>No mail selected</span></p>`}</main>
</body>
</html>`
}

const envelope = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><rect x="3.5" y="5.5" width="17" height="13" rx="2.5"/><path d="m4.5 7.5 7.5 6 7.5-6"/></svg>`
