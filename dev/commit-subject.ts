import { readFileSync } from 'node:fs'

const mostCharacters = 72
const fewestWords = 3
/** Subjects that git writes by itself. */
const byGit = /^(Merge|Revert|Reapply|fixup!|squash!|amend!) ?/
/** An imperative that ends like another form of a verb. */
const imperatives =
  /^(Bring|Embed|Feed|Need|Ping|Proceed|Ring|Seed|Shed|Speed|String|Swing|Wring|\w+(?:ss|us|is))$/
const otherForm = /^\w+(?:ed|ing|s)$/
/** Words with which a subject does not name its subject. */
const riddle = /\b(who|whom|whoever|what|whatever|nobody|somebody|everybody|anew)\b/i

/** What is wrong with the subject of a commit; empty if nothing is. */
export function problemsOfSubject(subject: string): string[] {
  if (byGit.test(subject)) return []
  const [verb = '', ...others] = subject.split(' ')
  const checks: [boolean, string][] = [
    [
      subject.length > mostCharacters,
      `It has ${subject.length} characters; at most ${mostCharacters} are shown.`,
    ],
    [/^\w+(\(.*\))?!?:/.test(subject), 'Leave out the prefix: begin with the verb.'],
    [!/^[A-Z]/.test(subject), 'Begin with a capital.'],
    [
      otherForm.test(verb) && !imperatives.test(verb),
      `Begin with an imperative, such as "Fix", not with "${verb}".`,
    ],
    [others.length + 1 < fewestWords, 'Say what changes, and for whom.'],
    [subject.endsWith('.'), 'Leave out the full stop.'],
    [riddle.test(subject), `Name the thing or the person in place of "${riddle.exec(subject)?.[1]}".`],
  ]
  return checks.flatMap(([wrong, advice]) => (wrong ? [advice] : []))
}

if (import.meta.main) {
  const [subject = ''] = readFileSync(process.argv[2]!, 'utf8').split('\n')
  const problems = problemsOfSubject(subject)
  if (problems.length > 0) {
    process.stderr.write(
      `${subject}\n${problems.map((one) => `  ${one}\n`).join('')}See "Commits" in CONTRIBUTING.md.\n`,
    )
    process.exit(1)
  }
}
