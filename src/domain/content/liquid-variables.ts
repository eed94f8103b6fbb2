import { type Arguments, type Template, type Token, TypeGuards, Value } from 'liquidjs'

/** A counter per name: how many blocks, or assignments, define it at this point of a text. */
type Scope = Map<string, number>

/**
 * The names that parts of a text read from outside, each once, in the order of their first use. Liquid's own analysis
 * computes line and column of each use from the start of the text, so its time grows with the square of the text.
 */
export function globalsOf(templates: Template[]): string[] {
  const globals = new Set<string>()
  const scope: Scope = new Map()
  for (const template of templates) visit(template, scope, globals)
  return [...globals]
}

function visit(template: Template, scope: Scope, globals: Set<string>): void {
  for (const argument of template.arguments?.() ?? [])
    for (const name of namesIn(argument)) if (!scope.get(name)) globals.add(name)
  // What a text assigns stays defined to its end.
  for (const { content } of template.localScope?.() ?? []) define(scope, content, 1)
  const own = [...(template.blockScope?.() ?? [])]
  for (const name of own) define(scope, name, 1)
  for (const child of childrenOf(template)) visit(child, scope, globals)
  for (const name of own) define(scope, name, -1)
}

function define(scope: Scope, name: string, by: 1 | -1): void {
  scope.set(name, (scope.get(name) ?? 0) + by)
}

/** How many names, values, operators and filters a part evaluates, without those of the parts inside it. */
export function namesCountOf(template: Template): number {
  let count = 0
  for (const argument of template.arguments?.() ?? [])
    count += argument instanceof Value ? countInExpression(argument) : countInToken(argument)
  return count
}

function countInExpression({ initial, filters }: Expression): number {
  const read = sumOf(initial.postfix, countInToken)
  return (
    read +
    sumOf(filters, ({ args }) => 1 + sumOf(args, (one) => countInToken(Array.isArray(one) ? one[1] : one)))
  )
}

function countInToken(token: unknown): number {
  if (TypeGuards.isRangeToken(token)) return 1 + countInToken(token.lhs) + countInToken(token.rhs)
  if (TypeGuards.isFilteredValueToken(token)) return 1 + countInExpression(token)
  if (TypeGuards.isPropertyAccessToken(token))
    return (
      1 + sumOf(token.props, countInToken) + (token.variable === undefined ? 0 : countInToken(token.variable))
    )
  return 1
}

function sumOf<One>(all: readonly One[], count: (one: One) => number): number {
  return all.reduce((sum, one) => sum + count(one), 0)
}

/** The parts inside a tag. The generator waits only for files, of which there are none here. */
function childrenOf(template: Template): Template[] {
  return (template.children?.(false, true).next().value as Template[] | undefined) ?? []
}

type Argument = Arguments extends Iterable<infer One> ? One : never
type Filters = readonly { args: readonly unknown[] }[]

function* namesIn(argument: Argument): Generator<string> {
  if (argument instanceof Value) yield* ofExpression(argument)
  else yield* ofToken(argument)
}

type Expression = { initial: { postfix: Token[] }; filters: Filters }

function* ofExpression({ initial, filters }: Expression): Generator<string> {
  for (const token of initial.postfix) yield* ofToken(token)
  // An argument is a value, or a pair of a name and a value.
  for (const { args } of filters)
    for (const argument of args) yield* ofToken(Array.isArray(argument) ? argument[1] : argument)
}

function* ofToken(token: unknown): Generator<string> {
  if (TypeGuards.isRangeToken(token)) {
    yield* ofToken(token.lhs)
    yield* ofToken(token.rhs)
  } else if (TypeGuards.isFilteredValueToken(token)) yield* ofExpression(token)
  else if (TypeGuards.isPropertyAccessToken(token)) {
    const [root, ...properties] =
      token.variable === undefined ? token.props : [token.variable, ...token.props]
    const isNamed =
      TypeGuards.isWordToken(root) || (TypeGuards.isQuotedToken(root) && root !== token.variable)
    if (isNamed) yield root.content
    else yield* ofToken(root)
    for (const property of properties) yield* ofToken(property)
  }
}
