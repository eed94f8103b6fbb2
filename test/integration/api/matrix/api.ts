import { type Api, startApi } from '../../../fixtures/api.ts'
import { forFile } from '../../../harness/for-file.ts'
import { credentialsOf } from './callers.ts'
import { objectsIn } from './request.ts'

/** An installation with the credentials of every kind of caller, and objects to call operations about. */
export type MatrixApi = {
  api: Api
  as: Awaited<ReturnType<typeof credentialsOf>>
  objects: ReturnType<typeof objectsIn>
}

/** One for the tests of a file. */
export function forMatrix(): MatrixApi {
  const api = forFile(startApi)
  return { api, as: forFile(() => credentialsOf(api)), objects: forFile(() => objectsIn(api)) }
}
