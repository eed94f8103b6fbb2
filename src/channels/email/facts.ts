import type { ChannelFacts } from '../channel-facts.ts'
import { withPlainLocalPart } from './local-part.ts'

/** Mail: addresses are the same without regard to case and to quotes that are not needed. */
export const emailFacts: ChannelFacts = {
  names: {
    'zh-TW': {
      title: '電子郵件',
      inText: '電子郵件',
      inSummary: '電子郵件',
      turns: (count) => `以郵件進行時，每人每次最多 ${count} 封`,
    },
    en: {
      title: 'E-mail',
      inText: 'e-mail',
      inSummary: 'Mail',
      turns: (count) =>
        `By mail, at most ${count} ${count === '1' ? 'mail' : 'mails'} for each person and run`,
    },
  },
  formLetter: 'e',
  outcomePer: 'recipient',
  // What a worker that is killed may leave unknown.
  batchSize: 128,
  lanes: 2,
  longestTryMs: 60_000,
  turnWay: () => 'mail',
  addressIdentity: (address) => withPlainLocalPart(address).toLowerCase(),
  ignoresCase: true,
}
