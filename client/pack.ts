import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `npm run pack -w client`: builds the library, and packs it as dist/client/carillon-client-<version>.tgz with its SHA-256
 * beside it. The API serves both at /client/; `npm publish` takes the first.
 */
const here = import.meta.dirname
const folder = join(here, '../dist/client')
const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const name = `carillon-client-${version}.tgz`

execFileSync(process.execPath, [join(here, 'build.ts')], { stdio: 'inherit' })
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
// npm packs the same files to the same bytes.
execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
  cwd: join(here, 'dist'),
  stdio: ['ignore', 'ignore', 'inherit'],
})
const digest = createHash('sha256')
  .update(readFileSync(join(folder, name)))
  .digest('hex')
writeFileSync(join(folder, `${name}.sha256`), `${digest}  ${name}\n`)
