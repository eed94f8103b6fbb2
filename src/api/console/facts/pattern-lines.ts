import type { Locale, PatternType } from '../../../contract/enums.ts'
import type { Pattern } from '../../../contract/patterns/pattern.ts'
import { localise } from '../../../domain/content/localise.ts'
import { dateOf, numberOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'

const chinese = {
  kinds: {
    registration: (title) => `報名：${title}`,
    survey: (title) => `問卷：${title}`,
    rsvp: (title) => `出席調查：${title}`,
  } satisfies Record<PatternType, (title: string) => string>,
  unlimited: '名額不限',
  places: (count: string, rest: string) => `名額 ${count} 人，${rest}`,
  left: (count: string) => `目前剩餘 ${count} 人`,
  waitingList: '額滿後可以候補，有人取消時依序遞補',
  noWaitingList: '額滿後不再接受，也沒有候補',
  until: (moment: string) => `截止時間：${moment}`,
  closed: (moment: string) => `截止時間：${moment}，已截止`,
  organisers: (names: string) => `承辦人（可以看每個人的回覆）：${names}`,
  mayChange: {
    places: '單位之後可以更改截止時間、增加名額，不須再經核准。',
    deadline: '單位之後可以更改截止時間，不須再經核准。',
  },
}

/** Texts about patterns on the pages of approvals. */
const patternWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    kinds: {
      registration: (title) => `Registration: ${title}`,
      survey: (title) => `Survey: ${title}`,
      rsvp: (title) => `RSVP: ${title}`,
    },
    unlimited: 'No limit of places',
    places: (count, rest) => `${count === '1' ? '1 place' : `${count} places`}; ${rest}`,
    left: (count) => `${count} left now`,
    waitingList: 'then a waiting list; when a person withdraws, the next one gets the place',
    noWaitingList: 'registration then closes; there is no waiting list',
    until: (moment) => `Open until ${moment}`,
    closed: (moment) => `Closed since ${moment}`,
    organisers: (names) => `Organisers, who see what each person answers: ${names}`,
    mayChange: {
      places: 'The unit can move the deadline and add places later without another approval.',
      deadline: 'The unit can move the deadline later without another approval.',
    },
  },
}

/** What a pattern is, and its name. */
export function patternTitle(locale: Locale, { type, title }: Pattern): string {
  return patternWords[locale].kinds[type](localise(locale, title))
}

/** What a pattern takes people for: how many, until when, and whether others may wait. */
export function patternLines(locale: Locale, timeZone: string, pattern: Pattern): string[] {
  const words = patternWords[locale]
  const { type, deadline, status, capacity, organisers } = pattern
  const until = status === 'closed' ? words.closed : words.until
  return [
    patternTitle(locale, pattern),
    ...(type === 'survey' ? [] : placesLines(locale, pattern)),
    until(dateOf(locale, timeZone, deadline)),
    ...(organisers.length > 0
      ? [words.organisers(organisers.map(({ name }) => name).join(kitWords[locale].comma))]
      : []),
    words.mayChange[capacity === null ? 'deadline' : 'places'],
  ]
}

function placesLines(locale: Locale, { capacity, left, waitingList }: Pattern): string[] {
  const words = patternWords[locale]
  if (capacity === null) return [words.unlimited]
  const then = waitingList ? words.waitingList : words.noWaitingList
  const leftLines = left === capacity ? [] : [words.left(numberOf(locale, left!))]
  return [words.places(numberOf(locale, capacity), then), ...leftLines]
}
