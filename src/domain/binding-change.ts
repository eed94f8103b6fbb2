import { audienceDimensions } from '../contract/enums.ts'
import type { AudienceDimensions, QueryAudience } from './audience.ts'
import { canonicalJson } from './canonical-json.ts'

/** What a version of an event binding says. `keyIds` null: all signing keys. */
export type BindingRule = {
  source: string
  type: string
  categoryId: string
  templateId: string | null
  audience: { kind: 'event_subjects' } | QueryAudience
  keyIds: string[] | null
  enabled: boolean
}

/**
 * Whether a version takes effect without a person's approval (docs/decisions/0035-binding-versions.md): it narrows
 * the one in force, or it is new, sends to the event's own subjects and has an approved template. A binding is new
 * while the version in force makes no messages.
 */
export function takesEffectAtOnce(
  next: BindingRule,
  inForce: BindingRule | null,
  templateApproved: boolean,
): boolean {
  if (narrows(next, inForce)) return true
  return makesNone(inForce) && next.audience.kind === 'event_subjects' && templateApproved
}

/**
 * Whether a version makes no message that the one in force (null: none) would not make as well: whatever event
 * arrives, it makes none, or one of the same category and template whose audience is a part of the other's.
 */
export function narrows(next: BindingRule, inForce: BindingRule | null): boolean {
  if (makesNone(next)) return true
  if (inForce === null || makesNone(inForce)) return false
  return (
    next.source === inForce.source &&
    next.type === inForce.type &&
    next.categoryId === inForce.categoryId &&
    next.templateId === inForce.templateId &&
    isPartOfKeys(next.keyIds, inForce.keyIds) &&
    isPartOfAudience(next.audience, inForce.audience)
  )
}

function makesNone(rule: BindingRule | null): boolean {
  return rule === null || !rule.enabled || rule.templateId === null
}

function isPartOfKeys(part: BindingRule['keyIds'], whole: BindingRule['keyIds']): boolean {
  return whole === null || part?.every((id) => whole.includes(id)) === true
}

/** The subjects of an event and the matches of a query have nothing to do with each other. */
function isPartOfAudience(part: BindingRule['audience'], whole: BindingRule['audience']): boolean {
  if (part.kind === 'event_subjects' || whole.kind === 'event_subjects') return part.kind === whole.kind
  return isPartOfQuery(part, whole) && excludesAll(part.exclude, whole.exclude)
}

function excludesAll(part: QueryAudience['exclude'], whole: QueryAudience['exclude']): boolean {
  return whole === undefined || (part !== undefined && isPartOfQuery(whole, part))
}

/** Dimensions are combined with AND, values within one with OR: more dimensions and fewer values match fewer people. */
function isPartOfQuery(part: AudienceDimensions, whole: AudienceDimensions): boolean {
  return audienceDimensions.every((name) => {
    const allowed: readonly unknown[] | undefined = whole[name]
    if (allowed === undefined) return true
    const wanted: readonly unknown[] | undefined = part[name]
    const known = new Set(allowed.map(canonicalJson))
    return wanted?.every((value) => known.has(canonicalJson(value))) === true
  })
}
