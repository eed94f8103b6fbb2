import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../../..')

/** The examples of a page, and the statuses it documents other than success: `# 401 …` behind a call. */
export type Example = { page: string; script: string; refused: string[] }

/** Every example of README and docs/api that is for the demo. */
export function examples(): Example[] {
  const folder = join(root, 'docs/api')
  const pages = readdirSync(folder).map((name) => join(folder, name))
  return [join(root, 'README.md'), ...pages].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/^```sh\n(.*?)^```/gms)]
      .map(([, script]) => script!)
      .filter((script) => script.includes('./.data/demo.json'))
      .map((script) => ({
        page,
        script,
        refused: [...script.matchAll(/# ([45]\d\d) /g)].map(([, status]) => status!),
      })),
  )
}

/**
 * Runs an example in a shell, in a folder like the project's with the demo's files. Returns the number of calls it
 * made, and the statuses that were no success. @throws Error if one of its commands fails
 */
export async function paste(
  { script }: Example,
  dataDir: string,
): Promise<{ calls: number; refused: string[] }> {
  const cwd = mkdtempSync(join(dataDir, 'paste-'))
  symlinkSync(dataDir, join(cwd, '.data'))
  for (const name of ['package.json', 'src', 'node_modules']) symlinkSync(join(root, name), join(cwd, name))
  const curl = `curl() { command curl --show-error "$@" --silent --write-out '%{stderr}status %{http_code}\\n'; }\n`
  const { stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', curl + script], { cwd })
  const statuses = [...stderr.matchAll(/^status (\d{3})$/gm)].map(([, status]) => status!)
  return { calls: statuses.length, refused: statuses.filter((status) => !status.startsWith('2')) }
}
