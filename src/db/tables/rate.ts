export type RateTables = {
  rate_window: RateWindowTable
  render_steps: RenderStepsTable
}

/** The windows of the rate limit. Defined in SQL: src/db/migrations. */
export type RateWindowTable = { caller: string; hits: Date[]; admitted: boolean }

/** What each unit has used of its steps of rendering. Defined in SQL: src/db/migrations. */
export type RenderStepsTable = { unit_id: string; steps: number; counted_at: Date }
