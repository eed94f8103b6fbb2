import { expect } from 'vitest'
import { bounds, limits } from '../../../src/contract/limits.ts'
import type { Costs } from '../../fixtures/statement-costs.ts'
import { many } from './planted/plant.ts'

/** What a visit may cost at most, however much is stored. */
export type Bound = { statements: number; rows: number; buffers: number; bytes: number }

/** The largest page has 200 rows, each of which passes a few nodes of a plan. Everything else is a look-up. */
export const bound: Bound = { statements: 40, rows: 3_500, buffers: 3_000, bytes: 512 * 1024 }

/** More, and why: what it grows with is stored by nobody alone, has a bound of its own, or is what was asked for. */
export type Allowance = Partial<Bound> & { why: string }

const page = limits.pageSizeMax
/** Those that are planted, and those of every test. */
const units = 1_100
const versions = bounds.scenarioVersions.most
const eachOfPage = (rows: number): Allowance => ({
  ...{ rows: rows * page, buffers: rows * page },
  why: 'finds who wrote what waits of each item of a page',
})
const eachPerson = (rows: number, statements = 60): Allowance => ({
  ...{ statements, rows: rows * many, buffers: rows * many },
  why: 'counts or writes a row for each person of the audience, who are counted at most twice at a time for each unit',
})
const eachVersion: Allowance = {
  ...{ rows: 28 * versions, buffers: 8 * versions },
  why: 'reads who wrote each version, of which there are at most a thousand',
}
const eachLongVersion: Allowance = { ...eachVersion, bytes: limits.pageBytes + 8_192 }
const eachOfPerson = (rows: number, buffers = rows): Allowance => ({
  ...{ rows: rows * many, buffers: buffers * many },
  why: 'reads what one person was sent, which no single unit decides, and which goes after its retention',
})
const counted = (rows: number): Allowance => ({
  ...{ rows: rows * many, buffers: rows * many },
  why: 'counts what is asked for, a few rows of an index for each',
})
const eachNotice: Allowance = {
  ...{ rows: 20 * versions, buffers: 60 * limits.membersPerUnit },
  why: 'writes a notice for each approver of the unit, of whom there are at most two hundred, and reads who wrote it',
}
const eachTemplate: Allowance = {
  ...{ rows: 20 * versions, buffers: 20 * versions },
  why: 'finds the newest version of each template of the unit, of which there are at most a thousand',
}
const besideEach: Allowance = {
  ...{ rows: 14 * many, buffers: 14 * many },
  why: 'sorts what waits in the unit, to show the first beside it, and counts the answers and clicks of a message',
}

/** By the name of what is visited. */
export const allowances: Record<string, Allowance> = {
  // Operations
  getMessage: counted(4),
  listMessages: {
    ...{ rows: 22 * page, buffers: 22 * page },
    why: 'finds the ids of a page first, and then joins their messages to the rest of them',
  },
  getPattern: counted(2),
  listPatterns: {
    ...{ rows: 20 * page, buffers: 20 * page },
    why: 'finds the version, the places and the organisers of each item of a page',
  },
  patchPattern: counted(4),
  getPatternReport: counted(15),
  summariseScenarioRuns: counted(20),
  getExecutiveMetrics: counted(32),
  getSummary: counted(12),
  adminSetValueNames: {
    rows: 3 * bounds.valueNames.most,
    why: 'counts the names of values, of which there are at most five thousand',
  },
  getHandoff: counted(4),
  getHealth: {
    rows: 10 * many,
    buffers: 3 * many,
    why: 'counts overdue runs, once for all who ask within seconds',
  },
  startTestRun: counted(2),
  listTemplates: eachOfPage(60),
  listScenarios: { ...eachOfPage(60), bytes: limits.pageBytes + 8_192 },
  listEventBindings: { ...eachVersion, buffers: 60 * page },
  getTemplate: eachVersion,
  previewTemplate: eachLongVersion,
  getScenario: eachVersion,
  getEventBinding: eachVersion,
  getRecordedEvent: eachVersion,
  listRecordedEvents: eachVersion,
  approveTemplate: eachVersion,
  rejectTemplate: eachVersion,
  updateEventBinding: eachVersion,
  createTemplate: eachNotice,
  createTemplateVersion: { ...eachNotice, rows: 40 * versions, buffers: 20 * versions },
  putScenario: eachNotice,
  listTemplateVersions: eachLongVersion,
  listScenarioVersions: eachLongVersion,
  createScenario: {
    rows: 3 * bounds.scenarios.most,
    why: 'counts the scenarios of the unit, up to their bound',
  },
  createPattern: {
    rows: 3 * bounds.scenarios.most,
    why: 'counts the scenarios of the unit, up to their bound',
  },
  listApprovals: {
    ...{
      rows: 10 * (bounds.templates.most + bounds.scenarios.most + bounds.bindings.most),
      buffers: 10 * bounds.templates.most,
    },
    why: 'sorts the templates, scenarios and bindings that wait, of which a unit has so many',
  },
  listAudit: {
    rows: 2 * many,
    why: 'reads the newest entries of the unit until a page of them is about the object',
  },
  traceMessage: {
    rows: 2 * many,
    why: 'reads the newest entries of the audit log until two hundred are about the message',
  },
  listInbox: eachOfPerson(4),
  countUnread: eachOfPerson(5),
  listSubjectDeliveries: eachOfPerson(3),
  putPreferences: eachOfPerson(28, 16),
  exportSubject: { ...eachOfPerson(70), bytes: 32 * 1024 * 1024 },
  eraseSubject: {
    ...eachOfPerson(100, 160),
    statements: 60,
    why: 'clears everything of one person in one transaction',
  },
  bindAddress: { rows: 8 * many, why: 'gives the events of an address to its person' },
  unbindAddress: { rows: 4 * many, why: 'hashes the address in its events' },
  dryRunMessage: eachPerson(10),
  dryRunUnsaved: eachPerson(10),
  listAudienceValues: eachPerson(4),
  submitMessage: eachPerson(14),
  startRuns: eachPerson(32),
  cancelRuns: eachPerson(24),
  replayEventBinding: {
    ...{ statements: 2_500, rows: 64 * many, buffers: 32 * many },
    why: 'reopens all events of the binding, and settles a hundred of them',
  },
  deleteCallback: { rows: 8 * many, buffers: 3 * many, why: 'deletes what was to be delivered' },
  openapi: { bytes: 2 * 1024 * 1024, why: 'is the same for everybody' },
  // Pages
  // What waits is counted and ordered by urgency.
  '/ start': counted(24),
  '/approvals list': counted(12),
  '/approvals/:kind/:id message': besideEach,
  // They draw what is decided about, in each language.
  '/approvals/:kind/:id template': { ...besideEach, bytes: 2 * limits.pageBytes },
  '/approvals/:kind/:id event_binding': { ...besideEach, bytes: 2 * limits.pageBytes },
  '/approvals/:kind/:id scenario': { ...besideEach, bytes: 2 * limits.pageBytes },
  '/templates list': eachTemplate,
  '/templates search': eachTemplate,
  '/templates/:id template': { ...eachVersion, bytes: 2 * limits.pageBytes },
  '/templates/:id/preview/:channel/:locale mail': eachVersion,
  '/results results': counted(32),
  '/messages search': {
    rows: 12 * many,
    buffers: 8 * many,
    why: 'compares the titles of the newest 20,000 messages of the unit',
  },
  '/compose/:id form': eachPerson(20),
  '/patterns/:id pattern': counted(16),
  '/patterns/:id/answers.csv table': {
    ...{ rows: 12 * many, buffers: 12 * many },
    why: 'reads everybody who answered, page by page',
  },
  '/messages/:id/answers.csv table': {
    ...{ rows: 12 * many, buffers: 12 * many },
    why: 'reads everybody who answered, page by page',
  },
  '/messages/:id message': { rows: 2 * many, why: 'counts the answers and clicks of the message' },
  '/messages/:id act': { rows: 2 * many, why: 'counts the answers and clicks of the message' },
  '/handoffs list': {
    rows: 16 * many,
    buffers: 8 * many,
    why: 'sorts the open handoffs of the unit, which a day of silence closes',
  },
  '/handoffs/:id conversation': counted(4),
  // Tasks and activities
  'wave-rollup': { rows: 2_500 * many, buffers: 40 * many, why: 'adds up two thousand waves in one round' },
  'read-count': {
    rows: 2_500 * many,
    buffers: 20 * many,
    why: 'counts the readers of two thousand messages in one round',
  },
  'night-close': { rows: 4 * many, buffers: 3 * many, why: 'counts a day of every unit, once a day' },
  'people-count': { rows: 10 * many, why: 'counts everybody, once in minutes' },
  'pattern-count': counted(14),
  'retention-purge': {
    rows: 60 * many,
    buffers: 30 * many,
    why: 'deletes at most a thousand rows of each of two dozen kinds',
  },
  'rate-purge': {
    rows: 2 * many,
    buffers: 2 * many,
    why: 'deletes the windows of all idle callers, once a minute',
  },
  'run-wake': { rows: 5 * units, buffers: 20 * units, why: 'asks for the late runs of each unit' },
  sayTurn: eachOfPerson(2),
  readMessage: { rows: 3 * many, why: 'counts the batches of the wave' },
  sendSmallWave: { rows: 3 * many, why: 'counts the batches of the wave' },
  finishWave: { rows: 3 * many, buffers: 8 * many, why: 'adds up the batches of the wave' },
  resolveAudience: eachPerson(30),
  reserveQuota: { rows: 3 * many, why: 'adds up the batches of the wave' },
  makeOccurrence: eachNotice,
}

/** What was visited and what it cost, with the bytes that it answered. */
export type Visited = { name: string; costs: Costs; bytes: number }

export function expectWithin({ name, costs, bytes }: Visited): void {
  const { worst, ...counts } = costs
  const actual = { ...counts, bytes }
  const most = { ...bound, ...allowances[name] }
  const over = (Object.keys(bound) as (keyof Bound)[]).filter((count) => actual[count] > most[count])
  const excess = over.map((count) => `${count}: ${actual[count]} of ${most[count]}`)
  expect(excess, `${name}; most rows (${worst.rows}) in ${worst.node}: ${worst.sql}`).toEqual([])
}
