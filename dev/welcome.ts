import { relative } from 'node:path'
import { places, registrationKeywords } from './demo/registration.ts'
import type { Demo } from './demo/seed.ts'
import { tourKeywords } from './demo/tour.ts'
import type { Environment } from './environment.ts'

/** The text printed once everything is ready: addresses, and what to try first. */
export function welcome({ addresses, settings }: Environment, demo: Demo, took: string): string {
  const here = relative(process.cwd(), settings.dataDir) || '.'
  const rows = [
    ['console', `${addresses.api}/`],
    ['API', addresses.api],
    ['API reference', addresses.docs],
    ['first program', `${addresses.api}/docs/api/first-program`],
    ['phones', addresses.simulator],
    ['mailbox', addresses.mailbox],
    ['producer', addresses.producer],
    [addresses.temporalUi ? 'Temporal UI' : 'Temporal', addresses.temporalUi ?? addresses.temporalAddress],
    ['keys, sessions', `${here}/demo.json`],
    ['logs', `${here}/logs`],
  ] as const
  const table = rows.map(([what, where]) => `  ${what.padEnd(16)} ${where}`).join('\n')
  return `
Carillon is ready after ${took}. Press Ctrl-C to stop it. Its data is kept in ${here}.

${table}

To list the messages of the demo unit as its producer:

  curl -s -H 'Authorization: Bearer ${demo.producerKey}' ${addresses.api}/v1/messages
${demo.waitingMessageId ? approval(addresses.api, demo.waitingMessageId, demo.sessions.approver) : ''}${scenario(addresses)}
For a program of your own, in any folder (the pages “first program” and “first integration” use these variables):

${settingsOf(addresses, demo)}
`
}

/** What a producer gets from a system administrator and, to test, from the demo. */
function settingsOf({ api, simulator, mailbox }: Environment['addresses'], demo: Demo): string {
  const key = `${demo.eventKeyId}:${demo.eventSecret}`
  const settings = {
    CARILLON_URL: api,
    CARILLON_KEY: demo.targetingKey,
    CARILLON_EVENT_KEY: key,
    CARILLON_LOOKUP_KEY: key,
    PHONES_URL: simulator,
    MAILBOX_URL: mailbox,
  }
  return Object.entries(settings)
    .map(([name, value]) => `  export ${name}='${value}'`)
    .join('\n')
}

function approval(api: string, id: string, session: string): string {
  return `
One of them waits for approval. To approve it, sign in as an approver and open ${api}/approvals, or call the API:

  curl -s -X POST -H 'Cookie: hub_session=${session}' ${api}/v1/messages/${id}/approve
`
}

function scenario({ simulator, temporalUi }: Environment['addresses']): string {
  const [chinese, english] = tourKeywords
  const [inChinese, inEnglish] = registrationKeywords
  const runs =
    temporalUi &&
    `${temporalUi}/namespaces/default/workflows?query=${encodeURIComponent('WorkflowType="scenarioRun"')}`
  return `
To play a scenario, open the phones, choose a person, and write “${chinese}” (or “${english}”); then tap, type, or wait:

  ${simulator}

A registration has ${places} places and a waiting list: write “${inChinese}” (or “${inEnglish}”) as several people. The fourth
waits, and gets the place of the first who cancels.
${
  runs
    ? `
Each conversation is a run, with the way so far and the next timer:

  ${runs}
`
    : ''
}`
}
