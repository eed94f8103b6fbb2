import { execFile } from 'node:child_process'
import { resolve } from 'node:path'

export type Answer = { code: number; out: string; err: string }

/** Runs `carillon <args>` as a person does, in this environment. */
export function runCarillon(env: Record<string, string>, ...args: string[]): Promise<Answer> {
  const cwd = resolve(import.meta.dirname, '../../..')
  return new Promise((answer) => {
    execFile(process.execPath, ['src/cli.ts', ...args], { cwd, env }, (error, out, err) =>
      answer({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })
}
