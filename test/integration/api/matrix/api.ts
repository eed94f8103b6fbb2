import { type Api, startApi } from '../../../fixtures/api.ts'
import { credentialsOf } from './callers.ts'
import { objectsIn } from './request.ts'

/** An installation with the credentials of every kind of caller, and objects to call operations about. */
export type MatrixApi = {
  api: Api
  as: Awaited<ReturnType<typeof credentialsOf>>
  objects: ReturnType<typeof objectsIn>
}

export async function startMatrixApi(): Promise<MatrixApi> {
  const api = await startApi()
  return { api, as: await credentialsOf(api), objects: objectsIn(api) }
}
