import { isBodySigned } from '../../../../src/api/auth/authenticate.ts'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import type { ErrorCode } from '../../../../src/contract/errors.ts'
import { type CallerKind, type CallerName, kinds } from './callers.ts'

/** Authorised, or the error. */
export type Verdict =
  | 'open'
  | Extract<
      ErrorCode,
      | 'unauthenticated'
      | 'invalid_credential'
      | 'forbidden'
      | 'identity_api_forbidden'
      | 'unit_required'
      | 'self_approval'
      | 'not_found'
    >

/** What an operation's row in the table decides about a caller; nothing else does. */
export function expectedVerdict(endpoint: Endpoint, name: CallerName): Verdict {
  const kind = kinds[name]
  const { auth } = endpoint
  if (auth.length === 0) return 'open'
  if (isBodySigned(endpoint)) return 'unauthenticated'
  if (kind.refused) return kind.refused
  if (kind.scheme === 'recipient') return auth.includes('recipient') ? 'open' : 'unauthenticated'
  if (endpoint.administrative && !isAdministrative(kind)) return 'identity_api_forbidden'
  if (!auth.includes(kind.scheme as 'producer')) return 'forbidden'
  return kind.scheme === 'producer' ? ofKey(endpoint, kind) : ofPerson(endpoint, kind)
}

function isAdministrative({ scheme, units = [] }: CallerKind): boolean {
  return scheme === 'producer' && units.includes('administrative')
}

function ofKey(endpoint: Endpoint, { units, lacks }: CallerKind): Verdict {
  if (endpoint.unit === 'object' && !units!.includes(ownerOf(endpoint))) return 'not_found'
  return endpoint.keyRight && lacks?.includes(endpoint.keyRight) ? 'forbidden' : 'open'
}

/** The owner of the matrix' objects. */
function ownerOf({ administrative }: Endpoint): 'a' | 'administrative' {
  return administrative ? 'administrative' : 'a'
}

function ofPerson(endpoint: Endpoint, { units = [], roles = [], ...kind }: CallerKind): Verdict {
  if (endpoint.systemAdmin) return kind.systemAdmin ? 'open' : 'forbidden'
  if (endpoint.unit === 'object' && !units.includes('a')) return 'not_found'
  if (endpoint.unit === 'query' || endpoint.unit === 'body') {
    if (units.length === 0) return 'forbidden'
    if (units.length > 1) return 'unit_required'
  }
  if (endpoint.administrativePeople && !endpoint.roles) return 'forbidden'
  if (endpoint.roles && endpoint.unit !== 'none' && !endpoint.roles.some((role) => roles.includes(role)))
    return 'forbidden'
  return kind.author && endpoint.errors.includes('self_approval') ? 'self_approval' : 'open'
}
