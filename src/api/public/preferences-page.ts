import { channelFacts } from '../../channels/facts/by-channel.ts'
import { channels, type Locale, locales } from '../../contract/enums.ts'
import type { CategoryChoice, Choices, TopicChoice } from '../../db/queries/subject/preference.ts'
import { localise } from '../../domain/content/localise.ts'
import { html, type Markup } from '../../html/markup.ts'
import type { LinkView } from '../../services/links/links.ts'
import { box } from '../console/kit/box.ts'
import type { Page } from '../console/kit/page.ts'
import { type Box, shownField } from './preferences-form.ts'
import { preferenceWords } from './preferences-words.ts'

/**
 * The body of the preferences page: language, categories by channel, topics, and one button that saves them all. A
 * consent can only be withdrawn here: somebody who has the link must not consent for the person
 * (docs/design/links.md).
 */
export function preferencesContent({
  locale,
  choices,
  done,
}: Extract<LinkView, { ask: 'preferences' }>): Pick<Page, 'title' | 'body'> {
  const words = preferenceWords[locale]
  const categories = choices.categories.filter(({ enabled }) => enabled)
  const topics = choices.topics.filter(({ active }) => active)
  const notice = done ? box(locale, 'done', html`<p>${words.done[done]}</p>`) : html``
  const boxes: Box[] = []
  const rows = categories.map((category) => categoryRow(category, locale, boxes))
  const list = topics.length > 0 ? topicList(topics, locale, boxes) : html``
  const form = html`<form method="post" class="choices">
${languages(choices, words.language)}<fieldset><legend>${words.categories}</legend>
${rows}</fieldset>
${list}<input type="hidden" name="shown" value="${shownField(boxes)}"><button class="strong">${words.save}</button>
</form>\n`
  const offers = withdrawable(categories).map((offer) => withdrawForm(offer, categories, locale))
  return { title: words.title, body: [notice, ...offers, html`<p>${words.text}</p>\n`, form] }
}

type Withdrawable = { scope: string; turnedOff: CategoryChoice[] }

/** The consents that the person has given to categories of which they receive nothing any more. */
function withdrawable(categories: CategoryChoice[]): Withdrawable[] {
  const scopes = new Map<string, CategoryChoice[]>()
  for (const category of categories) {
    const { consent, mandatory, channels } = category
    if (!consent?.given || mandatory || channels.some((channel) => category[channel])) continue
    scopes.set(consent.scope, [...(scopes.get(consent.scope) ?? []), category])
  }
  return [...scopes].map(([scope, turnedOff]) => ({ scope, turnedOff }))
}

function withdrawForm(
  { scope, turnedOff }: Withdrawable,
  categories: CategoryChoice[],
  locale: Locale,
): Markup {
  const { consent, list } = preferenceWords[locale]
  const names = (of: CategoryChoice[]) => list(of.map(({ name }) => localise(locale, name)))
  const lost = categories.filter((category) => category.consent?.scope === scope)
  return html`<form method="post" class="offer"><p>${consent.offer(names(turnedOff))}</p>
<p class="quiet">${consent.effect(names(lost))}</p>
<button class="mild" name="withdraw" value="${scope}">${consent.withdraw}</button></form>\n`
}

const languageNames: Record<Locale, string> = { 'zh-TW': '中文', en: 'English' }

function languages({ language }: Choices, legend: string): Markup {
  const options = locales.map((locale) => {
    const radio = html`<input type="radio" name="language" value="${locale}"${checked(locale === language)}>`
    return html`<label class="pick" lang="${locale}">${radio}${languageNames[locale]}</label>\n`
  })
  return html`<fieldset><legend>${legend}</legend><div class="picks">${options}</div></fieldset>\n`
}

/** The boxes that a row shows are added to `boxes`. */
function categoryRow(category: CategoryChoice, locale: Locale, boxes: Box[]): Markup {
  const words = preferenceWords[locale]
  const name = localise(locale, category.name)
  if (category.mandatory)
    return html`<div class="row"><span>${name}</span><span class="quiet">${words.fixed}</span></div>\n`
  if (category.consent?.given === false)
    return html`<div class="row"><span>${name}</span><p class="quiet">${words.needsConsent}</p></div>\n`
  // The same order in every row, unlike the plan's, so that each column is one channel.
  const offered = channels.filter((channel) => category.channels.includes(channel))
  const picks = offered.map((channel) => {
    const { title } = channelFacts[channel].names[locale]
    return checkbox(
      boxes,
      { category: category.id, channel, on: category[channel] },
      title,
      `${name}: ${title}`,
    )
  })
  return html`<div class="row"><span>${name}</span><div class="picks">${picks}</div></div>\n`
}

/** Topics under the name of their unit; `topics` is sorted by unit. */
function topicList(topics: TopicChoice[], locale: Locale, boxes: Box[]): Markup {
  const words = preferenceWords[locale]
  const rows = topics.map(({ id, name, unit, on }, index) => {
    const heading = unit === topics[index - 1]?.unit ? html`` : html`<p class="quiet">${unit}</p>\n`
    return html`${heading}<div class="row">${checkbox(boxes, { topic: id, on }, localise(locale, name))}</div>\n`
  })
  return html`<fieldset><legend>${words.topics}</legend>
${rows}</fieldset>\n`
}

/** A tick is sent as the index of its box among those shown. */
function checkbox(boxes: Box[], box: Box, label: string, spoken = label): Markup {
  const index = boxes.push(box) - 1
  return html`<label class="pick"><input type="checkbox" name="on" value="${String(index)}" aria-label="${spoken}"${checked(box.on)}>${label}</label>\n`
}

function checked(on: boolean): Markup {
  return on ? html` checked` : html``
}
