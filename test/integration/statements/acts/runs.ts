import { sql } from 'kysely'
import { wakeRetimed } from '../../../../src/db/queries/pattern/deadline.ts'
import { lockNewestQuestion } from '../../../../src/db/queries/scenario-run/answer.ts'
import { endRuns } from '../../../../src/db/queries/scenario-run/end.ts'
import { hasPushesLeft } from '../../../../src/db/queries/scenario-run/pushes.ts'
import {
  countRuns,
  listAnswers,
  listRuns,
  listSubjectTurns,
} from '../../../../src/db/queries/scenario-run/records.ts'
import { releaseTurns } from '../../../../src/db/queries/scenario-run/retry.ts'
import {
  admitRuns,
  countReached,
  hasMoreOpenRuns,
  hasOpenRuns,
  insertRuns,
  lockOpenRuns,
} from '../../../../src/db/queries/scenario-run/start.ts'
import { findShortStart } from '../../../../src/db/queries/scenario-run/start-end.ts'
import { perKey } from '../planted/people.ts'
import { type Act, everybody, page, type World } from './act.ts'

async function somebody({ db, planted: { scenarioId } }: World): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select subject_id as id from scenario_run where scenario_id = ${scenarioId} order by id offset ${perKey / 2} limit 1`.execute(
    db,
  )
  return rows[0]!.id
}

/** What is done with the runs of a scenario. */
export const runActs: Record<string, Act> = {
  'finds the open run of a person': {
    about: 10,
    async act(world, watch) {
      const { db, planted } = world
      const { scenarioId, unitId } = planted
      const subjectId = await somebody(world)
      await watch(() =>
        db.transaction().execute((trx) => lockOpenRuns(trx, { scenarioId, subjectId, occasion: '' })),
      )
      await watch(() => db.transaction().execute((trx) => hasOpenRuns(trx, scenarioId)))
      await watch(() => hasMoreOpenRuns(db, unitId, 10))
      await watch(() => db.transaction().execute((trx) => lockNewestQuestion(trx, subjectId, new Date())))
      await watch(() => db.transaction().execute((trx) => hasPushesLeft(trx, { subjectId, unitId }, 5)))
      await watch(() => listRuns(db, scenarioId, { subjectId }, { after: null, limit: page }))
    },
  },
  'starts the run of a person': {
    about: 10,
    async act(world, watch) {
      const { db, planted } = world
      const { rows } = await sql<{ uid: string }>`
        select uid from subject where id = ${await somebody(world)}`.execute(db)
      const people = {
        ...everybody(planted),
        audience: { kind: 'individual' as const, uids: [rows[0]!.uid] },
      }
      const run = {
        ...{
          scenarioId: planted.scenarioId,
          versionNumber: 1,
          unitId: planted.unitId,
          people,
          occasion: 'again',
        },
        ...{ startId: null, startedBy: 'key:planted', startedByWebhook: null, jumps: 0, jumpedThrough: [] },
        ...{ spokeAt: null, test: false, node: 'ask' },
      }
      await watch(() => db.transaction().execute((trx) => insertRuns(trx, run)))
      await watch(() => db.transaction().execute((trx) => insertRuns(trx, run)))
      await watch(() => admitRuns(db, 8))
    },
  },
  'lists the runs of a scenario': {
    about: page,
    async act({ db, planted: { scenarioId } }, watch) {
      const first = await listRuns(db, scenarioId, {}, { after: null, limit: page })
      const { id: after } = first.at(-1)!
      await watch(() => listRuns(db, scenarioId, {}, { after: null, limit: page }))
      await watch(() => listRuns(db, scenarioId, {}, { after, limit: page }))
    },
  },
  'finds the newest start of a scenario that fell short': {
    about: 1,
    async act({ db, planted: { scenarioId } }, watch) {
      await watch(() => findShortStart(db, scenarioId))
    },
  },
  'lists what one person was told': {
    about: page,
    async act({ db, planted: { subjectId } }, watch) {
      await watch(() => listSubjectTurns(db, subjectId, { after: null, limit: page }))
    },
  },
  'counts the runs of a scenario': {
    about: perKey,
    async act({ db, planted: { scenarioId, unitId } }, watch) {
      await watch(() => listRuns(db, scenarioId, { states: ['waiting'] }, { after: null, limit: page }))
      await watch(() => countRuns(db, scenarioId, null))
      await watch(() => countReached(db, { unitId, categoryId: 'news' }))
      await watch(() => listAnswers(db, scenarioId, {}, { after: null, limit: page }))
      await watch(() => db.transaction().execute((trx) => releaseTurns(trx, scenarioId)))
    },
  },
  'wakes the next runs of a scenario, and ends them': {
    about: perKey,
    async act({ db, planted: { scenarioId, patternId } }, watch) {
      const pattern = { id: patternId, scenarioId, retiming: 0, upTo: null }
      await watch(() => db.transaction().execute((trx) => wakeRetimed(trx, pattern, page)))
      const end = { state: 'cancelled', reason: 'cancelled' } as const
      await watch(() =>
        db
          .transaction()
          .execute((trx) => endRuns(trx, { where: { scenarioId, version: 1 }, most: page }, end)),
      )
    },
  },
}
