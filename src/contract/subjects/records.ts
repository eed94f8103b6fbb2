import { z } from 'zod'
import { Channel, Id, Instant, pageOf } from '../common.ts'
import { deliveryStates } from '../enums.ts'
import { LocalisedText } from '../localised-text.ts'
import { Subject } from './subject.ts'

/** What became of one message for one person on one channel. */
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
      description: 'When the provider was first asked; for the skipped, when the send began.',
    }),
  })
  .meta({ id: 'SubjectDelivery' })
export type SubjectDelivery = z.infer<typeof SubjectDelivery>

/** One page of a person's deliveries, newest first. */
export const SubjectDeliveryPage = pageOf(SubjectDelivery).meta({ id: 'SubjectDeliveryPage' })
export type SubjectDeliveryPage = z.infer<typeof SubjectDeliveryPage>

const Rows = z.array(z.record(z.string(), z.unknown()))

/** Everything that is held of one person. `records`: rows by the name of their table, as they are stored. */
export const SubjectExport = z
  .object({
    exportedAt: Instant,
    subject: Subject,
    records: z.record(z.string(), Rows),
    deliveries: z.array(SubjectDelivery),
  })
  .meta({ id: 'SubjectExport' })
export type SubjectExport = z.infer<typeof SubjectExport>

/** The id under which nothing about a person is held any more; counts go on naming it. */
export const ErasedSubject = z.object({ subjectId: Id, erasedAt: Instant }).meta({ id: 'ErasedSubject' })
export type ErasedSubject = z.infer<typeof ErasedSubject>
