/** What a text of Liquid reads, each name with the fields that it reads of it: `person.displayName`. */
type TextNames = {
  read: string[]
  /** Those that it prints, without a filter that gives a default. */
  printed: string[]
  /** The first names that its tags look at: what it prints inside of them may depend on that. */
  tested: Set<string>
  /** The names that it defines itself. */
  defined: Set<string>
}

/**
 * Finds the names that a text reads without parsing it, in one pass, so that each view of a scenario can warn of them. What
 * is no valid Liquid is found elsewhere; names inside of quotes are none.
 */
export function namesIn(text: string): TextNames {
  const names: TextNames = { read: [], printed: [], tested: new Set(), defined: new Set() }
  for (const { tag, body } of partsOf(text)) {
    if (tag) readTag(body, names)
    else readOutput(body, names)
  }
  return names
}

type Part = { tag: boolean; body: string }

/** The outputs and tags of a text, but for those of comments and raw blocks. */
function* partsOf(text: string): Generator<Part> {
  let from = 0
  let within: string | null = null
  let [output, tag] = [text.indexOf('{{'), text.indexOf('{%')]
  for (;;) {
    // Looked for again only once it is passed: a text of tags alone would otherwise be read to its end for each.
    if (output !== -1 && output < from) output = text.indexOf('{{', from)
    if (tag !== -1 && tag < from) tag = text.indexOf('{%', from)
    if (output === -1 && tag === -1) return
    const isTag = output === -1 || (tag !== -1 && tag < output)
    const start = isTag ? tag : output
    const end = text.indexOf(isTag ? '%}' : '}}', start + 2)
    if (end === -1) return
    const body = text
      .slice(start + 2, end)
      .replace(/^-|-$/g, '')
      .trim()
    from = end + 2
    if (within !== null) {
      if (isTag && body === `end${within}`) within = null
      continue
    }
    if (isTag && (body === 'raw' || body === 'comment')) within = body
    else yield { tag: isTag, body }
  }
}

function readOutput(body: string, { read, printed }: TextNames): void {
  const [first = '', ...filters] = withoutQuotes(body).split('|')
  const paths = pathsIn(first)
  read.push(...paths, ...filters.flatMap(argumentsOf))
  if (!filters.some((filter) => filter.trim().startsWith('default'))) printed.push(...paths)
}

/** The tags whose first word is a name that they define. */
const defining = new Set(['assign', 'capture', 'for', 'tablerow', 'increment', 'decrement'])

function readTag(body: string, { read, tested, defined }: TextNames): void {
  const [name = '', ...rest] = body.split(/\s+/)
  const [first = '', ...filters] = withoutQuotes(rest.join(' ')).split('|')
  const paths = pathsIn(first)
  const own = defining.has(name) ? paths.slice(0, 1) : []
  for (const path of own) defined.add(path)
  for (const path of [...paths.slice(own.length), ...filters.flatMap(argumentsOf)]) {
    read.push(path)
    tested.add(firstName(path))
  }
}

/** The names among the arguments of a filter: `append: name`, `slice: from, length: most`. */
function argumentsOf(filter: string): string[] {
  const [, ...values] = filter.split(':')
  // Between two colons stand a value and, behind a comma, the name of the next.
  return values.flatMap((value, index) =>
    pathsIn(index === values.length - 1 ? value : value.slice(0, Math.max(0, value.lastIndexOf(',')))),
  )
}

function withoutQuotes(body: string): string {
  return body.replace(/"[^"]*"|'[^']*'/g, ' ')
}

const words = new Set(
  'true false nil null empty blank and or not contains in reversed limit offset cols forloop by with as'.split(
    ' ',
  ),
)

function pathsIn(expression: string): string[] {
  const paths = expression.match(/[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/g) ?? []
  return paths.filter((path) => !words.has(firstName(path)))
}

/** The name of which a path reads fields. */
export function firstName(path: string): string {
  return path.split('.', 1)[0]!
}
