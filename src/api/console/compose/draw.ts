import { type FieldIssue, issuesIn, type ParseResult } from './form/parse-form.ts'
import { type Input, withStandIn } from './form/stand-ins.ts'

/** How often something is put in place of what is wrong, until what is left can be drawn. */
const mostTries = 8

/** How something is read of a form, and drawn. `isWhole`: nothing stands in for anything. */
type Reading<Body, Result> = {
  read: (input: Input) => ParseResult<Body>
  draw: (body: Body, isWhole: boolean) => Promise<Result>
}

/**
 * Draws what is written as far as it goes, with something in place of what is missing or wrong. Returns all that is wrong at
 * once: what the schema says of a body, and what would be found only once it is a body. `result`: null if nothing helps.
 */
export async function drawWithStandIns<Body, Result>(
  whole: Input,
  { read, draw }: Reading<Body, Result>,
): Promise<{ result: Result | null; issues: FieldIssue[] }> {
  const issues: FieldIssue[] = []
  let input = whole
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { body, issues: refused } = read(input)
    const answer = body === null ? refused : await draw(body, tries === 0).then(resultOf, issuesIn)
    if (!Array.isArray(answer)) return { result: answer.result, issues }
    const isNew = ({ name }: FieldIssue) => !issues.some((one) => isAbout(name, one.name))
    issues.push(...answer.filter(isNew))
    const repaired = answer.reduce(withStandIn, input)
    if (JSON.stringify(repaired) === JSON.stringify(input)) break
    input = repaired
  }
  return { result: null, issues }
}

function resultOf<Result>(result: Result) {
  return { result }
}

/** Whether an issue is about something that stands in for what another issue is about. */
function isAbout(name: string, before: string): boolean {
  return name === before || name.startsWith(`${before}.`) || before.startsWith(`${name}.`)
}
