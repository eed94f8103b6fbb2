import type { GraphRule } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'

/** What is wrong with a graph, for its author: what it is, and what to do. */
export const graphTexts: { [rule in GraphRule]: (names: Record<string, string>) => LocalisedText } = {
  duplicate_node: () => ({
    'zh-TW': '有兩個步驟使用同一個代碼。請改用不同的代碼。',
    en: 'Two nodes have this id. Give one of them another id.',
  }),
  unknown_node: ({ to }) => ({
    'zh-TW': `沒有「${to}」這個步驟。請新增這個步驟，或改連到其他步驟。`,
    en: `There is no node ${to}. Add it, or use another target.`,
  }),
  cycle: () => ({
    'zh-TW': '從這個步驟往下走會回到它自己。請移除其中一條連線。',
    en: 'A path from this node leads back to it. Remove one of its edges.',
  }),
  unreachable: () => ({
    'zh-TW': '從第一個步驟無法走到這裡。請加上通往它的連線，或移除這個步驟。',
    en: 'The node cannot be reached from the first node. Add an edge to it, or remove it.',
  }),
  dead_end: () => ({
    'zh-TW': '這個步驟之後沒有下一步。請加上連線，或改為「結束」。',
    en: 'Nothing follows this node. Add an edge, or an end node.',
  }),
  missing_edge: ({ case: when }) => ({
    'zh-TW': `這個步驟少了一條連線：${when}。請加上。`,
    en: `The node lacks an edge for the case ${when}. Add it.`,
  }),
  duplicate_edge: ({ case: when }) => ({
    'zh-TW': `同一種情況有兩條連線：${when}。請移除其中一條。`,
    en: `Two edges are for the case ${when}. Remove one.`,
  }),
  wrong_edge: ({ kind, case: when }) => ({
    'zh-TW': `「${kind}」步驟不會出現這種情況：${when}。請移除這條連線。`,
    en: `A ${kind} node never has the case ${when}. Remove the edge.`,
  }),
  unknown_option: ({ option }) => ({
    'zh-TW': `這個問題沒有「${option}」這個選項。請改用題目中的選項代碼。`,
    en: `The question has no option ${option}. Use the id of an existing option.`,
  }),
  duplicate_option: ({ option }) => ({
    'zh-TW': `這個問題有兩個選項使用代碼「${option}」。請改用不同的代碼。`,
    en: `Two options of the question have the id ${option}. Give one of them another.`,
  }),
  no_answer: () => ({
    'zh-TW': '這個問題無法回答：它沒有選項，也沒有供文字回答使用的連線。請加上其中一種。',
    en: 'The question cannot be answered: it has no option, and no edge for a text. Add one of them.',
  }),
  wrong_place: ({ what }) => ({
    'zh-TW': `「${what}」不能放在這裡：register 只用於報名產生的情境，nextNode 按鈕只用於問題，interest: 與 source: 以外的標籤只限行政單位。`,
    en: `${what} is not allowed here: register belongs to scenarios of patterns, nextNode buttons to questions, tags other than interest: and source: to administrative units.`,
  }),
  reserved_name: ({ name }) => ({
    'zh-TW': `「${name}」由系統提供，不能當作變數名稱。請改用其他名稱。`,
    en: `${name} is filled by Carillon and cannot be a variable here. Choose another name.`,
  }),
  jump_reach: () => ({
    'zh-TW': `這些跳轉會通往超過 ${limits.scenariosLedTo} 個情境，無法算出一次開始最多要送出多少。請移除其中一些，或把共用的部分合併成一個情境。`,
    en: `The jumps lead to more than ${limits.scenariosLedTo} scenarios, so that nobody can say what one start costs at most. Remove some, or make one scenario of what several share.`,
  }),
  jump_circle: ({ names }) => ({
    'zh-TW': names
      ? `這個跳轉會經由${names.replaceAll('“', '「').replaceAll('”', '」').replaceAll(' → ', '、')}又回到這個情境，途中不需要對方回答任何問題，開始一次就會不斷推播。請在途中加上問題，或移除其中一個跳轉。`
      : '這個跳轉會回到同一個情境，途中不需要對方回答任何問題，開始一次就會不斷推播。請先問一個問題，再由回答連到這個跳轉，或移除它。',
    en: names
      ? `This jump comes back to this scenario through ${names} without an answer of the person, so one start would send pushes endlessly. Add a question on the path, or remove a jump.`
      : 'This jump comes back to this scenario without an answer of the person, so one start would send ' +
        'pushes endlessly. Reach it from an answer, or remove it.',
  }),
}
