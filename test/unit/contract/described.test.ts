import { describe, expect, it } from 'vitest'
import { callbackRequests } from '../../../src/contract/callbacks/event.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { type CallbackType, callbackTypes, keysOf } from '../../../src/contract/enums.ts'
import { errorDetails } from '../../../src/contract/error-details.ts'
import { errorStatus } from '../../../src/contract/errors.ts'
import { exampleId, exampleUnitId } from '../../../src/contract/example-ids.ts'
import { describeApi } from '../../../src/contract/openapi/document.ts'
import { type JsonSchema, partsOf } from '../../../src/contract/openapi/json-schema.ts'
import { lookupRequest } from '../../../src/contract/scenarios/lookup-request.ts'
import type { DueDelivery } from '../../../src/db/queries/callback/delivery.ts'
import { payloadOf } from '../../../src/services/callbacks/deliver.ts'

const document = describeApi(endpoints)
const { schemas, securitySchemes } = document.components
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
)
const webhooks = Object.entries(document.webhooks).flatMap(([name, { get, post }]) => [
  { name, ...post },
  ...(get ? [{ name: `${name}, GET`, ...get }] : []),
])
const parameters = [...operations, ...webhooks].flatMap(({ name, parameters = [] }) =>
  parameters.map((parameter) => ({ ...parameter, place: `${name}, ${parameter.in} ${parameter.name}` })),
)

type Placed = { place: string; schema: JsonSchema }

/** Every schema of the document outside of others, with its place. */
const roots: Placed[] = [
  ...Object.entries(schemas).map(([place, schema]) => ({ place, schema })),
  ...parameters.map(({ place, schema }) => ({ place, schema })),
  ...[...operations, ...webhooks].flatMap(({ name, requestBody }) =>
    Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({
      place: `${name}, ${type}`,
      schema: schema!,
    })),
  ),
  ...operations.flatMap(({ name, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.values(content).map(({ schema }) => ({ place: `${name}, ${status}`, schema: schema! })),
    ),
  ),
]

/** A schema with all those inside it. */
function within({ place, schema }: Placed): Placed[] {
  const inner = partsOf(schema).map((part, at) => {
    const field = Object.entries(schema.properties ?? {}).find(([, property]) => property === part)
    return { place: `${place}.${field ? field[0] : at}`, schema: part }
  })
  return [{ place, schema }, ...inner.flatMap(within)]
}

const everySchema = roots.flatMap(within)
const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref ? resolved(schemas[schema.$ref.split('/').at(-1)!]!) : schema

/** Says more than the name: at least one word that the name does not contain. */
function isDescription(text: string | undefined, name: string): boolean {
  const words = (text ?? '').toLowerCase().match(/[a-z]{3,}/g) ?? []
  return words.some((word) => !name.toLowerCase().includes(word))
}

describe('the description of the API', () => {
  it('says what every schema is', () => {
    expect(Object.keys(schemas).filter((name) => !isDescription(schemas[name]!.description, name))).toEqual(
      [],
    )
  })

  it('names every form of a union, so that generators do', () => {
    const nameless = Object.entries(schemas).flatMap(([name, { anyOf = [], oneOf = [] }]) =>
      [...anyOf, ...oneOf].filter(({ properties }) => properties).map(() => name),
    )
    expect(nameless).toEqual([])
  })

  it('names the closed lists that callers use in several places', () => {
    const lists = ['Channel', 'Locale', 'Stage', 'SubjectRole', 'UnitRole', 'LegalBasis', 'CallbackType']
    const named = new Set(lists.map((name) => JSON.stringify(schemas[name]?.enum)))
    const again = everySchema.filter(({ schema }) => schema.enum && named.has(JSON.stringify(schema.enum)))
    expect(again.map(({ place }) => place).sort()).toEqual(lists.sort())
  })

  it('says what every property means', () => {
    const silent = everySchema.flatMap(({ place, schema }) =>
      Object.entries(schema.properties ?? {})
        .filter(([name, { description }]) => !isDescription(description, name))
        .map(([name]) => `${place}.${name}`),
    )
    expect(silent).toEqual([])
  })

  it('says what every parameter means, of operations and of callbacks', () => {
    const silent = parameters.filter(({ name, description }) => !isDescription(description, name))
    expect(silent.map(({ place }) => place)).toEqual([])
  })

  it('says in words how callers authenticate, with the mock headers', () => {
    for (const [name, { description }] of Object.entries(securitySchemes))
      expect(description.length, name).toBeGreaterThan(60)
    const names = Object.values(securitySchemes).flatMap((scheme) => ('name' in scheme ? [scheme.name] : []))
    expect(names).toEqual(expect.arrayContaining(['x-mock-channel-user', 'x-mock-signature']))
  })
})

/** Unions without a discriminator of texts, and the properties that each only one of the forms has, or has so. */
const toldApartBy: Record<string, string[]> = {
  ApprovalOutcome: ['approved'],
  EventAnswer: ['accepted'],
  EventErrorDetails: ['variables', 'violations', 'issues'],
  Pace: ['perMinute'],
  PaceOutput: ['perMinute'],
}

describe('the forms of a union', () => {
  const unions = everySchema.flatMap(({ place, schema }) => {
    const members = schema.oneOf ?? schema.anyOf ?? []
    const objects = members.filter((member) => resolved(member).type === 'object' || resolved(member).oneOf)
    return objects.length > 1 ? [{ place, schema, members: objects }] : []
  })

  it('are named by a discriminator, or told apart by a property that the description names', () => {
    for (const { place, schema, members } of unions) {
      const { discriminator, description = '' } = schema
      if (discriminator) {
        const { propertyName, mapping = {} } = discriminator
        expect(Object.values(mapping), place).toEqual(members.map(({ $ref }) => $ref))
        for (const [value, $ref] of Object.entries(mapping)) {
          const { properties, required } = resolved({ $ref })
          expect(properties![propertyName]!.const, place).toBe(value)
          expect(required, place).toContain(propertyName)
        }
        continue
      }
      const telling = toldApartBy[place] ?? []
      expect(telling, `${place} needs a discriminator`).not.toEqual([])
      for (const property of telling) expect(description, place).toContain(`\`${property}\``)
      const forms = members.map((member) => {
        const { properties = {}, required = [] } = resolved(member)
        const has = telling.filter((property) => required.includes(property))
        return JSON.stringify(has.map((property) => [property, properties[property]!.const ?? true]))
      })
      expect(new Set(forms).size, place).toBe(members.length)
    }
  })

  it('are messages, buttons, audiences, errors and others', () => {
    const places = unions.filter(({ schema }) => schema.discriminator).map(({ place }) => place)
    expect(places).toEqual(
      expect.arrayContaining(['CanonicalMessage', 'TemplateAction', 'Audience', 'HistoryEntry', 'Preview']),
    )
  })
})

describe('alternatives of which exactly one, or at least one, is given', () => {
  it('are said', () => {
    for (const name of ['CreateMessage'])
      expect(schemas[name]!.description).toMatch(/exactly one of templateId .*or messages/)
    for (const field of ['templateId', 'messages'])
      expect(schemas.CreateMessage!.properties![field]!.description).toMatch(/^.*[Ee]xactly one of/)
    expect(schemas.EmailEvent!.description).toContain('at least one of address and messageId')
  })
})

describe('errors', () => {
  it.each(keysOf(errorStatus))('%s has typed details, or says that it has none', (code) => {
    const $ref = schemas.ErrorBody!.properties!.error!.discriminator!.mapping![code]!
    const { properties, description } = resolved({ $ref })
    const details = properties!.details
    if (errorDetails[code] === null) {
      expect(details).toBeUndefined()
      expect(description).toContain('It has no details.')
    } else expect(Object.keys(details!.properties!)).not.toEqual([])
  })

  it('have the details of the operation where they differ from the usual ones', () => {
    const quota = operations.find(({ operationId }) => operationId === 'adminSetQuota')!.responses['409']!
    const text = JSON.stringify(quota.content['application/json']!.schema)
    expect(text).toContain('#/components/schemas/AdminSetQuotaQuotaExceededError')
    expect(schemas.AdminSetQuotaQuotaExceededError!.properties!.details!.required).toEqual(['used'])
    expect(schemas.QuotaExceededError!.properties!.details!.required).toEqual(['channel', 'short'])
  })

  it('promise Retry-After only where it comes', () => {
    for (const { name, responses } of operations)
      for (const [status, { headers, description }] of Object.entries(responses)) {
        const header = headers?.['Retry-After']
        const codes = description.split(', ')
        const waits = codes.filter((code) => ['rate_limited', 'retryable', 'unavailable'].includes(code))
        expect(header !== undefined, `${name}, ${status}`).toBe(waits.length > 0)
        if (header) expect(header.required, `${name}, ${status}`).toBe(waits.length === codes.length)
      }
  })
})

describe('responses', () => {
  const names = new Set<string>()
  const answered = (schema: JsonSchema, place: string): Placed[] => {
    const name = schema.$ref?.split('/').at(-1)
    if (name !== undefined) {
      if (names.has(name)) return []
      names.add(name)
      return answered(schemas[name]!, name)
    }
    return [{ place, schema }, ...partsOf(schema).flatMap((part) => answered(part, place))]
  }

  it('are open against new fields, and requests are not', () => {
    const closable = [
      ...operations.flatMap(({ name, responses }) =>
        Object.values(responses).flatMap(({ content }) =>
          Object.values(content).flatMap(({ schema }) => answered(schema!, name)),
        ),
      ),
      ...webhooks.flatMap(({ name, requestBody }) =>
        Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => answered(schema!, name)),
      ),
    ]
    const closed = closable.filter(({ schema }) => schema.additionalProperties === false)
    expect(closed.map(({ place }) => place)).toEqual([])
    expect(closable.length).toBeGreaterThan(100)
    for (const name of ['CreateMessage', 'LocalisedText', 'CardMessage', 'Profile', 'ImportRecord'])
      expect(schemas[name]?.additionalProperties ?? false, name).toBe(false)
  })
})

const delivery: DueDelivery = {
  id: exampleId,
  callbackId: exampleId,
  tries: 0,
  unitId: exampleUnitId,
  url: 'https://example.edu/',
  secret: Buffer.alloc(0),
  oldSecret: null,
  type: 'message.closed',
  at: new Date('2026-12-01T01:00:00Z'),
  messageId: exampleId,
  run: { id: exampleId, scenarioId: exampleId, version: 3 },
  state: 'sent',
  from: 'sending',
  version: 5,
  objectId: exampleId,
  subjectId: exampleId,
  uid: 's1024001',
  data: null,
  mayNamePeople: true,
  sequence: 'changes',
  reference: 'case-17',
  traceparent: null,
  planMode: 'all',
  waves: [],
}

describe('callbacks', () => {
  it('are described by type, with their headers', () => {
    const callbacks = webhooks.filter(({ tags }) => tags.includes('Callbacks'))
    expect(callbacks.map(({ name }) => name)).toEqual([...callbackTypes, 'callback.test'])
    for (const { parameters } of callbacks)
      expect(parameters.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['Webhook-Id', 'Webhook-Timestamp', 'Webhook-Signature']),
      )
  })

  it('have examples that their schemas accept, with no further field', () => {
    for (const [type, { schema, example }] of Object.entries(callbackRequests)) {
      expect(schema.parse(example), type).toEqual(example)
      expect(example).toMatchObject({ type })
    }
  })

  it('are sent as described', () => {
    const counters = { expected: 3, sent: 2, skipped: { blocked: 1 }, failed: 0, unknown: 0 }
    const wave = { ...counters, state: 'sent', byChannel: { chat: counters }, people: null } as const
    const counted = {
      ...{ ...wave, byChannel: { chat: counters, email: counters } },
      people: { reached: 2, unknown: 0, failed: 0, skipped: 1 },
    }
    const data = {
      'message.state_changed': null,
      'message.closed': null,
      'message.answered': { optionId: '1.2', data: { v: 1, o: 'yes' } },
      'message.answer_counts': { answers: { yes: 4 } },
      'run.answered': { node: 'join', optionId: null, data: null },
      'run.ended': { state: 'failed', reason: 'noConsent' },
      'delivery.failed': { people: 1, batches: [] },
      'registration.changed': { patternId: exampleId, state: 'waitlisted', position: 3 },
      'handoff.opened': { runId: null, reason: null },
      'handoff.closed': { runId: exampleId, reason: 'silence' },
      'import.closed': { lines: 3, written: 2, rejected: 1 },
      'address.suppressed': { channel: 'email', reason: 'bounce' },
      'preference.changed': { categories: { news: { chat: false } }, topics: {}, language: 'en' },
    } as const satisfies Record<CallbackType, DueDelivery['data']>
    const failures = [{ subjectId: null, uid: null, channel: 'chat' as const, reason: 'http_400' }]
    for (const type of callbackTypes)
      for (const waves of [[], [wave], [wave, { ...wave, expected: null }], [counted]]) {
        const sent = JSON.parse(
          payloadOf({ ...delivery, type, data: data[type] as DueDelivery['data'], waves }, failures),
        )
        expect(callbackRequests[type].schema.parse(sent), type).toEqual(sent)
      }
  })
})

describe('Lookups', () => {
  const named = ({ parameters }: { parameters: { name: string }[] }) => parameters.map(({ name }) => name)
  const signed = [
    'X-Service-Key-Id',
    'X-Service-Timestamp',
    'X-Service-Signature',
    'X-Service-Target',
    'X-Service-Target-Signature',
    'User-Agent',
    'Traceparent',
  ]

  it('are described with their headers, and the person in query or body', () => {
    const { get, post } = document.webhooks.lookup!
    expect(named(get!)).toEqual([...signed, 'subject'])
    expect(named(post)).toEqual(signed)
    expect(resolved(post.requestBody!.content['application/json']!.schema!).required).toEqual(['subject'])
    expect(lookupRequest.body.parse({ subject: exampleId, orderId: 1 })).toEqual({
      subject: exampleId,
      orderId: 1,
    })
  })
})

describe('bodies of lines', () => {
  it('have the schema of a line', () => {
    const bodies = operations.flatMap(({ requestBody }) =>
      Object.entries(requestBody?.content ?? {}).filter(([type]) => !/^image\/|\/json$/.test(type)),
    )
    expect(bodies.map(([type]) => type).sort()).toEqual([
      'application/x-ndjson',
      'application/x-ndjson',
      'text/csv',
    ])
    for (const [type, { schema }] of bodies) {
      expect(schema).toMatchObject({ type: 'string', contentMediaType: type })
      expect(resolved(schema!.contentSchema!).type).toBeDefined()
    }
  })
})

describe('patterns', () => {
  it('are of the kind that every language knows', () => {
    for (const { place, schema } of everySchema)
      if (schema.pattern !== undefined) expect(schema.pattern, place).not.toMatch(/\\p\{|\\0|\(\?[=!<]|\\u/)
  })
})
