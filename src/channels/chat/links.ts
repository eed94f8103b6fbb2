import type { CompileContext } from './compile-context.ts'
import { chatLimits } from './limits.ts'

/** An image URL as the provider requires it: HTTPS, in ASCII. */
export function readImageUrl(sheet: CompileContext, path: string, url: string): string {
  const written = asciiUrl(url)
  if (!written.startsWith('https://')) sheet.violations.add(path, 'https_required')
  return withinUnits(sheet, path, written, chatLimits.imageUrlUnits)
}

/** A button's URL: a scheme that the provider opens, in ASCII. */
export function readLink(sheet: CompileContext, path: string, url: string): string {
  const written = asciiUrl(url)
  if (!/^(https?:\/\/|line:\/\/|tel:)./.test(written)) sheet.violations.add(path, 'unsupported_link')
  return withinUnits(sheet, path, written, chatLimits.linkUnits)
}

/** The provider requires percent-encoded UTF-8 and punycode, as browsers write a URL. */
function asciiUrl(url: string): string {
  return new URL(url).href.replaceAll(' ', '%20')
}

function withinUnits(sheet: CompileContext, path: string, url: string, limit: number): string {
  if (url.length > limit) sheet.violations.add(path, 'too_long', limit)
  return url
}
