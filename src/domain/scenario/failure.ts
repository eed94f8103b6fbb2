import type { LocalisedText } from '../../contract/localised-text.ts'
import type { NodeMessages } from './deliverable-channels.ts'

/** Stands for the node of this sentence, which no node says: no node can have this id. */
export const failureNode = '(failure)'

const text: LocalisedText = {
  'zh-TW': '不好意思，這項服務目前出了點問題，沒辦法繼續。請稍後再試一次。',
  en: 'Sorry, something went wrong here, so this cannot go on. Please try again later.',
}

/** What a run says as its last that fails while its person waits for what it says next. */
export function failureMessages(): NodeMessages[] {
  return [{ node: failureNode, messages: [{ kind: 'text', text }] }]
}
