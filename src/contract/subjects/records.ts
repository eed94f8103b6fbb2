import { z } from 'zod'
import { Channel, Id, Instant, pageOf } from '../common.ts'
import { deliveryStates } from '../enums.ts'
import { LocalisedText } from '../localised-text.ts'
import { Subject } from './subject.ts'

/** The delivery of one message to one subject on one channel. */
export const SubjectDelivery = z
  .object({
    messageId: Id,
    unitId: Id,
    categoryId: z.string(),
    title: LocalisedText.nullable().meta({ description: 'null for personal messages.' }),
    reminder: z.boolean(),
    channel: Channel,
    state: z.enum(deliveryStates),
    reason: z.string().nullable(),
    at: Instant.nullable().meta({
      description: 'When the provider was first called; for skipped deliveries, when the send started.',
    }),
  })
  .meta({ id: 'SubjectDelivery' })
export type SubjectDelivery = z.infer<typeof SubjectDelivery>

/** One page of a subject's deliveries, newest first. */
export const SubjectDeliveryPage = pageOf(SubjectDelivery).meta({ id: 'SubjectDeliveryPage' })
export type SubjectDeliveryPage = z.infer<typeof SubjectDeliveryPage>

const Rows = z.array(z.record(z.string(), z.unknown()))

/** All data stored about one subject. `records`: stored rows, by table name. */
export const SubjectExport = z
  .object({
    exportedAt: Instant,
    subject: Subject,
    records: z.record(z.string(), Rows),
    deliveries: z.array(SubjectDelivery),
  })
  .meta({ id: 'SubjectExport' })
export type SubjectExport = z.infer<typeof SubjectExport>

/** The id of the erased subject. No personal data remains under it; counts still refer to it. */
export const ErasedSubject = z.object({ subjectId: Id, erasedAt: Instant }).meta({ id: 'ErasedSubject' })
export type ErasedSubject = z.infer<typeof ErasedSubject>
