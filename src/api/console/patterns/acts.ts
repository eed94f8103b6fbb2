/** What is done with a pattern on its page; it is created on another one. */
export const patternActs = ['create', 'activate', 'try', 'change'] as const
export type PatternAct = (typeof patternActs)[number]
