import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '../../../contract/enums.ts'
import { html } from '../../../html/markup.ts'
import { renderPage, showPage } from './page.ts'
import { localeOf } from './reader.ts'
import { kitWords } from './words.ts'

const chinese = {
  title: '找不到這個網頁',
  text: '網址可能打錯了，或網頁已不在這裡。',
  home: '回到首頁',
}
const words: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    title: 'There is no such page',
    text: 'The address may have a typing error, or the page is no longer here.',
    home: 'Go to the start page',
  },
}

/** Answers a browser that opened an address which nothing has. */
export function showNoSuchPage(request: FastifyRequest, reply: FastifyReply): void {
  const locale = localeOf(request)
  const { title, text, home } = words[locale]
  const body = [html`<p>${text}</p>\n`, html`<p><a href="/">${home}</a></p>\n`]
  showPage(reply, renderPage({ lang: kitWords[locale].lang, from: 'Carillon', title, body }))
}
