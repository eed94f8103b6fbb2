import type { Setting } from '../src/config/setting.ts'
import { fileVariable, isFromFile, settingGroups } from '../src/config/settings.ts'

/** The width of .env.example (characters). */
const width = 118

const groups: [string, Record<string, Setting>][] = Object.entries(settingGroups)

/** docs/settings.md, from the description of each setting. `vitest run test/unit/config -u` writes it. */
export function settingsPage(): string {
  return `${[introduction, ...groups.map(describeGroup)].join('\n\n')}\n`
}

const introduction = `<!-- Generated from src/config/settings: change it there, then run \`vitest run test/unit/config -u\`. -->

# Settings

Carillon reads its settings from the environment, once, when a process starts. They are the same for all processes; the
column *read by* names those that use a setting: \`api\`, \`worker\` and \`cli\`, the command line. An empty value counts as
unset. A process with invalid settings does not start: it reports every fault with the given and the expected value, but
never the value of a secret.

**Secrets** can be read from files, which keeps them out of the environment: set the variable of the same name with
\`_FILE\` to the path, such as \`SMTP_PASSWORD_FILE=/run/secrets/smtp-password\`. The file holds the secret and nothing
else; line breaks at its end are dropped. Setting both variables is a fault, and so is a file that is missing, empty or
cannot be read. A changed file is read when the process restarts.

**In production** (\`NODE_ENV=production\`) the last column applies too. A secret is weak if it is a placeholder
such as \`change-me\`, is too short once words such as \`secret\` and \`password\` are removed, or repeats or enumerates a few
characters. Warnings are logged by the API at its start, and printed by \`carillon doctor\`.`

function describeGroup([title, settings]: [string, Record<string, Setting>]): string {
  const rows = Object.entries(settings).map(([name, setting]) => row(name, setting))
  const head = '| setting | meaning | value | default | needed | read by | in production |'
  return [`## ${title}`, '', head, '|---|---|---|---|---|---|---|', ...rows].join('\n')
}

function row(name: string, setting: Setting): string {
  const { means, readBy, production, example } = setting
  const value = [...formOf(setting).map(escaped), ...(example ? [`such as \`${example}\``] : [])]
  const cells = [
    `\`${name}\`${isFromFile(setting) ? `, \`${fileVariable(name)}\`` : ''}`,
    quoted(means),
    value.join('; '),
    setting.default ? `\`${setting.default}\`` : '',
    neededOf(setting),
    readBy.join(', '),
    production?.asks ?? '',
  ]
  return `| ${cells.join(' | ')} |`
}

/** What the value is: whether it is a secret, how it is written, what it counts. */
function formOf({ secret, kind, unit }: Setting): string[] {
  return [...(secret ? ['secret'] : []), ...(kind.anyText ? [] : [kind.takes]), ...(unit ? [unit] : [])]
}

function neededOf({ required, neededWith }: Setting): string {
  if (required) return 'always'
  return neededWith ? `with ${neededWith.map((name) => `\`${name}\``).join(', ')}` : ''
}

/** The names of settings in a sentence as code. */
function quoted(means: string): string {
  return means.replace(/(?<![`\w])([A-Z]+(?:_[A-Z]+)+)(?![`\w])/g, '`$1`')
}

function escaped(text: string): string {
  return text.replace(/[<>\\]/g, '\\$&')
}

/** .env.example, from the same descriptions: everything commented out. */
export function envExample(): string {
  const parts = groups.flatMap(([title, settings]) => [
    `#### ${title}`,
    ...Object.entries(settings).map(([name, setting]) => exampleOf(name, setting)),
  ])
  return `${[comment(exampleIntroduction), ...parts].join('\n\n')}\n`
}

const exampleIntroduction =
  'All settings of Carillon, generated from src/config/settings; docs/settings.md describes the same. Only Docker ' +
  'Compose reads a copy of this file, as .env; otherwise set them in the environment. Nothing here takes effect: a ' +
  'line shows the default or, where there is none, an example or nothing. Remove the # of what you set. A secret ' +
  'may be given as a file instead: NAME_FILE=path.'

function exampleOf(name: string, setting: Setting): string {
  const form = formOf(setting).join('; ')
  return [
    comment(setting.means.replaceAll('`', '')),
    ...(form ? [comment(`Value: ${form}.`)] : []),
    `#${name}=${setting.default ?? setting.example ?? ''}`,
  ].join('\n')
}

/** Lines of comment, broken between words. */
function comment(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(`# ${word}`)
  }
  return lines.join('\n')
}
