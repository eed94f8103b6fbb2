import { z } from 'zod'
import { brokenAt } from './broken-rule.ts'
import { describeIssue } from './describe-issue.ts'

/** What JavaScript says where a length is compared that is an object without a value. */
const noValue = /^Cannot convert object to primitive value$/

/**
 * Reads a value as its schema says, with issues in terms of JSON. A schema compares the length of what turns out to be no
 * list, too: `{"length": {"toString": 1}}` cannot be compared, and is refused like any other value of a wrong type.
 */
export function readValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(value, { error: describeIssue })
  } catch (error) {
    if (!(error instanceof TypeError && noValue.test(error.message))) throw error
    const issue = { ...brokenAt([], 'object_as_length'), input: value }
    return { success: false, error: new z.ZodError([issue]) as z.ZodError<z.output<Schema>> }
  }
}
