import { CreatePerson, EditPerson, Person, PersonListQuery, PersonPage } from '../../admin/person.ts'
import { IdParams } from '../../common.ts'
import type { Endpoint } from '../../endpoint.ts'
import { forAdministrators, page } from './common.ts'
import { examplePerson } from './examples.ts'

/** Those who sign in to the console. */
export const adminPersonEndpoints = {
  adminListPersons: {
    ...forAdministrators,
    method: 'GET',
    path: '/v1/admin/persons',
    summary: 'Persons who can sign in',
    description: 'Newest first, or the one with an address.',
    query: PersonListQuery,
    answers: { 200: page(PersonPage, examplePerson) },
    errors: [],
  },
  adminCreatePerson: {
    ...forAdministrators,
    method: 'POST',
    path: '/v1/admin/persons',
    summary: 'Write a person down',
    description: 'They may sign in from then on; what they may do, their roles in units say.',
    body: CreatePerson,
    bodyExample: { email: examplePerson.email, name: examplePerson.name },
    answers: { 201: { description: 'The person.', schema: Person, example: examplePerson } },
    errors: [],
  },
  adminEditPerson: {
    ...forAdministrators,
    method: 'PATCH',
    path: '/v1/admin/persons/{id}',
    summary: 'Change a person',
    description: 'The last system administrator stays one.',
    params: IdParams,
    body: EditPerson,
    bodyExample: { systemAdmin: true },
    answers: {
      200: { description: 'The person.', schema: Person, example: { ...examplePerson, systemAdmin: true } },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
