import type { FastifyRequest } from 'fastify'
import { keysOf, type Locale } from '../../../contract/enums.ts'
import { ReturnTo, type Session } from '../../../contract/identity/sign-in.ts'
import { limits } from '../../../contract/limits.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { mailSettingsLabel, mailSettingsPath } from '../../../services/notices/button-mail.ts'
import { pathOf } from './page-address.ts'
import { switchUnitPath, unitIdOf } from './unit-in.ts'
import { kitWords } from './words.ts'

/** Where the switch between languages posts to. */
export const switchLanguagePath = '/language'

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

/** The areas as the menu groups them; the first group has no heading. What is being written is a tab of the messages. */
const groups = {
  home: ['home'],
  messages: ['messages', 'approvals', 'templates'],
  people: ['patterns', 'handoffs'],
  numbers: ['results', 'quota'],
  settings: ['mailSettings'],
} as const satisfies Record<string, readonly SignedInArea[]>

const chinese = {
  skip: '跳到內容',
  menu: '主選單',
  open: '選單',
  search: '搜尋訊息',
  unit: '單位',
  change: '切換',
  /** The other language, in itself. */
  other: { language: 'en', name: 'English' } as { language: Locale; name: string },
  help: 'API 文件',
  groups: {
    home: '',
    messages: '發送',
    people: '往來',
    numbers: '數據',
    settings: '設定',
  } satisfies Record<keyof typeof groups, string>,
  areas: {
    home: '首頁',
    messages: '訊息',
    compose: '撰寫中的訊息',
    approvals: '待審核',
    patterns: '報名與問卷',
    templates: '範本',
    handoffs: '對話',
    results: '成效',
    quota: '用量',
    mailSettings: mailSettingsLabel['zh-TW'],
  } satisfies Record<SignedInArea, string>,
}

const words: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    skip: 'Skip to content',
    menu: 'Main menu',
    open: 'Menu',
    search: 'Search messages',
    unit: 'Unit',
    change: 'Switch',
    other: { language: 'zh-TW', name: '中文' },
    help: 'API reference',
    groups: {
      home: '',
      messages: 'Sending',
      people: 'With people',
      numbers: 'Numbers',
      settings: 'Settings',
    },
    areas: {
      home: 'Home',
      messages: 'Messages',
      compose: 'Being written',
      approvals: 'Approvals',
      patterns: 'Registrations',
      templates: 'Templates',
      handoffs: 'Handoffs',
      results: 'Results',
      quota: 'Quota',
      mailSettings: mailSettingsLabel.en,
    },
  },
}

/**
 * What the person of a session may open, in groups, with the page's own area marked; the unit whose lists they see, to be
 * switched where they have several; and who they are. A narrow window has it behind one button.
 */
export function menuOf(
  { session, locale }: MenuReader,
  current: SignedInArea,
  request: FastifyRequest,
): Markup {
  const { person, units } = session
  const { skip, menu, open, search, help } = words[locale]
  const length = limits.searchLength
  const field = html`<input type="search" name="q" maxlength="${length}" aria-label="${search}" placeholder="${search}">`
  const find =
    units.length > 0
      ? html`<form action="${areaPaths.messages}" role="search" aria-label="${search}">${field}</form>\n`
      : html``
  const reference = session.systemAdmin ? html`<a href="/docs">${help}</a>\n` : html``
  return html`<a class="skip" href="#content">${skip}</a>
<header class="menu">
<span class="brand">Carillon</span>
<button class="mild small" popovertarget="menu">${open}</button>
<div id="menu" popover>
${unitSwitch({ session, locale }, current, unitIdOf(session, request))}${find}<nav aria-label="${menu}">
${keysOf(groups).map((group) => groupOf({ session, locale }, group, current))}${reference}</nav>
<div class="who"><a href="${areaPaths.home}">${person.name}</a>${languageSwitch(locale, current, request)}</div>
</div>
</header>\n`
}

/** Page and mails of a person may be in two languages. */
type MenuReader = { session: Session; locale: Locale }

/** It leads back to the page itself: of a form that was posted, to the page at its address. */
function languageSwitch(locale: Locale, current: SignedInArea, request: FastifyRequest): Markup {
  const { language, name } = words[locale].other
  const address = request.method === 'GET' ? request.url : pathOf(request)
  const to = ReturnTo.safeParse(address).data ?? areaPaths[current]
  const button = html`<button class="mild small" name="language" value="${language}" lang="${kitWords[language].lang}">${name}</button>`
  return html`<form method="post" action="${switchLanguagePath}"><input type="hidden" name="to" value="${to}">${button}</form>`
}

function groupOf({ session, locale }: MenuReader, group: keyof typeof groups, current: SignedInArea): Markup {
  const { groups: headings, areas } = words[locale]
  const open = groups[group].filter((area) => mayOpen[area](session.units))
  if (open.length === 0) return html``
  const heading = headings[group] === '' ? html`` : html`<p class="quiet">${headings[group]}</p>\n`
  const links = open.map((area) => {
    const here = area === (current === 'compose' ? 'messages' : current) ? html` aria-current="page"` : html``
    return html`<a href="${areaPaths[area]}"${here}>${areas[area]}</a>\n`
  })
  return html`${heading}${links}`
}

/** It leads to the list of the area, since what a page shows may be of the other unit alone. */
function unitSwitch(
  { session: { units }, locale }: MenuReader,
  current: SignedInArea,
  unitId: string | null,
): Markup {
  if (units.length < 2) return html``
  const { unit, change } = words[locale]
  const choices = units.map(
    ({ id, name }) => html`<option value="${id}"${id === unitId ? html` selected` : html``}>${name}</option>`,
  )
  return html`<form method="post" action="${switchUnitPath}" class="unit">
<input type="hidden" name="to" value="${areaPaths[current]}">
<select name="unit" aria-label="${unit}">${choices}</select>
<button class="mild small">${change}</button></form>\n`
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
