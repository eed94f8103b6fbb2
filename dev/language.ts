import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, type Markup } from '../src/html/markup.ts'

/** A language of the demo's pages. */
export type Language = 'zh-TW' | 'en'

const names: Record<Language, string> = { 'zh-TW': '中文', en: 'English' }
const cookie = 'carillon_demo_language'

/** The language of a page: as its address or an earlier one says, else the browser's. */
export function languageOf({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language {
  const { lang } = query as { lang?: string }
  const remembered = new RegExp(`${cookie}=(zh-TW|en)`).exec(headers.cookie ?? '')?.[1]
  const wanted = isLanguage(lang) ? lang : remembered
  if (isLanguage(wanted)) return wanted
  return /^zh/i.test(headers['accept-language'] ?? '') ? 'zh-TW' : 'en'
}

/** Remembers the language for the other pages of the demo, whose addresses differ only in the port. */
export function rememberLanguage(reply: FastifyReply, language: Language): void {
  reply.header('set-cookie', `${cookie}=${language}; Path=/; Max-Age=31536000; SameSite=Lax`)
}

/** The link to this page in the other language; `query`: what else its address says. */
export function languageSwitch(language: Language, query: Record<string, string | undefined>): Markup {
  const other: Language = language === 'en' ? 'zh-TW' : 'en'
  const address = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) address.set(name, value)
  address.set('lang', other)
  return html`<a class="language" href="/?${address.toString()}" hreflang="${other}" lang="${other}">${names[other]}</a>`
}

function isLanguage(text: string | undefined): text is Language {
  return text === 'zh-TW' || text === 'en'
}
