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
  return { takes, anyText: true, read: (given) => given }
}

/** Decimal digits that stand for a number within these bounds. */
export function whole(least: number, most: number): Parser<number> {
  return {
    takes: `a whole number from ${least} to ${most}`,
    read(given) {
      const number = /^\s*\d+\s*$/.test(given) ? Number(given) : Number.NaN
      return number >= least && number <= most ? number : undefined
    },
  }
}

/** A part of a whole. */
export const ratio: Parser<number> = {
  takes: 'a number from 0 to 1',
  read(given) {
    const number = /^\s*\d*\.?\d+\s*$/.test(given) ? Number(given) : Number.NaN
    return number >= 0 && number <= 1 ? number : undefined
  },
}

/** One of these words. */
export function oneOf<const T extends string>(...values: T[]): Parser<T> {
  return {
    takes: `one of ${values.join(', ')}`,
    read: (given) => values.find((value) => value === given.trim()),
  }
}

export const flag: Parser<boolean> = {
  takes: 'true or false',
  read(given) {
    const written = given.trim()
    return written === 'true' || written === 'false' ? written === 'true' : undefined
  },
}

/** An address of the web, as it is written: an issuer with a slash at its end is another one. */
export const webUrl: Parser<string> = {
  takes: 'an address that begins with https:// or http://',
  read: (given) => (/^https?:$/.test(protocolOf(given)) ? given.trim() : undefined),
}

/** An address that paths are appended to: without the slashes at its end. */
export const baseUrl: Parser<string> = {
  takes: webUrl.takes,
  read: (given) => webUrl.read(given)?.replace(/\/+$/, ''),
}

export const postgresUrl: Parser<string> = {
  takes: 'an address that begins with postgres://',
  read: (given) => (/^postgres(ql)?:$/.test(protocolOf(given)) ? given.trim() : undefined),
}

export const hostAndPort: Parser<string> = {
  takes: 'host:port',
  read: (given) => (/^[^\s/]+:\d+$/.test(given.trim()) ? given.trim() : undefined),
}

/** Retention in days; 0 keeps rows forever. */
export const days: Parser<number> = {
  ...whole(0, 36_500),
  takes: 'a whole number from 0 (keeps them forever) to 36500',
}

function protocolOf(given: string): string {
  return URL.canParse(given) ? new URL(given).protocol : ''
}
