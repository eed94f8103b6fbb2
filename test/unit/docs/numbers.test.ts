import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'

const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte
const day = 86_400
const n = (value: number) => value.toLocaleString('en')

const {
  textLength,
  lightMarks,
  renderSteps,
  smallestAudience,
  bodyBytes,
  jsonValues,
  jsonValuesOfLists,
  lookupTimeoutMs,
  timestampToleranceSeconds: tolerance,
} = limits
const mostOfBody = `at most ${bodyBytes / mebibyte} MiB`

/** What pages say of a limit, a default or a time, as the contract has it. */
const statements: Record<string, string[]> = {
  README: [
    `\`limit\` is at most ${limits.pageSizeMax}.`,
    `[${limits.pageBytes / mebibyte} MiB](limits.md#pages)`,
    `${mostOfBody} and ${n(jsonValues)} values`,
    `with lists of people ${n(jsonValuesOfLists)};`,
  ],
  administration: [
    `at most ${limits.membersPerUnit} people can have a role`,
    `a name of at most ${limits.senderNameLength} characters`,
    `of 1 to ${limits.sourcesPerEventKey} named sources`,
    `0 to ${limits.holdSeconds}:`,
  ],
  callbacks: [`a request for every ${limits.failuresPerCallback} people or so`],
  errors: [
    `the timestamp is more than ${tolerance} seconds from`,
    `more than ${n(limits.subjectsPerEvent)} subjects`,
    `more than ${limits.eventsPerBatch} events`,
    `${mostOfBody} and ${n(jsonValues)} values`,
    `the request waited ${limits.countWaitMs / 1_000} s for two other`,
  ],
  'event-bindings': [`1 to ${limits.signingKeysPerBinding}; null`, `fewer than ${smallestAudience} people`],
  events: [
    `up to ${limits.eventsPerBatch} and ${n(limits.subjectsPerBatch)} subjects`,
    `more than ${n(limits.openRunsPerUnit)} open runs`,
    `\`data\` exceeds ${limits.runVariablesBytes / kibibyte} KiB`,
    `can name up to ${n(limits.subjectsPerEvent)},`,
    `at most ${tolerance} from the server's`,
    `in ${limits.rateWindowSeconds} rolling seconds`,
    `at most ${limits.rateMax})`,
    `more than ${limits.eventsPerBatch} events in a batch`,
    `more than ${n(limits.subjectsPerEvent)} subjects in an event, or ${n(limits.subjectsPerBatch)} in a batch`,
  ],
  'going-live': [
    `answer a Lookup within ${lookupTimeoutMs / 1_000} s`,
    `A batch of ${limits.eventsPerBatch} events`,
  ],
  groups: [
    `up to ${n(limits.membersPerCall)} uids`,
    `fewer than ${smallestAudience} people`,
    `${mostOfBody} and ${n(jsonValuesOfLists)} values`,
    `up to ${n(limits.membersPerUpload)} uids and ${limits.uploadBytes / mebibyte} MiB`,
  ],
  handoffs: [
    `after ${limits.handoffSilenceSeconds / 3_600} hours without`,
    `the newest ${limits.messagesPerHandoff} messages, up to ${n(limits.handoffCharacters)} characters`,
    `1 to ${limits.messagesPerTurn} messages.`,
  ],
  imports: [
    `up to ${limits.uploadBytes / mebibyte} MiB and a million lines`,
    `at most ${limits.lineBytes / kibibyte} KiB`,
  ],
  limits: [
    `a call can name ${n(limits.membersPerCall)} members`,
    `at most ${n(limits.openRunsPerUnit)} open [runs]`,
    `the newest ${n(limits.searchedMessages)} messages`,
    `names ${limits.quotaHolds} messages on each channel`,
    `names ${limits.templateUses} bindings`,
    `\`limit\` items (${limits.pageSizeMax}) and ${limits.pageBytes / mebibyte} MiB`,
    `at most ${limits.startedPushesPerPersonDay} chat pushes`,
    `at most ${limits.jumpsInARow} jumps`,
  ],
  lookups: [
    `more than ${tolerance} seconds old`,
    `**${lookupTimeoutMs / 1_000} seconds**`,
    `at most ${limits.runVariablesBytes / kibibyte} KiB together`,
    `not complete after ${lookupTimeoutMs / 1_000} seconds`,
    `more than ${limits.jsonDepth} levels deep, has more than ${n(jsonValues)} values`,
    `more than ${limits.lookupAnswerBytes / mebibyte} MiB`,
    `at most ${limits.lookupsAtOnce} concurrent calls`,
    `at most ${limits.lookupsPerSecond} a second`,
  ],
  media: [
    `at most ${limits.mediaBytes / mebibyte} MiB and ${n(limits.mediaPixels)} pixels`,
    `at most ${n(limits.mediaSide)} pixels a side`,
    `for ${limits.mediaDays} days`,
    `larger than ${limits.mediaBytes / mebibyte} MiB`,
  ],
  messages: [
    `the newest ${n(limits.searchedMessages)} messages`,
    `up to ${limits.referenceLength} characters`,
    `at most ${n(lightMarks)} marks`,
    `${limits.shortestReminderSeconds} s to a week`,
    `up to ${n(limits.messagesPerIntent)} entries in \`messages\`, with at most ${n(textLength)} characters`,
    `at most ${n(limits.audienceValues)} values, \`groups\` ${limits.audienceGroups}, and \`uids\` ${n(limits.individualUids)}`,
    `wait up to ${limits.countWaitMs / 1_000} s`,
    `fewer than ${smallestAudience} people`,
    `\`organisers\`, up to ${limits.organisers} ids`,
  ],
  metrics: [
    `1 to ${limits.metricsDays}; ${limits.metricsDaysDefault} by default`,
    `the newest ${limits.metricsReminders} messages`,
    `more than ${limits.metricsKeyLength} characters`,
  ],
  recipients: [
    `at most ${n(limits.preferenceCategories)} categories and ${n(limits.preferenceTopics)} topics`,
  ],
  runs: [
    `At most ${n(limits.subjectsPerStart)} people`,
    `At most ${limits.jumpsInARow} in a row`,
    `at most ${n(limits.openRunsPerUnit)} open runs`,
    `at most ${limits.startedPushesPerPersonDay} chat pushes`,
    `${n(renderSteps)} per node`,
    `more than ${n(limits.renderStepsTogether)} steps`,
  ],
  scenarios: [
    `\`messages\`, 1 to ${limits.messagesPerTurn}`,
    `more than ${limits.scenariosLedTo} scenarios`,
    `a year (${limits.scenarioWaitSeconds / day} days)`,
    `at most ${n(textLength)} characters`,
  ],
  schedules: [`more than ${n(limits.subjectsPerStart)} people`],
  subjects: [
    `up to ${n(limits.resolvedSubjects)} subject ids`,
    `at most ${limits.profileAttributes} of them`,
  ],
  templates: [
    `at most ${n(textLength)} characters`,
    `at most **${n(renderSteps)} steps**`,
    `${limits.charactersPerStep} characters read`,
    `nested ${limits.templateDepth} deep`,
    `up to ${limits.renderStepsHere} steps`,
  ],
  topics: [`at most ${limits.topicNameLength} characters`],
  units: [`at most ${limits.quotaHolds} messages`],
  webhooks: [`deeper than ${limits.jsonDepth} levels`],
}

describe.each(Object.entries(statements))('docs/api/%s.md', (page, phrases) => {
  const file = resolve(import.meta.dirname, `../../../docs/api/${page}.md`)
  const text = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ')

  it.each(phrases)('says “%s”, as the contract has it', (phrase) => {
    expect(text).toContain(phrase)
  })
})
