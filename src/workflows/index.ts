/** All workflows; the bundle is made from this file. */
export { messageIntent } from './message-intent.ts'
export { scenarioRun } from './scenario-run.ts'
export { scheduleRun } from './schedule-run.ts'
