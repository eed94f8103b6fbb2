import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'
import { describeIssue } from '../../contract/describe-issue.ts'
import { ServiceError } from '../../contract/errors.ts'
import { pathOf } from '../../services/validation-error.ts'

/** A caller with a thousand faults is told the first of them. */
const issuesTold = 50

/** Checks requests with the contract's schemas, and writes answers with them: what they do not declare is dropped. */
export function useContractSchemas(app: FastifyInstance): void {
  app.setValidatorCompiler(check)
  app.setSerializerCompiler(write)
}

const check: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data) => {
    const result = schema.safeParse(data, { error: describeIssue })
    if (result.success) return { value: result.data }
    if (httpPart === 'params') return { error: notThere(result.error.issues[0]!) }
    if (httpPart === 'body' && (data === undefined || data === null)) return { error: missing() }
    const issues = result.error.issues
      .slice(0, issuesTold)
      .map(({ path, message }) => ({ path: pathOf(path), message }))
    return { error: new ServiceError('validation_error', sentence(issues), { issues }) }
  }

const write: FastifySerializerCompiler<z.ZodType> =
  ({ schema, method, url }) =>
  (data) => {
    const result = z.safeEncode(schema, data)
    if (result.success) return JSON.stringify(result.data)
    throw new Error(`${method} ${url}: the answer does not have the shape of its schema`, {
      cause: result.error,
    })
  }

/** What is no id names nothing of ours: the same code as for an unknown one. */
function notThere({ path, message }: z.core.$ZodIssue): ServiceError {
  const name = pathOf(path)
  const why = name === 'id' ? 'it does not look like one of ours' : message
  return new ServiceError('not_found', `There is no such ${name}: ${why}. Check the path.`)
}

function missing(): ServiceError {
  const issues = [{ path: '', message: 'is missing' }]
  return new ServiceError('validation_error', 'Send a JSON body; /docs shows its shape.', { issues })
}

function sentence(issues: { path: string; message: string }[]): string {
  const [first] = issues
  if (!first) return 'The request does not have the right shape.'
  return `The request does not have the right shape: ${first.path || 'body'}: ${first.message}.`
}
