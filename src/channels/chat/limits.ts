/**
 * What the chat provider takes (LINE Messaging API reference, Message objects:
 * https://developers.line.biz/en/reference/messaging-api/). Labels, display texts and template texts count in grapheme
 * clusters, all other texts in UTF-16 units, sizes in bytes of UTF-8 JSON.
 */
export const chatLimits = {
  messagesPerCall: 5,
  recipientsPerCall: 500,
  /** Of an account, by endpoint (LINE Messaging API reference, Rate limits). */
  callsPerSecond: { push: 2_000, multicast: 200, reply: 2_000 },
  textUnits: 5_000,
  templateTextGraphemes: 160,
  templateLabelGraphemes: 20,
  quickReplyLabelGraphemes: 20,
  flexLabelGraphemes: 40,
  /** 1,500 today; 400 in the older reference. A line for lists and lock screens needs no more. */
  altTextUnits: 400,
  /** 30 KB and 50 KB, read as thousands of bytes to be on the safe side. */
  bubbleBytes: 30_000,
  carouselBytes: 50_000,
  linkUnits: 1_000,
  imageUrlUnits: 2_000,
} as const
