import type { CalendarEntry } from '../../contract/messages/calendar.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Violation } from '../audience/audience.ts'
import {
  type ActionReference,
  actionGroups,
  joinedGroups,
  jumpedScenarios,
  mutedCategories,
} from './actions.ts'
import { clip } from './graphemes.ts'
import { invisibleIn } from './invisible-text.ts'
import { linksOf, parseLight } from './light.ts'
import { withoutValueMarks } from './light-values.ts'
import type { TemplateText } from './render.ts'
import { mapTexts } from './texts.ts'

/** The most characters of an id that a message repeats. */
const shownLength = 100

/** The violations of a content on every channel: characters that deceive its readers, and options that look the same. */
export function contentViolations(content: TemplateText): Violation[] {
  const violations: Violation[] = []
  mapTexts(content, (text, path, use) => {
    if (use === 'url') violations.push(...linkViolations(text, path))
    else if (use === 'text') violations.push(...hidden(text, path))
    else {
      violations.push(...hidden(withoutValueMarks(text), path))
      violations.push(...linksOf(parseLight(text)).flatMap((url) => linkViolations(url, path)))
    }
    return text
  })
  return [...violations, ...optionIds(content.messages).flatMap(duplicates)]
}

/** The violations of the texts of a calendar entry. */
export function calendarViolations({
  title,
  location,
}: Pick<CalendarEntry, 'title' | 'location'>): Violation[] {
  return Object.entries({ title, location }).flatMap(([field, text]) =>
    Object.entries(text ?? {}).flatMap(([locale, value]) => hidden(value, `calendar.${field}.${locale}`)),
  )
}

function hidden(text: string, path: string): Violation[] {
  const character = invisibleIn(text)
  return character ? [invisibleCharacter(path, character)] : []
}

function linkViolations(url: string, path: string): Violation[] {
  return [...hidden(decoded(url), path), ...(hasUserinfo(url) ? [userinfo(path)] : [])]
}

/** The URL as a browser may show it. */
function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** Whether a URL has a user name or a password before its host, which readers take for the host. */
function hasUserinfo(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

/** The ids of the options of each question: of a quick reply, and of the `nextNode` actions of a message or card. */
function optionIds(messages: readonly CanonicalMessage[]): ActionReference[][] {
  const replies = messages.map((message, n) =>
    message.kind === 'quickReply'
      ? message.options.map(({ id }, m) => ({ path: `messages[${n}].options[${m}].id`, id }))
      : [],
  )
  const nodes = actionGroups(messages).map((group) =>
    group.flatMap(({ path, action }) =>
      action.kind === 'nextNode' && action.optionId !== undefined
        ? [{ path: `${path}.optionId`, id: action.optionId }]
        : [],
    ),
  )
  return [...replies, ...nodes]
}

function duplicates(options: ActionReference[]): Violation[] {
  const ids = options.map(({ id }) => id)
  return options
    .filter(({ id }, index) => ids.indexOf(id) !== index)
    .map(({ path, id }) => ({
      path,
      code: 'duplicate_option',
      message: {
        'zh-TW': `這個問題已有選項使用代碼「${shortId(id)}」。請改用其他代碼，否則無法分辨收件人選了哪一個。`,
        en: `Another option of this question has the id ${shortId(id)}. Choose another id: answers to the two could not be told apart.`,
      },
    }))
}

/** The ids in actions that must exist. */
export function referencesIn(messages: readonly CanonicalMessage[]): {
  categories: ActionReference[]
  groups: ActionReference[]
  scenarios: ActionReference[]
} {
  return {
    categories: mutedCategories(messages),
    groups: joinedGroups(messages),
    scenarios: jumpedScenarios(messages),
  }
}

/** The violation of an action, or of a node, that names what does not exist. */
export function unknownTarget({ path, id }: ActionReference, what: keyof typeof unknownTexts): Violation {
  return { path, code: 'unknown_reference', message: unknownTexts[what](shortId(id)) }
}

const unknownTexts = {
  category: (id: string) => ({
    'zh-TW': `沒有「${id}」這個類別。請改用 GET /v1/categories 列出的類別，或移除它。`,
    en: `There is no category ${id}. Use one that GET /v1/categories lists, or remove it.`,
  }),
  group: (id: string) => ({
    'zh-TW': `這個單位沒有「${id}」這個靜態群組。請改用 GET /v1/groups 列出的群組，或移除它。`,
    en: `The unit has no static group ${id}. Use one that GET /v1/groups lists, or remove it.`,
  }),
  scenario: (id: string) => ({
    'zh-TW': `這個單位沒有「${id}」這個情境。請改用 GET /v1/scenarios 列出的情境，或移除它。`,
    en: `The unit has no scenario ${id}. Use one that GET /v1/scenarios lists, or remove it.`,
  }),
}

/** What an author should know about a content that can be sent as it is: actions that lead nowhere. */
export function contentWarnings(messages: readonly CanonicalMessage[]): Violation[] {
  return actionGroups(messages)
    .flat()
    .filter(({ action: { kind } }) => kind === 'nextNode')
    .map(({ path }) => ({
      path,
      code: 'no_scenario',
      message: {
        'zh-TW': '這個按鈕會進入情境，但這則訊息不屬於任何情境。收件人按下後，只會記錄他的回答。',
        en: 'This button leads into a scenario, but the message is not part of one. A tap is only recorded as an answer.',
      },
    }))
}

/** A button that begins a scenario which starts nothing now. */
export function inactiveScenario(path: string): Violation {
  return {
    path,
    code: 'scenario_not_active',
    message: {
      'zh-TW':
        '這個按鈕要開始的情境目前沒有生效，按下的人只會讀到「這項服務目前沒有開放」。請先啟用那個情境。',
      en: 'The scenario of this button is not active: who taps it only reads that it is not available. Activate it first.',
    },
  }
}

function invisibleCharacter(path: string, character: string): Violation {
  return {
    path,
    code: 'invisible_character',
    message: {
      'zh-TW': `這裡含有看不見的控制字元 ${character}，可能讓讀者看到不同的內容。請移除。`,
      en: `This contains the invisible control character ${character}, which can change what readers see. Remove it.`,
    },
  }
}

function userinfo(path: string): Violation {
  return {
    path,
    code: 'userinfo_in_link',
    message: {
      'zh-TW': '網址的主機名稱前含有使用者名稱或密碼，讀者會誤認目的地。請移除「@」和它前面的部分。',
      en: 'The URL has a user name or a password before its host, which readers take for the destination. Remove it and the @.',
    },
  }
}

function shortId(id: string): string {
  return clip(id, shownLength)
}
