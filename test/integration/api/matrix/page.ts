import { isBodySigned } from '../../../../src/api/auth/authenticate.ts'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { endpoints } from '../../../../src/contract/endpoints.ts'
import type { CallerName } from './callers.ts'
import { expectedVerdict, type Verdict } from './expected.ts'

const columns: [name: CallerName, title: string][] = [
  ['key', 'key'],
  ['officeKey', 'office key'],
  ['editor', 'editor'],
  ['approver', 'approver'],
  ['author', 'author'],
  ['severalUnits', 'several units'],
  ['otherMember', 'other unit'],
  ['systemAdmin', 'system admin'],
  ['recipient', 'recipient'],
]

const signs: Record<Verdict, string> = {
  open: 'yes',
  unauthenticated: '401',
  invalid_credential: '401',
  forbidden: '403',
  identity_api_forbidden: '403 i',
  unit_required: '403 u',
  not_found: '404',
  self_approval: '409 s',
}

const head = `# Who may do what

Written by \`UPDATE=1 npx vitest run test/integration/api/matrix.test.ts\` from \`src/contract/endpoints.ts\`. That test makes
each of these calls, holds the answer against the table, and this page against both.

The callers: a producer **key** of the unit to which the object belongs; an **office key**, of an administrative unit (the
objects of *Identity* and *Imports* are its own); people with a console session who are **editor** or **approver** of the
unit, the **author** of what is asked about (editor and approver as well), one of **several units** who did not say
which, a member of the **other unit**, a **system admin** who is no member of any; a **recipient** with an id token.

| sign | answer |
|---|---|
| yes | past the door: what follows is about the object and the body |
| 401 | \`unauthenticated\`, \`invalid_credential\` |
| 403 | \`forbidden\` |
| 403 i | \`identity_api_forbidden\`: keys of administrative units only |
| 403 u | \`unit_required\`: say \`unitId\` |
| 404 | \`not_found\`: another unit's object is answered like one that does not exist |
| 409 s | \`self_approval\`: nobody approves what they wrote |

No credential is 401 wherever there is a door, and so is one that is malformed, unknown or revoked; it is looked at before
the path, the query and the body. A key of another ordinary unit is answered as the key is, but 404 about an object of this
one.
`

/** docs/api/who-may-what.md as it should be. */
export function whoMayWhat(): string {
  const chapters = Map.groupBy(Object.values<Endpoint>(endpoints), ({ tag }) => tag)
  return [head, ...[...chapters].map(([tag, operations]) => chapter(tag, operations))].join('\n')
}

function chapter(tag: string, operations: Endpoint[]): string {
  const [open, rest] = parted(operations, ({ doors }) => doors.length === 0)
  const [signed, table] = parted(rest, isBodySigned)
  return [
    `## ${tag}\n`,
    ...(table.length > 0 ? [tableOf(table)] : []),
    ...(signed.length > 0 ? [`By a signature over the body, whoever sends it: ${names(signed)}.\n`] : []),
    ...(open.length > 0 ? [`Open to everybody: ${names(open)}.\n`] : []),
  ].join('\n')
}

function tableOf(operations: Endpoint[]): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    row(['', ...columns.map(([, title]) => title)]),
    row(Array.from({ length: columns.length + 1 }, () => '---')),
    ...operations.map((endpoint) =>
      row([nameOf(endpoint), ...columns.map(([name]) => signs[expectedVerdict(endpoint, name)])]),
    ),
    '',
  ].join('\n')
}

function names(operations: Endpoint[]): string {
  return operations.map(nameOf).join(', ')
}

function nameOf({ method, path }: Endpoint): string {
  return `\`${method} ${path}\``
}

function parted<T>(all: T[], which: (one: T) => boolean): [T[], T[]] {
  return [all.filter(which), all.filter((one) => !which(one))]
}
