import { Readable } from 'node:stream'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '../../contract/errors.ts'
import { readValue } from '../../contract/read-value.ts'
import { broken } from '../../contract/rules.ts'
import { type Issue, issuesFound, pathOf, plainIssue, requestError } from '../../services/validation-error.ts'

/** Validates requests and serialises responses with the contract's schemas, which drop undeclared fields. */
export function useContractSchemas(app: FastifyInstance): void {
  app.setValidatorCompiler(check)
  app.setSerializerCompiler(write)
}

const check: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data) => {
    if (data instanceof Readable) return { value: data } // lines, which their handler reads
    const result = readValue(schema, data)
    if (result.success) return { value: result.data }
    if (httpPart === 'params') return { error: notFound(result.error.issues[0]!) }
    if (httpPart === 'body' && (data === undefined || data === null)) return { error: missing() }
    const issues = issuesFound(result.error, (issue) => issueIn(httpPart, schema, issue))
    return { error: new ServiceError('validation_error', sentence(issues, httpPart), { issues }) }
  }

const write: FastifySerializerCompiler<z.ZodType> =
  ({ schema, method, url }) =>
  (data) => {
    const result = z.safeEncode(schema, data)
    if (result.success) return JSON.stringify(result.data)
    throw new Error(`${method} ${url}: the response does not match its schema`, {
      cause: result.error,
    })
  }

function issueIn(part: string | undefined, schema: z.ZodType, issue: z.core.$ZodIssue): Issue {
  const contractIssue = plainIssue(issue)
  if (part !== 'querystring' || contractIssue.rule !== 'unknown_field') return contractIssue
  const { fields, others } = contractIssue
  const values = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return { path: '', ...broken('unknown_parameter', { fields, ...(others && { others }), values }) }
}

/** A malformed id gets the same code as an unknown one. */
function notFound({ path, message }: z.core.$ZodIssue): ServiceError {
  const name = pathOf(path)
  const why = name === 'id' ? 'is not a valid id' : message
  return new ServiceError('not_found', `Not found: ${name} ${why}. Check the path.`)
}

function missing(): ServiceError {
  return requestError('Send a JSON body; /docs shows its schema.', { path: '', ...broken('missing') })
}

function sentence(issues: { path: string; message: string }[], part: string | undefined): string {
  const [first] = issues
  if (!first) return 'The request is invalid.'
  return `The request is invalid: ${first.path || (part === 'querystring' ? 'query' : 'body')}: ${first.message}.`
}
