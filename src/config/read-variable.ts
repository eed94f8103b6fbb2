import { readFileSync } from 'node:fs'
import type { Fault, Setting } from './setting.ts'
import { fileVariable, isFromFile } from './settings.ts'

/** The text of a setting, and the variable that it came by. */
export type GivenVariables = { variable: string; text: string }

/**
 * The text of a setting from the environment or, for a secret or a certificate, from the file that `<name>_FILE` names,
 * without the line breaks at its end. Undefined if neither is set; an empty variable counts as unset.
 */
export function readVariables(
  name: string,
  setting: Setting,
  environment: NodeJS.ProcessEnv,
): GivenVariables | Fault | undefined {
  const text = environment[name]
  const path = isFromFile(setting) && environment[fileVariable(name)]
  if (text && path)
    return {
      name,
      problem: `and ${fileVariable(name)} are both set`,
      remedy: 'Set one of them, and leave the other out',
    }
  if (path) return readSecretFile(fileVariable(name), path)
  return text ? { variable: name, text } : undefined
}

/** The path is not named: a secret may have been written there by mistake. */
function readSecretFile(variable: string, path: string): GivenVariables | Fault {
  try {
    const text = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '')
    if (text !== '') return { variable, text }
    return {
      name: variable,
      problem: 'names an empty file',
      remedy: 'Write the secret, and nothing else, into that file',
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return {
      name: variable,
      problem: `names ${unreadable[code] ?? `a file that cannot be read (${code})`}`,
      remedy: 'Write the path of a file that holds the secret and that this process may read',
    }
  }
}

const unreadable: Record<string, string> = {
  ENOENT: 'a file that does not exist',
  EACCES: 'a file that this process may not read',
  EISDIR: 'a directory',
}
