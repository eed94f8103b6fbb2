import { connect } from '../../src/db/connect.ts'
import { ensureCatalogue } from './catalogue.ts'
import { type Credentials, ensureCredentials } from './credentials.ts'
import { type Caller, ensureTemplate, sendOnce, submitOnce } from './send.ts'
import { ensureStaff } from './staff.ts'
import { ensureSubjects, subjectCount } from './subjects.ts'
import { courseSelection, eventTemplate, openDay } from './texts.ts'
import { watch } from './watch.ts'

/** What the demo knows, for demo.json; what comes with later parts is null. */
export type Demo = Credentials & {
  unitId: string
  people: { name: string; email: string; roles: string[] }[]
  subjects: string[]
  eventKeyId: null
  eventSecret: null
  event: null
}

/**
 * Fills a running environment with a small university: units, categories, staff, 2,000 people, one message sent to all
 * of them and one that waits for approval. `variables` are those of the processes. A second call finds everything there
 * and changes nothing.
 */
export async function seed(variables: NodeJS.ProcessEnv): Promise<Demo> {
  const { DATABASE_URL, CARILLON_DATA_DIR, HOST, PORT } = variables
  const demo = await seedDatabase(DATABASE_URL!, CARILLON_DATA_DIR!)
  await seedMessages(`http://${HOST}:${PORT}`, demo)
  return demo
}

/** Everything that no operation over HTTP makes. */
async function seedDatabase(url: string, dataDir: string): Promise<Demo> {
  const db = connect(url, { poolSize: 2, applicationName: 'carillon-demo' })
  try {
    const units = await ensureCatalogue(db)
    const subjects = await ensureSubjects(db)
    const { ids, people } = await ensureStaff(db, units, subjects)
    const credentials = await ensureCredentials(db, dataDir, units, ids)
    const later = { eventKeyId: null, eventSecret: null, event: null }
    return { unitId: units.unit.id, ...credentials, people, subjects, ...later }
  } finally {
    await db.destroy()
  }
}

/** The rest goes the way of every producer and every person. */
async function seedMessages(api: string, { producerKey, sessions }: Demo): Promise<void> {
  const producer: Caller = { api, key: producerKey }
  const editor: Caller = { api, session: sessions.editor }
  const approver: Caller = { api, session: sessions.approver }

  const templateId = await ensureTemplate(editor, approver, eventTemplate)
  const first = await sendOnce(producer, 'demo-open-day', openDay(templateId))
  if (first.created) {
    process.stdout.write(`  a first message to ${subjectCount.toLocaleString('en')} people:\n`)
    await watch(producer, first.id)
  }
  await submitOnce(editor, 'demo-course-selection', courseSelection)
}
