import { asciiUrl } from '../../domain/content/web-link.ts'
import type { CompileContext } from './compile-context.ts'
import { chatLimits } from './limits.ts'

/**
 * An image URL as the provider requires it: HTTPS, in ASCII. Where the installation serves its own pictures without, as on a
 * developer's machine, these pass.
 */
export function readImageUrl(context: CompileContext, path: string, url: string): string {
  const address = asciiUrl(url)
  const isOwn = context.pictures !== undefined && address.startsWith(context.pictures)
  if (!isOwn && !address.startsWith('https://')) context.violations.add(path, 'https_required')
  return withinUnits(context, path, address, chatLimits.imageUrlUnits)
}

/** A button's URL: a scheme that the provider opens, in ASCII. */
export function readLink(context: CompileContext, path: string, url: string): string {
  const address = asciiUrl(url)
  if (!/^(https?:\/\/|line:\/\/|tel:)./.test(address)) context.violations.add(path, 'unsupported_link')
  return withinUnits(context, path, address, chatLimits.linkUnits)
}

function withinUnits(context: CompileContext, path: string, url: string, limit: number): string {
  if (url.length > limit) context.violations.add(path, 'too_long', limit)
  return url
}
