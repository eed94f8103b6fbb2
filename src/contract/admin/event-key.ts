import { z } from 'zod'
import { distinct, Id, Instant, pageOf } from '../common.ts'
import { EventSource } from '../events/event.ts'
import { limits } from '../limits.ts'

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
    name: z.string().describe('What it is for, such as the name of a system.'),
    sources: z.array(z.string()).describe('The only sources whose events it may sign.'),
    createdAt: Instant.describe('When it was issued, in UTC.'),
    revokedAt: Instant.nullable().describe('When it was revoked, in UTC; null: it is active.'),
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
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .describe('What it is for, such as the name of a system: 1 to 200 characters.'),
    sources: about.sources,
  })
  .meta({ id: 'CreateEventKey', description: 'A new signing key of events.' })
export type CreateEventKey = z.infer<typeof CreateEventKey>

/** A key in a path. A malformed id is treated as an unknown one. */
export const EventKeyParams = z.object({
  id: z
    .string()
    .regex(/^[0-9A-Za-z]{1,64}$/)
    .describe('The id of the key, as in the header X-Service-Key-Id.'),
})

export const IssuedEventKey = z
  .object({
    id: z.string().describe('The id of the key, for the header X-Service-Key-Id.'),
    secret: z.string().describe('The secret to sign with. Returned only now: store it safely.'),
  })
  .meta({ id: 'IssuedEventKey', description: 'A new signing key. Its secret is stored encrypted.' })
export type IssuedEventKey = z.infer<typeof IssuedEventKey>
