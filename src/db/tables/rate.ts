/** The windows of the rate limit. SQL is the truth: src/db/migrations. */
export type RateWindowTable = { caller: string; hits: Date[]; admitted: boolean }
