import { NamedOrganisers, NameOrganisers } from './answers.ts'
import { IdParams } from './common.ts'
import { exampleId } from './example-ids.ts'

/** Which roles read who answered what; others read it of single messages and patterns (src/domain/rights/answers.ts). */
export const ofReaders = { roles: ['approver'], readers: true } as const

export const aboutOrganisers =
  'Organisers read who answered what, and may do nothing else with it. Who is named now reads what is answered from now on, ' +
  'who was one stays one since then. It ends when they leave the unit.'

/** Names the organisers of a message or a pattern. */
export const namesOrganisers = {
  method: 'PUT',
  auth: ['session'],
  roles: ['approver'],
  unit: 'object',
  params: IdParams,
  summary: 'Name the organisers',
  body: NameOrganisers,
  bodyExample: { organisers: [] },
  answers: {
    200: {
      description: 'The organisers.',
      schema: NamedOrganisers,
      example: {
        organisers: [{ id: exampleId, name: 'Lin Mei-Hua', since: '2030-12-01T01:00:00.000Z' }],
      },
    },
  },
  errors: [],
} as const
