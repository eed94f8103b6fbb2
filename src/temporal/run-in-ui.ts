import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common'
import type {
  MessageRunSummary,
  RunSummary,
  ScenarioRunSummary,
  ScheduleSummary,
} from '../db/queries/run/summary.ts'
import { searchAttributes } from '../domain/run/temporal-names.ts'

/** What the Temporal UI shows of a run before its first step; Temporal never changes the two texts. */
type RunInUi = {
  typedSearchAttributes: SearchAttributePair[]
  staticSummary: string
  staticDetails: string
}

/** Temporal limits a summary to 200 bytes (https://docs.temporal.io/develop/typescript/enriching-ui). */
const summaryBytes = 180

/** What an operator should see of a run without reading code: ids, names of units, times, fixed words. */
export function runInUi(run: RunSummary): RunInUi {
  const { attributes, about, details } = ofItsKind(run)
  return {
    typedSearchAttributes: [...attributesOf(run), ...attributes],
    staticSummary: clip(`${run.categoryId} from ${run.unitName}, ${about}`, summaryBytes),
    staticDetails: details.join('\n'),
  }
}

function ofItsKind(run: RunSummary): OfItsKind {
  switch (run.kind) {
    case 'message':
      return messageInUi(run)
    case 'scenario':
      return scenarioRunInUi(run)
    case 'schedule':
      return scheduleInUi(run)
  }
}

/** Those of every kind. */
function attributesOf(run: RunSummary): SearchAttributePair[] {
  const { CarillonUnit, CarillonUnitName, CarillonCategory, CarillonState } = searchAttributes
  const pairs: SearchAttributePair[] = [
    { key: defineSearchAttributeKey('CarillonUnit', CarillonUnit), value: run.unitId },
    { key: defineSearchAttributeKey('CarillonUnitName', CarillonUnitName), value: run.unitName },
    { key: defineSearchAttributeKey('CarillonCategory', CarillonCategory), value: run.categoryId },
    { key: defineSearchAttributeKey('CarillonState', CarillonState), value: run.state },
  ]
  if (run.problem) {
    const key = defineSearchAttributeKey('CarillonProblem', searchAttributes.CarillonProblem)
    pairs.push({ key, value: run.problem })
  }
  return pairs
}

/** What is particular to a kind. `about` ends the summary. Markdown. */
type OfItsKind = { attributes: SearchAttributePair[]; about: string; details: string[] }

function messageInUi(run: MessageRunSummary): OfItsKind {
  const { CarillonOrigin } = searchAttributes
  const attributes: SearchAttributePair[] = [
    { key: defineSearchAttributeKey('CarillonOrigin', CarillonOrigin), value: run.origin },
  ]
  if (run.people !== null) attributes.push(peopleAttribute(run.people))
  if (run.sendAt) attributes.push(sendAtAttribute(run.sendAt))
  const sendTime = run.sendAt ? `scheduled for ${run.sendAt.toISOString()}` : 'to be sent at once'
  return {
    attributes,
    about: sendTime,
    details: [
      `Message \`${run.id}\` of category \`${run.categoryId}\`, unit ${run.unitName} (\`${run.unitId}\`); ${sendTime}.`,
      '',
      'Postgres holds the state; this run only schedules what happens next. *Request Cancellation* cancels the message, or',
      'pauses it once a recipient may have received it. Terminate and Reset are safe: the reconciler restarts the run.',
    ],
  }
}

/** A run of a scenario is with one person, whom nothing here names. */
function scenarioRunInUi(run: ScenarioRunSummary): OfItsKind {
  return {
    attributes: [peopleAttribute(1)],
    about: `scenario ${run.scenarioId}, version ${run.version}`,
    details: [
      `Run \`${run.id}\` of scenario \`${run.scenarioId}\`, version ${run.version}, of category`,
      `\`${run.categoryId}\`, unit ${run.unitName} (\`${run.unitId}\`).`,
      '',
      'Postgres holds the state; this run only schedules what happens next. *Request Cancellation* cancels the',
      'conversation. Terminate and Reset are safe: the reconciler restarts the run.',
    ],
  }
}

/** A schedule is not about anybody: what it makes has runs of its own. */
function scheduleInUi(run: ScheduleSummary): OfItsKind {
  return {
    attributes: run.nextAt ? [sendAtAttribute(run.nextAt)] : [],
    about: `schedule ${run.id}`,
    details: [
      `Schedule \`${run.id}\` of category \`${run.categoryId}\`, unit ${run.unitName} (\`${run.unitId}\`).`,
      '',
      'Postgres holds the state; this run only waits for the next occurrence. *Request Cancellation* disables the schedule.',
      'Terminate and Reset are safe: the reconciler restarts the run.',
    ],
  }
}

function sendAtAttribute(at: Date): SearchAttributePair {
  return { key: defineSearchAttributeKey('CarillonSendAt', searchAttributes.CarillonSendAt), value: at }
}

function peopleAttribute(people: number): SearchAttributePair {
  return { key: defineSearchAttributeKey('CarillonPeople', searchAttributes.CarillonPeople), value: people }
}

/** The start of a text in at most `bytes` of UTF-8, without cutting a character. */
export function clip(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const head = Buffer.from(text)
    .subarray(0, bytes - 3)
    .toString()
  return `${head.replace(/\uFFFD$/u, '')}…`
}
