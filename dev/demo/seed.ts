import { type Config, readConfig } from '../../src/config.ts'
import { connect } from '../../src/db/connect.ts'
import { insertClaims } from '../../src/db/queries/event/source-claim.ts'
import { secretBoxOf } from '../../src/services/secret-box.ts'
import { registerThisMachine } from '../lookup-endpoint.ts'
import { ensureCatalogue } from './catalogue.ts'
import { type Credentials, ensureCredentials } from './credentials.ts'
import { demoEvent, sendEventOnce } from './event.ts'
import { ensureLists } from './lists.ts'
import { ensurePicture } from './picture.ts'
import { ensureRegistration } from './registration.ts'
import { type Caller, ensureTemplate, sendOnce, submitOnce } from './send.ts'
import { ensureStaff } from './staff.ts'
import { ensureStates } from './states.ts'
import { subjectCount } from './subject-records.ts'
import { ensureSubjects } from './subjects.ts'
import { courseSelection, eventTemplate, openDay } from './texts.ts'
import { ensureTour } from './tour.ts'
import { watch } from './watch.ts'

/** What the pages for producers bind; an administrator lets their unit do so. */
const tutorialSources = ['library', 'loans']

/** The demo's objects, for demo.json. `eventKeyId` is the first of `eventKeys`. */
export type Demo = Credentials & {
  unitId: string
  people: { name: string; email: string; roles: string[] }[]
  subjects: string[]
  /** The message that waits for approval; null once it is approved or rejected. */
  waitingMessageId: string | null
  /** The campus tour, which a person starts by a keyword. */
  tourScenarioId: string
  /** The scenario of the registration, which a person starts by a keyword. */
  scenarioId: string
  eventKeyId: string
  eventSecret: string
  eventKeys: { id: string; secret: string }[]
  event: typeof demoEvent
}

/**
 * Seeds a running environment with a small university: units, categories, staff, 2,000 people, one message sent to all
 * of them, one waiting for approval, one created by an event, an active scenario and an open registration. `variables`:
 * the environment of the processes. Idempotent.
 */
export async function seed(variables: NodeJS.ProcessEnv): Promise<Demo> {
  const { CARILLON_DATA_DIR, HOST, PORT, PRODUCER_PORT } = variables
  const demo = { ...(await seedDatabase(readConfig(variables), CARILLON_DATA_DIR!)), ...eventsOf(variables) }
  const api = `http://${HOST}:${PORT}`
  const editor: Caller = { api, session: demo.sessions.editor }
  const approver: Caller = { api, session: demo.sessions.approver }
  const waitingMessageId = await seedMessages({ api, editor, approver }, demo)
  const tourScenarioId = await ensureTour(editor, approver, `http://${HOST}:${PRODUCER_PORT}`)
  const scenarioId = await ensureRegistration(editor, approver)
  return { ...demo, waitingMessageId, tourScenarioId, scenarioId }
}

/** Seeds what the HTTP interface cannot create. */
async function seedDatabase(config: Config, dataDir: string) {
  const db = connect(config.DATABASE_URL, { poolSize: 2, applicationName: 'carillon-demo' })
  try {
    const units = await ensureCatalogue(db)
    const subjects = await ensureSubjects(db, secretBoxOf(config))
    const { ids, people } = await ensureStaff(db, units, subjects)
    await registerThisMachine(db)
    await insertClaims(db, { unitId: units.unit.id, sources: tutorialSources, claimedBy: 'operator:cli' })
    const credentials = await ensureCredentials(db, dataDir, units, ids)
    return { unitId: units.unit.id, ...credentials, people, subjects }
  } finally {
    await db.destroy()
  }
}

function eventsOf(variables: NodeJS.ProcessEnv) {
  const eventKeys = [...readConfig(variables).EVENT_SIGNING_KEYS].map(([id, secret]) => ({ id, secret }))
  const [first] = eventKeys
  if (!first)
    throw new Error('The demo signs its event: set EVENT_SIGNING_KEYS, or run `npm start`, which sets it.')
  return { eventKeyId: first.id, eventSecret: first.secret, eventKeys, event: demoEvent }
}

/** Seeds messages over HTTP, as producer, editor and approver. Returns the id of the message waiting for approval. */
async function seedMessages(
  { api, editor, approver }: { api: string; editor: Caller; approver: Caller },
  { producerKey, subjects, eventKeys }: Pick<Demo, 'producerKey' | 'subjects' | 'eventKeys'>,
): Promise<string | null> {
  const producer: Caller = { api, key: producerKey }

  await ensureLists(editor, subjects)
  const picture = await ensurePicture(editor)
  const templateId = await ensureTemplate(editor, approver, eventTemplate(picture))
  const first = await sendOnce(producer, 'demo-open-day', openDay(templateId))
  if (first.created) {
    process.stdout.write(`  sending a first message to ${subjectCount.toLocaleString('en')} people:\n`)
    await watch(producer, first.id)
  }
  await ensureStates(editor, approver)
  const second = await submitOnce(editor, 'demo-course-selection', courseSelection(picture))
  await sendEventOnce({ api, producerKey, editor, approver, eventKey: eventKeys[0]!, uid: subjects[0]! })
  return ['draft', 'submitted'].includes(second.state) ? second.id : null
}
