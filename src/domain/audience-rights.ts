import type { Audience, AudienceDimensions } from './audience.ts'

/** The dimensions that an audience uses, including those inside `exclude`; `all` counts as a dimension. */
export function dimensionsOf(audience: Audience): string[] {
  if (audience.kind === 'individual') return []
  const { kind, exclude, ...query } = audience
  const { kind: _, ...removed } = exclude ?? {}
  const named = kind === 'all' ? ['all'] : dimensionNames(query)
  return [...new Set([...named, ...dimensionNames(removed)])]
}

function dimensionNames(dimensions: AudienceDimensions): string[] {
  return Object.entries(dimensions)
    .filter(([, values]) => values !== undefined)
    .map(([name]) => name)
}
