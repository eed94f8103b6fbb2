import { sql } from 'kysely'
import {
  listPatternRespondents,
  type PatternRespondentKey,
} from '../../../../src/db/queries/answer/respondents.ts'
import { countAudience } from '../../../../src/db/queries/audience/count.ts'
import { announceRegistrations } from '../../../../src/db/queries/callback/objects.ts'
import { findPlaceEntry } from '../../../../src/db/queries/message/calendar.ts'
import { registrations } from '../../../../src/db/queries/pattern/erase.ts'
import {
  keepDecliners,
  keepErased,
  keepRuns,
  lockPatternsOf,
} from '../../../../src/db/queries/pattern/preserve-counts.ts'
import {
  findWaitingInChat,
  giveUpPlaces,
  promoteWaiting,
  readRegistrationFacts,
  wakePromoted,
  withdrawErased,
  writeRegistration,
} from '../../../../src/db/queries/pattern/registration.ts'
import { countPattern } from '../../../../src/db/queries/pattern/report.ts'
import { findAnsweredRun, insertScenarioAnswer } from '../../../../src/db/queries/scenario-run/answer.ts'
import { places } from '../planted/patterns.ts'
import { perKey } from '../planted/people.ts'
import { type Act, everybody, page, type World } from './act.ts'

type Place = { subjectId: string; runId: string }

/** Who has this place. */
async function holderOf({ db, planted: { patternId } }: World, place: number): Promise<Place> {
  const { rows } = await sql<Place>`
    select subject_id as "subjectId", run_id as "runId" from registration where pattern_id = ${patternId} and place = ${place}`.execute(
    db,
  )
  return rows[0]!
}

/** What is done with places and answers of a pattern. */
export const patternActs: Record<string, Act> = {
  'asks for a place': {
    about: places.registered,
    async act(world, watch) {
      const { db, planted } = world
      const { patternId } = planted
      const somebody = { patternId, ...(await holderOf(world, perKey / 2)) }
      await watch(() => readRegistrationFacts(db, somebody))
      await watch(() => db.transaction().execute((trx) => writeRegistration(trx, somebody, 'not_admitted')))
      await watch(() => findPlaceEntry(db, somebody))
    },
  },
  'answers a question': {
    about: 1,
    async act(world, watch) {
      const { db } = world
      const at = { ...(await holderOf(world, perKey / 2)), node: 'join' }
      await watch(() => findAnsweredRun(db, at))
      const answer = { ...at, optionId: 'yes', text: null, data: null, webhookEventId: null, onPage: true }
      await watch(() => db.transaction().execute((trx) => insertScenarioAnswer(trx, answer)))
    },
  },
  'gives up places, and gives them to others': {
    about: places.registered + places.waitlisted,
    async act(world, watch) {
      const { db, planted } = world
      const { subjectId, runId } = await holderOf(world, 3)
      const waiting = await holderOf(world, places.registered + 5)
      await watch(() => db.transaction().execute((trx) => withdrawErased(trx, subjectId)))
      await watch(() => db.transaction().execute((trx) => giveUpPlaces(trx, [waiting.runId, runId])))
      await watch(() => db.transaction().execute((trx) => promoteWaiting(trx, planted.patternId)))
      await watch(() =>
        db.transaction().execute((trx) => announceRegistrations(trx, planted.patternId, [subjectId])),
      )
      const promoted = await holderOf(world, places.registered + 1)
      await watch(() => db.transaction().execute((trx) => wakePromoted(trx, [promoted.runId])))
      await watch(() => findWaitingInChat(db, waiting.subjectId))
    },
  },
  'lists who takes part': {
    about: page,
    async act({ db, planted: { patternId } }, watch) {
      const which = { from: null, q: undefined, states: undefined, nodes: [] }
      const list = (after: PatternRespondentKey | null) =>
        listPatternRespondents(db, patternId, which, { after, limit: page })
      await watch(() => list(null))
      await watch(() => list({ place: perKey / 2 }))
    },
  },
  'counts who takes part': {
    about: 2 * perKey,
    async act({ db, planted }, watch) {
      await watch(() => countPattern(db, planted.patternId))
      const history = [{ kind: 'registered' as const, patternInstanceId: planted.patternId }]
      await watch(() => countAudience(db, { ...everybody(planted), audience: { kind: 'query', history } }))
    },
  },
  'keeps what one person counts for': {
    about: 10,
    async act(world, watch) {
      const { db, planted } = world
      const { subjectId, runId } = await holderOf(world, perKey - 1)
      await watch(() =>
        db
          .transaction()
          .execute((trx) => keepDecliners(trx, planted.patternId, sql`answer.subject_id = ${subjectId}`)),
      )
      await watch(() => db.transaction().execute((trx) => lockPatternsOf(trx, subjectId)))
      await watch(() => db.transaction().execute((trx) => keepErased(trx, subjectId, [planted.patternId])))
      await watch(() => db.transaction().execute((trx) => keepRuns(trx, [runId])))
    },
  },
  'takes the names of who took part': {
    about: perKey,
    async act({ db, planted: { patternId } }, watch) {
      await sql`update pattern set deadline = now() - interval '1 day' where id = ${patternId}`.execute(db)
      await watch(() => registrations.slice(db, new Date(), page))
    },
  },
}
