import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '../../../contract/enums.ts'
import { html } from '../../../html/markup.ts'
import { renderPage, showPage } from './page.ts'
import { localeOf, wantsPage } from './reader.ts'
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

/** Answers a person who opened, in a browser, an address that nothing has. False: it is a program, or an operation. */
export function showNoSuchPage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'GET' || request.url.startsWith('/v1/') || !wantsPage(request)) return false
  const locale = localeOf(request)
  const { title, text, home } = words[locale]
  const body = [html`<p>${text}</p>\n`, html`<p><a href="/">${home}</a></p>\n`]
  showPage(reply.code(404), renderPage({ lang: kitWords[locale].lang, from: 'Carillon', title, body }))
  return true
}
