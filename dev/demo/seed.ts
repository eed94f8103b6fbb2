import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/db/connect.ts'
import { ensureCatalogue } from './catalogue.ts'
import { type Credentials, ensureCredentials } from './credentials.ts'
import { demoEvent, sendEventOnce } from './event.ts'
import { ensureLists } from './lists.ts'
import { type Caller, ensureTemplate, sendOnce, submitOnce } from './send.ts'
import { ensureStaff } from './staff.ts'
import { ensureSubjects, subjectCount } from './subjects.ts'
import { courseSelection, eventTemplate, openDay } from './texts.ts'
import { watch } from './watch.ts'

/** What the demo knows, for demo.json. `eventKeyId` is the first of `eventKeys`. */
export type Demo = Credentials & {
  unitId: string
  people: { name: string; email: string; roles: string[] }[]
  subjects: string[]
  /** The message that waits for approval; null once somebody has decided. */
  waitingMessageId: string | null
  eventKeyId: string
  eventSecret: string
  eventKeys: { id: string; secret: string }[]
  event: typeof demoEvent
}

/**
 * Fills a running environment with a small university: units, categories, staff, 2,000 people, one message sent to
 * all of them, one that waits for approval, and one that an event makes. `variables` are those of the processes. A
 * second call finds everything there and changes nothing.
 */
export async function seed(variables: NodeJS.ProcessEnv): Promise<Demo> {
  const { DATABASE_URL, CARILLON_DATA_DIR, HOST, PORT } = variables
  const demo = { ...(await seedDatabase(DATABASE_URL!, CARILLON_DATA_DIR!)), ...eventsOf(variables) }
  return { ...demo, waitingMessageId: await seedMessages(`http://${HOST}:${PORT}`, demo) }
}

/** Everything that no operation over HTTP makes. */
async function seedDatabase(url: string, dataDir: string) {
  const db = connect(url, { poolSize: 2, applicationName: 'carillon-demo' })
  try {
    const units = await ensureCatalogue(db)
    const subjects = await ensureSubjects(db)
    const { ids, people } = await ensureStaff(db, units, subjects)
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
    throw new Error('The demo signs its event: set EVENT_SIGNING_KEYS, or leave it to the start script.')
  return { eventKeyId: first.id, eventSecret: first.secret, eventKeys, event: demoEvent }
}

/** The rest goes the way of every producer and every person. Answers the message that waits for one. */
async function seedMessages(api: string, demo: Omit<Demo, 'waitingMessageId'>): Promise<string | null> {
  const { producerKey, sessions, subjects, eventKeys } = demo
  const producer: Caller = { api, key: producerKey }
  const editor: Caller = { api, session: sessions.editor }
  const approver: Caller = { api, session: sessions.approver }

  await ensureLists(editor, subjects)
  const templateId = await ensureTemplate(editor, approver, eventTemplate)
  const first = await sendOnce(producer, 'demo-open-day', openDay(templateId))
  if (first.created) {
    process.stdout.write(`  a first message to ${subjectCount.toLocaleString('en')} people:\n`)
    await watch(producer, first.id)
  }
  const second = await submitOnce(editor, 'demo-course-selection', courseSelection)
  await sendEventOnce({ api, producerKey, editor, approver, eventKey: eventKeys[0]!, uid: subjects[0]! })
  return ['draft', 'submitted'].includes(second.state) ? second.id : null
}
