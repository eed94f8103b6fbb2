import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run build -w client`: builds dist/ for publication, as JavaScript with type declarations. */
const here = import.meta.dirname
const dist = join(here, 'dist')

rmSync(dist, { recursive: true, force: true })
const compiler = join(here, '../node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json')], { stdio: 'inherit' })

const { scripts: _, ...manifest } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const published = { ...manifest, exports: { types: './index.d.ts', default: './index.js' } }
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
for (const file of ['README.md', 'CHANGELOG.md']) copyFileSync(join(here, file), join(dist, file))
copyFileSync(join(here, '../LICENSE'), join(dist, 'LICENSE'))
