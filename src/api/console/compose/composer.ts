import type { Preview, PreviewMessage } from '../../../contract/messages/dry-run.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import type { Page } from '../kit/page.ts'
import type { Reader } from '../kit/signed-in-pages.ts'
import type { TestResult } from './test-result.ts'

/** What is written, and for which unit. */
export type DraftForm = { composition: Composition; unit: Unit }

/**
 * How much of a page is asked for: all of it, the form with what is beside it, what is beside its fields alone, or how many
 * people it would reach, which is counted apart since it may take long.
 */
export const formParts = ['page', 'form', 'beside', 'numbers'] as const
export type FormPart = (typeof formParts)[number]

/**
 * What is said on a form besides what is written. `theirs`: a version that somebody else has saved since it was shown;
 * `refused`: what the server would not take; `tested`: what became of a test just now; `checked`: somebody has asked what
 * is wrong.
 */
export type FormNotices = {
  theirs: Composition | null
  refused: string | null
  tested: readonly TestResult[]
  part: FormPart
  checked: boolean
}

/** Who writes, as a form needs to know. */
export function writerOf({ principal, session }: Reader) {
  return { personId: principal.personId, severalUnits: session.units.length > 1 }
}

/** Something that is written in a browser. */
export type Composer = {
  /** The form, filled in. */
  page(reader: Reader, draft: DraftForm, notices: FormNotices): Promise<Page>
  /**
   * Ends the writing. Returns the id of what was made; null: something is missing still.
   * @throws ServiceError
   */
  submit(reader: Reader, draft: DraftForm): Promise<string | null>
  /** The page of what was made, which says so. */
  addressOf(madeId: string): string
  /**
   * What stands in a frame of the form; null: something is missing still.
   * @throws ServiceError
   */
  preview?(reader: Reader, draft: DraftForm, variant: PreviewMessage): Promise<Preview | null>
  /**
   * Sends it to its author alone. null: something is missing still.
   * @throws ServiceError
   */
  test?(reader: Reader, draft: DraftForm): Promise<readonly TestResult[] | null>
}
