/**
 * The colours of everything that Carillon shows: pages, mails, chat buttons, and the pages of the demo. Every
 * text has a contrast of at least 4.5:1 on sheet and panel, the accent of 6.5:1 (WCAG 2.2, 1.4.3).
 */
export type Palette = {
  /** Behind the panel. */
  sheet: string
  panel: string
  ink: string
  /** Notes, and everything beside the content. */
  quiet: string
  /** Links and primary buttons. */
  accent: string
  /** Text on a primary button. */
  onAccent: string
  /** Between rows, and around cards. */
  line: string
  /** Around buttons and fields. */
  edge: string
  /** States, always beside a word: as it should be, to be looked at, in trouble. */
  good: string
  look: string
  stop: string
}

export const palette: Record<'light' | 'dark', Palette> = {
  light: {
    sheet: '#f2f4f7',
    panel: '#ffffff',
    ink: '#1f2933',
    quiet: '#5f6b7a',
    accent: '#36548a',
    onAccent: '#ffffff',
    line: '#dde2e8',
    edge: '#b9c4d0',
    good: '#1d6b4a',
    look: '#8a5a00',
    stop: '#a8322d',
  },
  dark: {
    sheet: '#12161b',
    panel: '#1b2128',
    ink: '#e8ecf0',
    quiet: '#a3aeba',
    accent: '#9db7e6',
    onAccent: '#12161b',
    line: '#39434e',
    edge: '#4d5966',
    good: '#7fc8a4',
    look: '#e0b565',
    stop: '#f2938c',
  },
}

/** The palette as custom properties (`--on-accent`), dark where the reader prefers it: the start of a style sheet. */
export const paletteSheet = `:root{color-scheme:light dark;${properties(palette.light)}}
@media (prefers-color-scheme:dark){:root{${properties(palette.dark)}}}
`

function properties(colours: Palette): string {
  return Object.entries(colours)
    .map(([name, colour]) => `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}:${colour}`)
    .join(';')
}
