import { randomBytes, randomUUID } from 'node:crypto'
import { listUrgent, listWaiting } from '../../../../src/db/queries/approval/waiting.ts'
import { announceAnswers, insertAnswerCallbacks } from '../../../../src/db/queries/callback/answers.ts'
import { disableCallback, retryDeliveriesNow } from '../../../../src/db/queries/callback/callback.ts'
import {
  insertMessageChange,
  listCallbackDeliveries,
  postponeDelivery,
  takeCallbackDeliveries,
} from '../../../../src/db/queries/callback/delivery.ts'
import { announceFailures } from '../../../../src/db/queries/callback/failures.ts'
import { listTemplates } from '../../../../src/db/queries/catalogue/template.ts'
import { recordsOf } from '../../../../src/db/queries/erasure/record.ts'
import {
  lockEvent,
  recordEvents,
  reopenEvents,
  takeOpenEvent,
} from '../../../../src/db/queries/event/event.ts'
import { listRecordedEvents } from '../../../../src/db/queries/event/recorded.ts'
import {
  insertWebhookEvents,
  isSuperseded,
  lastFollow,
  lockPendingEvents,
} from '../../../../src/db/queries/event/webhook.ts'
import { countUnanswered, listOpenHandoffs } from '../../../../src/db/queries/handoff/open.ts'
import { listHandoffMessages, listHandoffs } from '../../../../src/db/queries/handoff/records.ts'
import { findReply, hasReplyOfOthers } from '../../../../src/db/queries/handoff/reply.ts'
import { findAttention } from '../../../../src/db/queries/message/attention.ts'
import { listMessageItems, summaryOf } from '../../../../src/db/queries/message/read.ts'
import { readReminders, readUnitCounts } from '../../../../src/db/queries/metrics/executive.ts'
import { readRunHealth, takeRunsToWake } from '../../../../src/db/queries/run/reconcile.ts'
import { hasOccurred, listOccurrences } from '../../../../src/db/queries/schedule/occurrence.ts'
import { findByKey, listSchedules } from '../../../../src/db/queries/schedule/schedule.ts'
import { perKey } from '../planted/people.ts'
import { waiting } from '../planted/units.ts'
import { type Act, page } from './act.ts'

/** No more units than these are planted. */
const eachUnit = 10

/** What is read and done in a unit. */
export const unitActs: Record<string, Act> = {
  'lists the messages of a unit': {
    about: page,
    async act({ db, planted: { unitId, messageId } }, watch) {
      const list = (filter: Partial<Parameters<typeof listMessageItems>[2]>) =>
        listMessageItems(db, 'key:planted', { unitId, order: 'newest', after: null, limit: page, ...filter })
      await watch(() => list({}))
      await watch(() => list({ after: messageId, order: 'oldest' }))
      await watch(() => list({ states: ['sent'] }))
      await watch(() => list({ reference: 'reference-7' }))
      await watch(() => list({ categoryId: 'news' }))
    },
  },
  'reads past messages': {
    about: eachUnit * perKey,
    async act({ db, planted: { unitId } }, watch) {
      const states = ['submitted', 'sending'] as const
      const filter = { unitId, order: 'newest' as const, after: null, limit: page, states: [...states] }
      await watch(() => listMessageItems(db, 'key:planted', filter))
      await watch(() => findAttention(db, [unitId], 'key:planted', page))
    },
  },
  'looks at what waits in a unit': {
    about: 2 * waiting,
    async act({ db, planted: { unitId } }, watch) {
      await watch(() => summaryOf(db, unitId))
      await watch(() => listWaiting(db, unitId, { after: null, limit: page }))
      await watch(() => listUrgent(db, unitId, { text: '', skip: 0, limit: page }))
      await watch(() => listTemplates(db, { unitId }, { after: null, limit: page }))
      await watch(() => countUnanswered(db, [unitId]))
      await watch(() => listOpenHandoffs(db, unitId, { after: null, limit: page }))
    },
  },
  'wakes what is late': {
    about: 4 * waiting * eachUnit,
    async act({ db }, watch) {
      await watch(() => readRunHealth(db))
      await watch(() => takeRunsToWake(db, 100))
    },
  },
  'reports a change to a callback': {
    about: waiting,
    async act({ db, planted }, watch) {
      const { unitId, messageId, waveId, callbackId, subjectId } = planted
      const change = {
        types: ['message.state_changed'],
        unitId,
        messageId,
        state: 'sent',
        from: 'sending',
        version: 5,
      } as const
      await watch(() => db.transaction().execute((trx) => insertMessageChange(trx, change)))
      const answer = { unitId, messageId, subjectId, optionId: 'yes', data: null }
      await watch(() => db.transaction().execute((trx) => insertAnswerCallbacks(trx, answer)))
      await watch(() => db.transaction().execute((trx) => announceAnswers(trx, [callbackId], messageId)))
      const failures = [{ waveId, channel: 'email', number: 7, failed: 1 }] as const
      await watch(() =>
        db.transaction().execute((trx) => announceFailures(trx, { unitId, messageId }, failures)),
      )
    },
  },
  'takes what is to be delivered to callbacks': {
    about: 2 * waiting * eachUnit,
    async act({ db }, watch) {
      const slots = { limit: 20, perCallback: 5, perUnit: 5, busy: {}, leaseSeconds: 30 }
      await watch(() => db.transaction().execute((trx) => takeCallbackDeliveries(trx, slots)))
    },
  },
  'delivers to a callback': {
    about: 2 * waiting,
    async act({ db, planted: { callbackId, messageId } }, watch) {
      const attempt = {
        id: randomUUID(),
        callbackId,
        messageId,
        run: null,
        objectId: null,
        sequence: 'changes',
      }
      const result = { status: 500, code: null }
      await watch(() => db.transaction().execute((trx) => postponeDelivery(trx, attempt, 60, result)))
      await watch(() => db.transaction().execute((trx) => retryDeliveriesNow(trx, callbackId)))
      await watch(() => db.transaction().execute((trx) => disableCallback(trx, callbackId, 'gone')))
    },
  },
  'lists what was delivered to a callback': {
    about: page,
    async act({ db, planted: { callbackId } }, watch) {
      await watch(() => listCallbackDeliveries(db, callbackId, { after: null, limit: page }))
    },
  },
  'receives an event': {
    about: 1,
    async act({ db, planted: { source } }, watch) {
      const event = {
        type: 'course.moved',
        occurredAt: new Date().toISOString(),
        subjectUids: ['s1'],
        data: {},
      }
      const events = ['1000', randomUUID()].map((eventId) => ({ ...event, eventId }))
      const signed = { source, keyId: 'key', signature: randomBytes(32), events, barredKeys: [] }
      await watch(() => recordEvents(db, signed))
      await watch(() => db.transaction().execute((trx) => lockEvent(trx, { source, eventId: '1000' })))
      await watch(() => takeOpenEvent(db))
    },
  },
  'opens events again': {
    about: waiting,
    async act({ db, planted: { source } }, watch) {
      const binding = { source, type: 'course.moved', keyIds: null }
      await watch(() => db.transaction().execute((trx) => reopenEvents(trx, binding, 100)))
    },
  },
  'lists the events of a unit': {
    about: 4 * page,
    async act({ db, planted: { unitId } }, watch) {
      const filter = { unitId, source: null, type: null, error: null, eventId: null, messageId: null }
      const signingSources = new Map()
      await watch(() => listRecordedEvents(db, { ...filter, signingSources, after: null, limit: page }))
    },
  },
  'receives a webhook': {
    about: 2,
    async act({ db, planted: { address, subjectId } }, watch) {
      const event = {
        eventId: randomUUID(),
        type: 'message',
        address,
        subjectId: null,
        payload: {},
        outcome: null,
      }
      await watch(() => insertWebhookEvents(db, 'chat', [{ ...event, occurredAt: new Date().toISOString() }]))
      await watch(() => db.transaction().execute((trx) => lockPendingEvents(trx, subjectId)))
    },
  },
  'exports what is stored of a person': {
    about: perKey,
    async act({ db, planted: { subjectId } }, watch) {
      await watch(() => recordsOf(db, subjectId))
    },
  },
  'looks for an event of an address': {
    about: perKey,
    async act({ db, planted: { address } }, watch) {
      const before = {
        channel: 'chat' as const,
        address,
        type: 'follow',
        occurredAt: new Date(0),
        payload: {},
      }
      const event = { ...before, id: randomUUID(), subjectId: null, receivedAt: new Date(0) }
      await watch(() => db.transaction().execute((trx) => lastFollow(trx, address)))
      await watch(() => db.transaction().execute((trx) => isSuperseded(trx, event, ['follow'])))
    },
  },
  'lists handoffs, and what was said in one': {
    about: page,
    async act({ db, planted: { unitId, handoffId } }, watch) {
      await watch(() => listHandoffs(db, { unitId, states: undefined }, { after: null, limit: page }))
      await watch(() => findReply(db, { handoffId, idempotencyKey: '7' }))
    },
  },
  'reads a handoff': {
    about: perKey,
    async act({ db, planted: { handoffId } }, watch) {
      await watch(() => hasReplyOfOthers(db, { handoffId, actor: 'key:planted', after: null }))
      await watch(() => listHandoffMessages(db, handoffId, { messages: page, characters: 10_000 }))
    },
  },
  'lists what a schedule has made': {
    about: page,
    async act({ db, planted: { unitId, scheduleId } }, watch) {
      await watch(() => listOccurrences(db, scheduleId, { after: null, limit: page }))
      await watch(() => db.transaction().execute((trx) => hasOccurred(trx, scheduleId, '7')))
      await watch(() => listSchedules(db, unitId, { after: null, limit: page }))
      await watch(() => findByKey(db, unitId, '7'))
    },
  },
  'counts the last days of a unit': {
    about: eachUnit * perKey,
    async act({ db, planted: { unitId } }, watch) {
      await watch(() => readUnitCounts(db, unitId, 7))
      await watch(() => readReminders(db, unitId, { days: 7, limit: page }))
    },
  },
}
