import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { Id, Instant, pageOf, Reference } from '../common.ts'

/** `scheme://host` with a port or `*`, without anything behind it, and without characters that a URL drops. */
const form = /^(https?:\/\/[^\s\p{Cc}/?#@:[\]]+|https?:\/\/\[[0-9a-f:.]+\])(:\d{1,5}|:\*)?$/iu

/** The base and the port of an origin; null if it is none. */
function partsOf(text: string): { base: string; port: string } | null {
  const [, base, port = ''] = form.exec(text) ?? []
  if (base === undefined || !URL.canParse(port === ':*' ? base : text)) return null
  // A URL takes it for a letter of the name, which no address has.
  return new URL(base).hostname.includes('*') ? null : { base, port }
}

/** In the spelling of a URL: host in lower case, no port that the scheme has anyway. */
function normalised(text: string): string {
  const parts = partsOf(text)
  if (!parts) return text
  return parts.port === ':*' ? `${new URL(parts.base).origin}:*` : new URL(text).origin
}

const origin = z
  .string()
  .max(300)
  .refine((text) => partsOf(text) !== null, orBroken('wrong_format', { format: 'origin' }))
  .overwrite(normalised)
  .meta({
    description:
      'Scheme, host and port that Lookups may call: https at a public address, or what the operator ' +
      'allows in OUTBOUND_ALLOW. `*` in place of the port allows every port.',
    examples: ['https://orders.example.edu', 'https://orders.example.edu:8443'],
  })

export const LookupEndpoint = z
  .object({
    id: Id.describe('The id of the endpoint, to delete it.'),
    origin: z
      .string()
      .describe('Scheme, host and port that Lookups may call; `*` in place of the port: every one.'),
    unitId: Id.nullable().describe('The unit whose scenarios may call it; null: those of every unit.'),
    keyId: z.string().nullable().describe('The id of the key that signs the calls; null: the first one.'),
    sendUid: z
      .boolean()
      .describe('Whether POST Lookups there send the uid of the person beside the subject id.'),
    createdAt: Instant.describe('When it was registered, in UTC.'),
  })
  .meta({ id: 'LookupEndpoint', description: 'An endpoint that the scenarios may call.' })
export type LookupEndpoint = z.infer<typeof LookupEndpoint>

export const LookupEndpointPage = pageOf(LookupEndpoint).meta({
  id: 'LookupEndpointPage',
  description: 'One page of endpoints, newest first.',
})

export const CreateLookupEndpoint = z
  .strictObject({
    origin,
    unitId: Id.nullable()
      .default(null)
      .describe('The id of the unit whose scenarios may call it. null, the default: those of every unit.'),
    keyId: Reference.nullable()
      .default(null)
      .describe(
        'The id of the signing key, one of EVENT_SIGNING_KEYS, that signs the calls. null, the default: the first one.',
      ),
    sendUid: z
      .boolean()
      .default(false)
      .describe(
        'Whether Lookups by POST send `uid` beside `subject`: only to a system that knows people by it. Each is in the audit ' +
          'log. Default: false.',
      ),
  })
  .meta({ id: 'CreateLookupEndpoint', description: 'An endpoint to register.' })
export type CreateLookupEndpoint = z.infer<typeof CreateLookupEndpoint>

export const DeletedLookupEndpoint = z
  .object({ deleted: z.literal(true).describe('Always true.') })
  .meta({ id: 'DeletedLookupEndpoint', description: 'The endpoint is deleted.' })
