import { isBodySigned } from '../../../../src/api/auth/authenticate.ts'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { endpoints } from '../../../../src/contract/endpoints.ts'
import type { CallerName } from './callers.ts'
import { expectedVerdict, type Verdict } from './expected.ts'

const columns: [name: CallerName, title: string][] = [
  ['key', 'key'],
  ['administrativeKey', 'administrative key'],
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

Written by \`UPDATE=1 npx vitest run test/integration/api/matrix.test.ts\` from \`src/contract/endpoints.ts\`. The test
makes each of these calls and compares the responses with the table, and this page with both.

The callers: a producer **key** of the object's unit; an **administrative key**, of an administrative unit (which owns
the objects of *Identity* and *Imports*); people with a console session: an **editor** and an **approver** of the unit,
the **author** of the object (also editor and approver), a member of **several units** who did not pass \`unitId\`, a
member of the **other unit**, a **system admin** without a unit; a **recipient** with an id token.

| sign | answer |
|---|---|
| yes | authorised; other errors depend on the object and the body |
| 401 | \`unauthenticated\`, \`invalid_credential\` |
| 403 | \`forbidden\` |
| 403 i | \`identity_api_forbidden\`: requires a key of an administrative unit |
| 403 u | \`unit_required\`: pass \`unitId\` |
| 404 | \`not_found\`: another unit's object, as if it did not exist |
| 409 s | \`self_approval\`: authors may not approve their own message or template |

Operations that require authentication return 401 if the credential is missing, malformed, unknown or revoked, before
they check path, query and body. A key of another ordinary unit receives what the key receives, but 404 for objects of
this unit.
`

/** docs/api/who-may-what.md as it should be. */
export function whoMayWhat(): string {
  const chapters = Map.groupBy(Object.values<Endpoint>(endpoints), ({ tag }) => tag)
  return [head, ...[...chapters].map(([tag, operations]) => chapter(tag, operations))].join('\n')
}

function chapter(tag: string, operations: Endpoint[]): string {
  const [open, rest] = parted(operations, ({ auth }) => auth.length === 0)
  const [signed, table] = parted(rest, isBodySigned)
  return [
    `## ${tag}\n`,
    ...(table.length > 0 ? [tableOf(table)] : []),
    ...(signed.length > 0 ? [`Authenticated by a signature over the body: ${names(signed)}.\n`] : []),
    ...(open.length > 0 ? [`No authentication: ${names(open)}.\n`] : []),
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
