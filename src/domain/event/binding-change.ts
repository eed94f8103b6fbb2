import { audienceDimensions, type RunPer } from '../../contract/enums.ts'
import type { AudienceDimensions, QueryAudience } from '../audience/audience.ts'
import { canonicalJson } from '../lib/canonical-json.ts'

/**
 * What a version of an event binding says: it has a template, a scenario or neither. `runPer` is null without a scenario;
 * `keyIds` null: all signing keys.
 */
export type BindingRule = {
  source: string
  type: string
  categoryId: string
  templateId: string | null
  scenarioId: string | null
  runPer: RunPer | null
  audience: { kind: 'event_subjects' } | QueryAudience
  keyIds: string[] | null
  enabled: boolean
}

/** What a version is judged against. Null: the binding has none. */
type Predecessors = {
  /** The version in force. */
  inForce: BindingRule | null
  /**
   * What made something last, of the binding or of the source and type in its unit: a disabled binding still has it, and
   * one that is made anew after another was deleted.
   */
  lastMaking: BindingRule | null
}

/**
 * Whether a version takes effect without a person's approval (docs/design/events.md): it narrows
 * the one in force, or that one makes nothing, and the version is for the event's own subjects, a person has approved what
 * they are sent (its template, or its scenario), and it narrows what was made last, if anything was.
 */
export function takesEffectAtOnce(
  next: BindingRule,
  { inForce, lastMaking }: Predecessors,
  contentApproved: boolean,
): boolean {
  if (narrows(next, inForce)) return true
  if (!makesNone(inForce) || next.audience.kind !== 'event_subjects' || !contentApproved) return false
  return lastMaking === null || narrows(next, lastMaking)
}

/**
 * Whether a version makes no message and starts no run that the one in force (null: none) would not make as well:
 * whatever event arrives, it makes none, or one of the same category and template or scenario, for a part of the people.
 */
export function narrows(next: BindingRule, inForce: BindingRule | null): boolean {
  if (makesNone(next)) return true
  if (inForce === null || makesNone(inForce)) return false
  return (
    next.source === inForce.source &&
    next.type === inForce.type &&
    next.categoryId === inForce.categoryId &&
    next.templateId === inForce.templateId &&
    next.scenarioId === inForce.scenarioId &&
    next.runPer === inForce.runPer &&
    isPartOfKeys(next.keyIds, inForce.keyIds) &&
    isPartOfAudience(next.audience, inForce.audience)
  )
}

function makesNone(rule: BindingRule | null): boolean {
  return rule === null || !rule.enabled || (rule.templateId === null && rule.scenarioId === null)
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
    const allowedJson = new Set(allowed.map(canonicalJson))
    return wanted?.every((value) => allowedJson.has(canonicalJson(value))) === true
  })
}
