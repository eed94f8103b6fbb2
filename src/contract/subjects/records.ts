import { z } from 'zod'
import { Id, Instant, pageOf } from '../common.ts'
import { deliveryFields } from '../delivery-fields.ts'
import { LocalisedText } from '../localised-text.ts'
import { turnFields } from '../turn-fields.ts'
import { Subject } from './subject.ts'

export const SubjectDelivery = z
  .object({
    messageId: Id.describe('The message.'),
    unitId: Id.describe('The unit that sent it.'),
    categoryId: z.string().describe('The id of its category.'),
    title: LocalisedText.nullable().describe('The title of the message; null for personal messages.'),
    ...deliveryFields,
  })
  .meta({ id: 'SubjectDelivery', description: 'The delivery of one message to the subject on one channel.' })
export type SubjectDelivery = z.infer<typeof SubjectDelivery>

export const SubjectDeliveryPage = pageOf(SubjectDelivery).meta({
  id: 'SubjectDeliveryPage',
  description: "One page of a subject's deliveries, newest first.",
})
export type SubjectDeliveryPage = z.infer<typeof SubjectDeliveryPage>

export const SubjectTurn = z
  .object({
    id: Id.describe('The id of the turn.'),
    runId: Id.nullable().describe('The run of the scenario; null: it is a reply in a handoff.'),
    scenarioId: Id.nullable().describe('The scenario; null as `runId`.'),
    handoffId: Id.nullable().describe('The handoff of a reply; null: a turn of a run.'),
    unitId: Id.describe('The unit that sent it.'),
    categoryId: z.string().nullable().describe('The id of the category of the scenario; null as `runId`.'),
    ...turnFields,
  })
  .meta({ id: 'SubjectTurn', description: 'The messages that a run, or a unit in a handoff, sent together.' })
export type SubjectTurn = z.infer<typeof SubjectTurn>

export const SubjectTurnPage = pageOf(SubjectTurn).meta({
  id: 'SubjectTurnPage',
  description: 'One page of the turns sent to a subject, newest first.',
})
export type SubjectTurnPage = z.infer<typeof SubjectTurnPage>

const Rows = z.array(z.record(z.string(), z.unknown()))

export const SubjectExport = z
  .object({
    exportedAt: Instant.describe('When it was made, in UTC.'),
    subject: Subject.describe('The subject with all attributes.'),
    records: z
      .record(z.string(), Rows)
      .describe('All other stored rows about the subject, by the name of the table.'),
    deliveries: z.array(SubjectDelivery).describe('All deliveries to the subject.'),
  })
  .meta({ id: 'SubjectExport', description: 'All data stored about one subject.' })
export type SubjectExport = z.infer<typeof SubjectExport>

export const ErasedSubject = z
  .object({
    subjectId: Id.describe('The id of the erased subject. Counts still refer to it; it identifies no one.'),
    erasedAt: Instant.describe('When it was erased, in UTC.'),
  })
  .meta({ id: 'ErasedSubject', description: 'The subject is erased: no personal data remains under its id.' })
export type ErasedSubject = z.infer<typeof ErasedSubject>
