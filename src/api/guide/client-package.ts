import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'

const require = createRequire(import.meta.url)
const { version } = require('../../../client/package.json') as { version: string }

/** Where npm installs the client library of this version from. */
export const clientPackagePath = `/client/carillon-client-${version}.tgz`

/** Where `npm run pack -w client` puts the library, as `dev/install.mjs` and the image do: nothing is packed here. */
const folder = resolve(import.meta.dirname, '../../../dist/client')

/**
 * Serves the client library of this version at /client/carillon-client-<version>.tgz, which npm installs by its address, and
 * its SHA-256 beside it.
 */
export function clientPackageRoutes(app: FastifyInstance): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const bytes = readFileSync(join(folder, name))
    const type = name.endsWith('.tgz') ? 'application/gzip' : 'text/plain; charset=utf-8'
    app.get(`/client/${name}`, (_request, reply) =>
      // A build of the same version may differ from the one before: npm asks whether it has changed.
      reply.header('cache-control', 'no-cache').type(type).send(bytes),
    )
  }
}
