/**
 * Limits of the chat provider (https://developers.line.biz/en/reference/messaging-api/#message-objects). Labels,
 * display texts and template texts count in grapheme clusters, all other texts in UTF-16 units, sizes in bytes of
 * UTF-8 JSON.
 */
export const chatLimits = {
  messagesPerCall: 5,
  recipientsPerCall: 500,
  /** Per account and endpoint (https://developers.line.biz/en/reference/messaging-api/#rate-limits). */
  callsPerSecond: { push: 2_000, multicast: 200, reply: 2_000 },
  textUnits: 5_000,
  templateTextGraphemes: 160,
  templateLabelGraphemes: 20,
  quickReplyItems: 13,
  quickReplyLabelGraphemes: 20,
  flexLabelGraphemes: 40,
  /** The limit is 1,500 today and 400 in the older reference; a line for lists and lock screens needs no more. */
  altTextUnits: 400,
  /** 30 KB and 50 KB, taken as multiples of 1,000 bytes to be safe. */
  bubbleBytes: 30_000,
  carouselBytes: 50_000,
  linkUnits: 1_000,
  imageUrlUnits: 2_000,
} as const
