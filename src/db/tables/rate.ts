/** The windows of the rate limit. Defined in SQL: src/db/migrations. */
export type RateWindowTable = { caller: string; hits: Date[]; admitted: boolean }
