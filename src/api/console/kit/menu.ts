import type { Locale } from '../../../contract/enums.ts'
import type { Session } from '../../../contract/identity/sign-in.ts'
import { limits } from '../../../contract/limits.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { mailSettingsPath } from '../../../services/notices/button-mail.ts'

/** What the pages for people who are signed in are about. */
export const signedInAreas = [
  'home',
  'messages',
  'compose',
  'approvals',
  'patterns',
  'templates',
  'handoffs',
  'results',
  'quota',
  'mailSettings',
] as const
export type SignedInArea = (typeof signedInAreas)[number]

/** Where the pages of each area begin. */
export const areaPaths: Record<SignedInArea, string> = {
  home: '/',
  messages: '/messages',
  compose: '/compose',
  approvals: '/approvals',
  patterns: '/patterns',
  templates: '/templates',
  handoffs: '/handoffs',
  results: '/results',
  quota: '/quota',
  mailSettings: mailSettingsPath,
}

const chinese = {
  skip: '跳到內容',
  menu: '主選單',
  search: '搜尋訊息',
  help: 'API 文件',
  areas: {
    home: '首頁',
    messages: '訊息',
    compose: '撰寫訊息',
    approvals: '待審核',
    patterns: '報名與問卷',
    templates: '範本',
    handoffs: '對話',
    results: '成效',
    quota: '用量',
    mailSettings: '郵件設定',
  } satisfies Record<SignedInArea, string>,
}

const words: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    skip: 'Skip to content',
    menu: 'Main menu',
    search: 'Search messages',
    help: 'API reference',
    areas: {
      home: 'Home',
      messages: 'Messages',
      compose: 'Write',
      approvals: 'Approvals',
      patterns: 'Registrations',
      templates: 'Templates',
      handoffs: 'Handoffs',
      results: 'Results',
      quota: 'Quota',
      mailSettings: 'Mail settings',
    },
  },
}

/** What the person of a session may open, with the page's own area marked, and who they are. */
export function menuOf({ person, units, language }: Session, current: SignedInArea): Markup {
  const { skip, menu, search, help, areas } = words[language]
  const visible = signedInAreas.filter((area) => mayOpen[area](units))
  const links = visible.map(
    (area) =>
      html`<a href="${areaPaths[area]}"${area === current ? html` aria-current="page"` : html``}>${areas[area]}</a>\n`,
  )
  const length = limits.searchLength
  const sought = html`<input type="search" name="q" maxlength="${length}" aria-label="${search}" placeholder="${search}">`
  const find =
    units.length > 0 ? html`<form action="${areaPaths.messages}" role="search">${sought}</form>\n` : html``
  return html`<a class="skip" href="#content">${skip}</a>
<header class="menu">
<span class="brand">Carillon</span>
${find}<nav aria-label="${menu}">
${links}<a href="/docs">${help}</a>
</nav>
<a class="who" href="${areaPaths.home}">${person.name}</a>
</header>\n`
}

/** Pages that show nothing to a person are absent from their menu. */
const mayOpen: Record<SignedInArea, (units: Session['units']) => boolean> = {
  home: () => true,
  messages: isMember,
  compose: edits,
  approvals: approves,
  patterns: isMember,
  templates: isMember,
  handoffs: isMember,
  results: approves,
  quota: isMember,
  mailSettings: () => true,
}

/** Whether they approve in any of their units. */
export function approves(units: Session['units']): boolean {
  return units.some(({ roles }) => roles.includes('approver'))
}

/** Whether they write messages in any of their units. */
function edits(units: Session['units']): boolean {
  return units.some(({ roles }) => roles.includes('editor'))
}

function isMember(units: Session['units']): boolean {
  return units.length > 0
}

/** The name of an area, as its link says it. */
export function areaLabel(locale: Locale, area: SignedInArea): string {
  return words[locale].areas[area]
}

const nouns: Record<SignedInArea, LocalisedText | null> = {
  home: null,
  messages: { 'zh-TW': '這則訊息', en: 'message' },
  compose: null,
  approvals: { 'zh-TW': '這個項目', en: 'item' },
  patterns: { 'zh-TW': '這個報名或問卷', en: 'registration or survey' },
  templates: { 'zh-TW': '這個範本', en: 'template' },
  handoffs: { 'zh-TW': '這段對話', en: 'conversation' },
  results: null,
  quota: null,
  mailSettings: null,
}

/** One of the things that an area lists, for the words of an error; null: its pages are not of a list. */
export function areaNoun(locale: Locale, area: SignedInArea): string | null {
  const noun = nouns[area]
  return noun && localise(locale, noun)
}
