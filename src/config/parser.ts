/** How the value of a setting is written. */
export type Parser<T> = {
  /** What a value is, as the end of "Write …": `a whole number from 2 to 500`. */
  takes: string
  /** Any text is one, so that `takes` says no more than the meaning of the setting. */
  anyText?: true
  /** The value of a text; undefined if the text is not valid. */
  read(text: string): T | undefined
}

/** Any text; `takes` is for the error if it is missing. */
export function text(takes: string): Parser<string> {
  return { takes, anyText: true, read: (input) => input }
}

/** Decimal digits that stand for a number within these bounds. */
export function whole(least: number, most: number): Parser<number> {
  return {
    takes: `a whole number from ${least} to ${most}`,
    read(input) {
      const number = /^\s*\d+\s*$/.test(input) ? Number(input) : Number.NaN
      return number >= least && number <= most ? number : undefined
    },
  }
}

/** A part of a whole. */
export const ratio: Parser<number> = {
  takes: 'a number from 0 to 1',
  read(input) {
    const number = /^\s*\d*\.?\d+\s*$/.test(input) ? Number(input) : Number.NaN
    return number >= 0 && number <= 1 ? number : undefined
  },
}

/** One of these words. */
export function oneOf<const T extends string>(...values: T[]): Parser<T> {
  return {
    takes: `one of ${values.join(', ')}`,
    read: (input) => values.find((value) => value === input.trim()),
  }
}

export const flag: Parser<boolean> = {
  takes: 'true or false',
  read(input) {
    const value = input.trim()
    return value === 'true' || value === 'false' ? value === 'true' : undefined
  },
}

/** An address of the web, as it is written: an issuer with a slash at its end is another one. */
export const webUrl: Parser<string> = {
  takes: 'an address that begins with https:// or http://',
  read: (input) => (/^https?:$/.test(protocolOf(input)) ? input.trim() : undefined),
}

/** An address that paths are appended to: without the slashes at its end. */
export const baseUrl: Parser<string> = {
  takes: webUrl.takes,
  read: (input) => webUrl.read(input)?.replace(/\/+$/, ''),
}

export const postgresUrl: Parser<string> = {
  takes: 'an address that begins with postgres://',
  read: (input) => (/^postgres(ql)?:$/.test(protocolOf(input)) ? input.trim() : undefined),
}

export const hostAndPort: Parser<string> = {
  takes: 'host:port',
  read: (input) => (/^[^\s/]+:\d+$/.test(input.trim()) ? input.trim() : undefined),
}

/** Retention in days; 0 keeps rows forever. */
export const days: Parser<number> = {
  ...whole(0, 36_500),
  takes: 'a whole number from 0 (keeps them forever) to 36500',
}

function protocolOf(input: string): string {
  return URL.canParse(input) ? new URL(input).protocol : ''
}
