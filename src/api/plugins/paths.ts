import type { FastifyInstance, RawServerDefault, RouteOptions } from 'fastify'

/** Where requests go whose path cannot be decoded: to no operation, but through every hook. */
const unreadable = '/unreadable'

/**
 * The URL to route a request by. The router rejects a path that cannot be decoded before any hook, so the response would
 * have neither a request id nor the headers of the rate limit: such a path is routed as one that does not exist.
 */
export function routableUrl({ url = '/' }: { url?: string | undefined }): string {
  return decodedPath(url) === null ? unreadable : url
}

/** The path of a URL as the router reads it: decoded, except for escaped separators. null: it cannot be decoded. */
function decodedPath(url: string): string | null {
  try {
    return decodeURI(url.split(/[?#]/, 1)[0]!)
  } catch {
    return null
  }
}

/** What the routes of the application say of a URL. Methods are sorted, as the header Allow lists them. */
type Routes = {
  /** The methods of a path that no parameter is part of. A parameter never stands for it. undefined: there is none. */
  ofLiteral: (url: string) => string[] | undefined
  /** The methods that a path has; empty if the path does not exist. */
  ofPath: (url: string) => string[]
}

/** Notes every route of the application, those of pages included. Call it before the routes are made. */
export function noteRoutes(app: FastifyInstance): Routes {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }: RouteOptions<RawServerDefault>) => {
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const one of [method].flat()) route.methods.add(one)
    routes.set(url, route)
  })
  const pathOf = (url: string) => decodedPath(url) ?? unreadable
  const ofLiteral = (url: string) => {
    const route = routes.get(pathOf(url))
    return route && [...route.methods].sort()
  }
  const ofPath = (url: string) => {
    const path = pathOf(url)
    const matches = [...routes.values()].filter(({ pattern }) => pattern.test(path))
    return ofLiteral(url) ?? [...new Set(matches.flatMap(({ methods }) => [...methods]))].sort()
  }
  return { ofLiteral, ofPath }
}

/** A route of the router as an expression: `:name` is one part of a path, `*` the rest of it. */
function patternOf(route: string): RegExp {
  const parts = route.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]*'
    return part === '*' ? '.*' : part.replaceAll(/[^\w-]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`, 's')
}
