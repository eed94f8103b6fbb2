import type { ChannelFacts } from '../channel-facts.ts'

/** The chat: an address has one spelling, and a person who has just written is answered for free. */
export const chatFacts: ChannelFacts = {
  names: {
    'zh-TW': {
      title: '聊天',
      inText: '聊天',
      inSummary: '聊天',
      turns: (count) => `每人每次最多 ${count} 則聊天推播，回覆對方剛傳的訊息不計`,
    },
    en: {
      title: 'Chat',
      inText: 'chat',
      inSummary: 'Chat',
      turns: (count) =>
        `At most ${count} chat ${count === '1' ? 'push' : 'pushes'} for each person and run; replies to their latest message are free`,
    },
  },
  formLetter: 'c',
  outcomePer: 'call',
  // The limit of one provider call.
  batchSize: 500,
  lanes: 4,
  longestTryMs: 10_000,
  turnWay: (token) => (token ? 'reply' : 'push'),
  addressIdentity: (address) => address,
  ignoresCase: false,
}
