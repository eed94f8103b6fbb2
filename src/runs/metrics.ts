import { Counter } from 'prom-client'

/** Pokes by what came of them: sent, failed, or dropped because Temporal was away or too many were waiting. */
export const pokes = new Counter({
  name: 'carillon_pokes_total',
  help: 'Pokes to runs, by outcome (sent, failed, dropped)',
  labelNames: ['outcome'],
})

/** Runs that had to be woken because they had not looked at their row in time. */
export const repairs = new Counter({
  name: 'carillon_poker_repairs_total',
  help: 'Runs poked because their row was not acknowledged in time',
})

/** Rounds of background tasks that failed as a whole, or a lane of theirs; the next one tries again. */
export const backgroundFailures = new Counter({
  name: 'carillon_background_failures_total',
  help: 'Rounds of a background task that failed, by task',
  labelNames: ['task'],
})

/** Kinds of old rows that could not be purged: once for each in a round of a worker, an hour long. */
export const purgeFailures = new Counter({
  name: 'carillon_retention_failures_total',
  help: 'Rounds in which old rows of a kind could not be purged, by kind',
  labelNames: ['kind'],
})
