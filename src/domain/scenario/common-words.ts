import { folded } from './question.ts'

/**
 * What people write who do not know whom they write to, in both languages. A keyword starts one scenario in the whole
 * installation, so that only an administrative unit may claim these for it (docs/design/scenarios.md).
 */
export const commonWords: readonly string[] = [
  ...['help', 'hello', 'hi', 'start', 'menu', 'info', 'contact', 'agent', 'human', 'settings', 'unsubscribe'],
  ...[
    'emergency',
    '幫助',
    '協助',
    '求助',
    '說明',
    '你好',
    '您好',
    '開始',
    '選單',
    '資訊',
    '聯絡',
    '客服',
    '真人',
  ],
  ...['人工', '設定', '退訂', '緊急'],
]

/** Whether a keyword is one of them, whatever its case, width, spaces and punctuation; signs alone, as `?`, are. */
export function isCommonWord(keyword: string): boolean {
  const bare = folded(keyword).replaceAll(/[\p{P}\s]+/gu, '')
  return bare === '' || commonWords.includes(bare)
}
