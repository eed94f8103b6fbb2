import { execFile } from 'node:child_process'
import { resolve } from 'node:path'

export type Answer = { code: number; out: string; err: string }

type Env = Record<string, string>

/** Runs `carillon <args>` as a person does, in this environment. */
export function runCarillon(env: Env, ...args: string[]): Promise<Answer> {
  return runScript('src/cli.ts', env, ...args)
}

/** Runs a script of the repository, named from its root. */
export function runScript(script: string, env: Env, ...args: string[]): Promise<Answer> {
  const cwd = resolve(import.meta.dirname, '../../..')
  return new Promise((answer) => {
    execFile(process.execPath, [script, ...args], { cwd, env }, (error, out, err) =>
      answer({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })
}
