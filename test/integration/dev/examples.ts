import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')

/**
 * An example of a page: the answers shown below it, and the statuses it documents other than success: `# 401 …` behind a
 * call.
 */
export type Example = { page: string; script: string; shown: string; refused: string[] }

/** A block of commands, and the answers below it. */
const block = /^```sh\n(.*?)^```\n(?:\n(?:It answers[^\n]*\n\n)?```json\n(.*?)^```)?/gms

/** Every example of README and docs/api that is for the demo; one that goes on where another ended is part of that. */
export function examples(): Example[] {
  const folder = join(root, 'docs/api')
  const pages = pagesOf(folder).map((name) => join(folder, name))
  return [join(root, 'README.md'), ...pages].flatMap((page) => {
    const list: Example[] = []
    for (const [, script, output = ''] of readFileSync(page, 'utf8').matchAll(block)) {
      const refused = [...script!.matchAll(/# ([45]\d\d) /g)].map(([, status]) => status!)
      const last = list.at(-1)
      if (script!.includes('./.data/demo.json')) list.push({ page, script: script!, shown: output, refused })
      else if (last && script!.includes('$(demo ')) {
        list[list.length - 1] = {
          page,
          script: last.script + script,
          shown: last.shown + output,
          refused: [...last.refused, ...refused],
        }
      }
    }
    return list
  })
}

/**
 * Runs an example in a shell, in a folder like the project's with the demo's files. Returns the number of calls it
 * made, the statuses that were no success, and the answers it printed. @throws Error if one of its commands fails
 */
export async function paste(
  { script }: Example,
  dataDir: string,
): Promise<{ calls: number; refused: string[]; printed: string }> {
  const cwd = folderLikeTheProject(dataDir)
  for (const name of ['package.json', 'src', 'node_modules']) symlinkSync(join(root, name), join(cwd, name))
  const curl = `curl() { command curl --show-error "$@" --silent --write-out '%{stderr}status %{http_code}\\n'; }\n`
  const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', curl + script], { cwd })
  const statuses = [...stderr.matchAll(/^status (\d{3})$/gm)].map(([, status]) => status!)
  return {
    calls: statuses.length,
    refused: statuses.filter((status) => !status.startsWith('2')),
    printed: stdout,
  }
}

/** An example in Python. */
export type PythonExample = { page: string; script: string }

const pythonBlock = /^```python\n(.*?)^```/gms

/** The examples in Python of docs/api that call the demo; `helper`: the module that they import, of the index. */
export function pythonExamples(): { helper: string; those: PythonExample[] } {
  const folder = join(root, 'docs/api')
  const blocks = pagesOf(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(pythonBlock)].map(([, script]) => ({
      page: name,
      script: script!,
    })),
  )
  const helper = blocks.find(({ script }) => script.startsWith('"""carillon.py:'))!.script
  return { helper, those: blocks.filter(({ script }) => script.includes('from carillon import')) }
}

/**
 * Runs an example in Python, in a folder like the demo's with the module. Returns what it printed. @throws Error if it
 * fails
 */
export async function runPython({ script }: PythonExample, helper: string, dataDir: string): Promise<string> {
  const cwd = folderLikeTheProject(dataDir)
  writeFileSync(join(cwd, 'carillon.py'), helper)
  return (await run('python3', ['-c', script], { cwd, env: { ...process.env, PYTHONUTF8: '1' } })).stdout
}

function pagesOf(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.md'))
}

function folderLikeTheProject(dataDir: string): string {
  const cwd = mkdtempSync(join(dataDir, 'paste-'))
  symlinkSync(dataDir, join(cwd, '.data'))
  return cwd
}
