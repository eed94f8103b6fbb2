/**
 * Tags that every unit may write, by its scenarios: what people are interested in, and where they came from. The others
 * are an administrative unit's.
 */
const openNamespaces = /^(interest|source):/

/** Whether an ordinary unit's scenario may set or remove a tag. */
export function isOpenTag(tag: string): boolean {
  return openNamespaces.test(tag)
}
