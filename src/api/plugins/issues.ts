import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { ServiceError } from '../../contract/errors.ts'
import { pathOf } from '../../services/invalid.ts'

/** A caller with a thousand faults is told the first of them. */
const issuesTold = 50

/** Checks requests with the contract's schemas, and writes answers with them: what they do not declare is dropped. */
export function useContractSchemas(app: FastifyInstance): void {
  app.setValidatorCompiler(check)
  app.setSerializerCompiler(serializerCompiler)
}

const check: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data) => {
    const result = schema.safeParse(data)
    if (result.success) return { value: result.data }
    // What is no id names nothing of ours: the same answer as for an unknown one.
    if (httpPart === 'params') return { error: new ServiceError('not_found', 'There is no such id.') }
    const issues = result.error.issues
      .slice(0, issuesTold)
      .map(({ path, message }) => ({ path: pathOf(path), message }))
    return { error: new ServiceError('validation_error', sentence(issues), { issues }) }
  }

function sentence(issues: { path: string; message: string }[]): string {
  const [first] = issues
  if (!first) return 'The request does not have the right shape.'
  return `The request does not have the right shape: ${first.path || 'body'}: ${first.message}.`
}
