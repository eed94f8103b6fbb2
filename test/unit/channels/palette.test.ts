import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Palette, palette, paletteSheet } from '../../../src/channels/palette.ts'

const root = join(import.meta.dirname, '../../..')

/** Relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [less, more] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (more! + 0.05) / (less! + 0.05)
}

describe('The palette', () => {
  it('has the accent decided for light and dark', () => {
    expect([palette.light.accent, palette.dark.accent]).toEqual(['#36548a', '#9db7e6'])
    expect(paletteSheet).toContain('--accent:#36548a')
    expect(paletteSheet).toContain('--on-accent:#12161b')
  })

  it.each(Object.entries(palette))('can be read in %s', (_, colours: Palette) => {
    for (const ground of [colours.sheet, colours.panel]) {
      expect(contrast(colours.ink, ground)).toBeGreaterThan(7)
      expect(contrast(colours.quiet, ground)).toBeGreaterThan(4.5)
      expect(contrast(colours.accent, ground)).toBeGreaterThan(6.5)
      for (const state of [colours.good, colours.look, colours.stop])
        expect(contrast(state, ground)).toBeGreaterThan(4.5)
    }
    expect(contrast(colours.onAccent, colours.accent)).toBeGreaterThan(7)
  })

  it('is the only place of a colour in pages and mails', () => {
    const files = ['src/api', 'src/channels', 'dev/identity'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('palette.ts'))
        .map((name) => join(folder, name)),
    )
    const withColours = files.filter((name) => /#[0-9a-f]{6}\b/i.test(readFileSync(join(root, name), 'utf8')))
    expect(withColours).toEqual([])
  })
})
