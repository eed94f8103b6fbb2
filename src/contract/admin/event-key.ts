import { z } from 'zod'
import { distinct, Id, pageOf } from '../common.ts'
import { EventSource } from '../events/event.ts'
import { limits } from '../limits.ts'
import { issued, KeyId, KeyName } from './key.ts'

const about = {
  unitId: Id.describe('The unit whose bindings its events trigger.'),
  sources: z
    .array(EventSource)
    .min(1)
    .max(limits.sourcesPerEventKey)
    .overwrite(distinct)
    .describe(`The only sources whose events it may sign, 1 to ${limits.sourcesPerEventKey}.`),
}

export const EventKey = z
  .object({
    id: z.string().describe('The id of the key, for the header X-Service-Key-Id.'),
    unitId: about.unitId,
    name: issued.name,
    sources: z.array(z.string()).describe('The only sources whose events it may sign.'),
    createdAt: issued.createdAt,
    revokedAt: issued.revokedAt,
  })
  .meta({ id: 'EventKey', description: 'A signing key of events, without its secret.' })
export type EventKey = z.infer<typeof EventKey>

export const EventKeyPage = pageOf(EventKey).meta({
  id: 'EventKeyPage',
  description: 'One page of signing keys, newest first.',
})

export const CreateEventKey = z
  .strictObject({
    unitId: about.unitId,
    name: KeyName,
    sources: about.sources,
  })
  .meta({ id: 'CreateEventKey', description: 'A new signing key of events.' })
export type CreateEventKey = z.infer<typeof CreateEventKey>

/** A signing key in a path. */
export const EventKeyParams = z.object({
  id: KeyId.describe('The id of the key, as in the header X-Service-Key-Id.'),
})

export const IssuedEventKey = z
  .object({
    id: z.string().describe('The id of the key, for the header X-Service-Key-Id.'),
    secret: z.string().describe('The secret to sign with. Returned only now: store it safely.'),
  })
  .meta({ id: 'IssuedEventKey', description: 'A new signing key. Its secret is stored encrypted.' })
export type IssuedEventKey = z.infer<typeof IssuedEventKey>
