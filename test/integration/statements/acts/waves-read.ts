import { sql } from 'kysely'
import { findTappedMessage } from '../../../../src/db/queries/answer/answer.ts'
import { countAudience } from '../../../../src/db/queries/audience/count.ts'
import { insertDeliveries } from '../../../../src/db/queries/delivery/deliveries.ts'
import { checkInvariants } from '../../../../src/db/queries/doctor/doctor.ts'
import { clearErasedData } from '../../../../src/db/queries/erasure/record.ts'
import { listMessageDeliveries } from '../../../../src/db/queries/message/records.ts'
import { closeNights } from '../../../../src/db/queries/metrics/close-nights.ts'
import { rollUpWaves } from '../../../../src/db/queries/metrics/roll-up.ts'
import {
  countUnread,
  listInbox,
  listSubjectDeliveries,
  markRead,
} from '../../../../src/db/queries/subject/inbox.ts'
import { findChoices, findLinkSubject } from '../../../../src/db/queries/subject/preference.ts'
import { findSentMail } from '../../../../src/db/queries/subject/sent-mail.ts'
import { wavesFor } from '../../../../src/db/queries/trace/trace.ts'
import { perKey } from '../planted/people.ts'
import { firstOpen, perBatch } from '../planted/waves.ts'
import { type Act, everybody, page, type World } from './act.ts'

/** No more waves than these are planted, with one delivery of each to a person. */
const eachOfPerson = 10
const everything = eachOfPerson * perKey

/** Somebody in the middle of a wave, whose batch is sent. */
async function somebody({ db, planted: { waveId } }: World): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select subject_id as id from delivery where wave_id = ${waveId} and batch = ${firstOpen - 1} and state = 'sent' limit 1`.execute(
    db,
  )
  return rows[0]!.id
}

/** What is read of waves, by message, by person, and of all of them. */
export const readingActs: Record<string, Act> = {
  'lists the deliveries of a message': {
    about: page,
    async act({ db, planted: { messageId } }, watch) {
      const list = (after: Parameters<typeof listMessageDeliveries>[3]['after']) =>
        listMessageDeliveries(db, messageId, {}, { after, limit: page })
      const { subjectId, channel } = (await list(null)).at(-1)!
      await watch(() => list(null))
      await watch(() => list({ wave: 0, subjectId, channel }))
      await watch(() => listMessageDeliveries(db, messageId, { subjectId }, { after: null, limit: page }))
    },
  },
  'reads what one person was sent': {
    about: eachOfPerson,
    async act(world, watch) {
      const { db, planted } = world
      const { waveId, messageId } = planted
      const subjectId = await somebody(world)
      await watch(() => listInbox(db, { subjectId, unread: false, after: null, limit: page }))
      await watch(() => listInbox(db, { subjectId, unread: true, after: waveId, limit: page }))
      await watch(() => countUnread(db, subjectId))
      await watch(() => markRead(db, subjectId, waveId))
      await watch(() => listSubjectDeliveries(db, subjectId, { after: null, limit: page }))
      await watch(() =>
        listSubjectDeliveries(db, subjectId, { after: { waveId, channel: 'email' }, limit: page }),
      )
      await watch(() => findSentMail(db, { waveId, subjectId }))
      await watch(() => findLinkSubject(db, { waveId, subjectId }))
      await watch(() => findTappedMessage(db, { messageId, subjectId }))
      await watch(() => findChoices(db, subjectId))
      await watch(() => wavesFor(db, messageId, subjectId))
    },
  },
  'clears what one person was sent': {
    about: eachOfPerson * perBatch,
    async act(world, watch) {
      const erasure = { subjectId: await somebody(world), messageIds: [] }
      await watch(() => world.db.transaction().execute((trx) => clearErasedData(trx, erasure)))
    },
  },
  'counts a wave into its day': {
    about: everything,
    async act({ db, planted: { waveId, unitId } }, watch) {
      await sql`update wave set finished_at = now() - interval '1 day' where id = ${waveId}`.execute(db)
      await watch(() => db.transaction().execute((trx) => rollUpWaves(trx, [waveId])))
      await watch(() => db.transaction().execute((trx) => closeNights(trx, [unitId])))
    },
  },
  'counts who was sent a message': {
    about: perKey,
    async act({ db, planted }, watch) {
      const received = [{ kind: 'received' as const, messageId: planted.messageId }]
      await watch(() =>
        countAudience(db, { ...everybody(planted), audience: { kind: 'query', history: received } }),
      )
    },
  },
  'writes the deliveries of a reminder': {
    about: perKey,
    async act({ db, planted }, watch) {
      const reminds = { messageId: planted.messageId, firstWaveId: planted.waveId, to: 'unanswered' as const }
      const { rows } = await sql<{ id: string }>`
        insert into wave (message_id, number, month) select message_id, 1, month from wave where id = ${planted.waveId}
        returning id`.execute(db)
      const reminder = { ...everybody(planted), messageId: planted.messageId, reminds }
      const sizes = { chat: 500, email: 128, avatar: 1 }
      await watch(() =>
        db.transaction().execute((trx) => insertDeliveries(trx, rows[0]!.id, reminder, sizes)),
      )
    },
  },
  'counts whom a category has reached': {
    about: everything,
    async act({ db, planted }, watch) {
      await watch(() => countAudience(db, { ...everybody(planted), frequencyCap: { messages: 2, days: 30 } }))
    },
  },
  'checks every invariant': {
    about: everything,
    async act({ db }, watch) {
      await watch(() => checkInvariants(db))
    },
  },
}
