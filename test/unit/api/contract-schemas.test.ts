import fastify from 'fastify'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { useContractSchemas } from '../../../src/api/plugins/contract-schemas.ts'
import { answerErrors } from '../../../src/api/plugins/errors.ts'

/** Returns `value` where the contract requires `{ size: integer }`. */
async function answering(value: unknown) {
  const app = fastify()
  answerErrors(app, () => false)
  useContractSchemas(app)
  const response = { 200: { content: { 'application/json': { schema: z.object({ size: z.int() }) } } } }
  app.get('/', { schema: { response } }, async () => value)
  const answer = await app.inject('/')
  return { status: answer.statusCode, body: answer.json() }
}

it('an answer contains only what its schema declares', async () => {
  expect(await answering({ size: 3, secret: 'x' })).toEqual({ status: 200, body: { size: 3 } })
})

it('an answer that does not have the shape of its schema is an internal error', async () => {
  const { status, body } = await answering({ size: 'three' })
  expect(status).toBe(500)
  expect(body).toMatchObject({ error: { code: 'internal' } })
  expect(JSON.stringify(body)).not.toContain('three')
})
