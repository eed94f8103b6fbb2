import type { ChannelFacts } from '../channel-facts.ts'
import { withPlainLocalPart } from './local-part.ts'

/** Mail: addresses are the same without regard to case and to quotes that are not needed. */
export const emailFacts: ChannelFacts = {
  names: {
    'zh-TW': { title: '電子郵件', inText: '電子郵件', inSummary: '電子郵件' },
    en: { title: 'E-mail', inText: 'e-mail', inSummary: 'Mail' },
  },
  formLetter: 'e',
  outcomePer: 'recipient',
  // What a worker that is killed may leave unknown.
  batchSize: 64,
  lanes: 4,
  longestTryMs: 60_000,
  turnWay: () => 'mail',
  addressIdentity: (address) => withPlainLocalPart(address).toLowerCase(),
  ignoresCase: true,
}
