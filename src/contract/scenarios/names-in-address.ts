/**
 * Whether some reader of an address could take a part of it for the field `name` (in lower case), whatever its rules are:
 * readers ignore case (ASP.NET), take `name[]`, `name.x` and `name:list` for it (PHP, Spring, Zope), drop spaces,
 * control characters and a lone `%` around it, separate fields by `;` (Perl, Java in a path), decode twice, or decode
 * before they separate.
 */
export function couldName(address: URL, name: string): boolean {
  const query = `${address.pathname}${address.search}`
  return decodings(query).some((text) => fieldsIn(text).some((field) => isReadAs(field, name)))
}

/** An address as it is, decoded once, twice and so on, until nothing is left to decode. */
function decodings(text: string): string[] {
  const all = [text]
  for (let last = text, next = decoded(text); next !== last; last = next, next = decoded(next)) all.push(next)
  return all
}

/** Percent-encoded UTF-8, with the long forms of ASCII that old decoders take, and `%u0073`. */
function decoded(text: string): string {
  return text
    .replaceAll(/%u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/%c([01])%([89ab][0-9a-f])/gi, (_, high, low) =>
      String.fromCharCode((Number(high) << 6) | (Number.parseInt(low, 16) & 0x3f)),
    )
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) =>
      new TextDecoder().decode(Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16))),
    )
}

/** The names of everything behind the path that some reader takes for a field. */
function fieldsIn(text: string): string[] {
  const [, ...fields] = text.split(/[?&;]/)
  return fields.map((field) => field.split('=', 1)[0]!)
}

function isReadAs(field: string, name: string): boolean {
  const plain = field
    .replaceAll('+', ' ')
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cc}\p{Default_Ignorable_Code_Point}%]/gu, '')
    .replace(/^[^\p{L}\p{N}_]+/u, '')
    .toLowerCase()
  return plain.startsWith(name) && !/^[\p{L}\p{N}_-]/u.test(plain.slice(name.length))
}
