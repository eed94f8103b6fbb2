import { z } from 'zod'
import { Id } from '../common.ts'
import { limits } from '../limits.ts'

const subject = Id.describe("The person, by Carillon's subject id: the one that binding an address returned.")

const uid = z
  .string()
  .describe('The uid of the person. Only to an endpoint that was registered with `sendUid`.')

/** What Carillon sends to the endpoint of a Lookup, and what it takes as its answer (docs/api/lookups.md). */
export const lookupRequest = {
  headers: z.object({
    'x-service-key-id': z.string().describe('The id of the signing key.'),
    'x-service-timestamp': z
      .string()
      .describe(
        `When the request was signed, in Unix seconds. Reject what is more than ${limits.timestampToleranceSeconds} seconds old.`,
      ),
    'x-service-signature': z
      .string()
      .describe(
        '`v1=` followed by the hex HMAC-SHA256 of `timestamp.query` (GET: the query as on the request line, without `?`) ' +
          'or `timestamp.rawBody` (POST) under the secret of the key.',
      ),
    'x-service-target': z
      .string()
      .describe(
        'Method and address of the call, such as `GET https://sis.example.edu/orders`; without the query of a GET, which ' +
          '`X-Service-Signature` covers.',
      ),
    'x-service-target-signature': z
      .string()
      .describe(
        '`v1=` followed by the hex HMAC-SHA256 of `timestamp.signature.target`, the values of the three headers, under the ' +
          'secret of the key. Verify it, and compare the target with your own address, where one key signs Lookups to ' +
          'several addresses.',
      ),
    'user-agent': z.string().describe('`Carillon`.'),
    traceparent: z
      .string()
      .optional()
      .describe(
        'The span of this call (W3C Trace Context), where the installation records traces. It is not signed: use it ' +
          'for traces only.',
      ),
  }),
  query: z.object({ subject }),
  body: z.looseObject({ subject, uid: uid.optional() }).meta({
    id: 'LookupBody',
    description: 'The person, and the variables that the node names, by name.',
  }),
  answer: z
    .record(z.string(), z.unknown())
    .meta({ id: 'LookupAnswer', description: 'What is known. Each field becomes a variable of the run.' }),
}
