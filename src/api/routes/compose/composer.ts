import type { Preview, PreviewMessage } from '../../../contract/messages/dry-run.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import type { Page } from '../../pages/page.ts'
import type { Reader } from '../../signed-in-pages.ts'

/**
 * What is said on a form besides what is written. `theirs`: a version that somebody else has saved since it was shown;
 * `refused`: what the server would not take; `tested`: it was sent to its author just now.
 */
export type Aside = { theirs: Composition | null; refused: string | null; tested: boolean }

/** Something that is written in a browser. */
export type Composer = {
  /** The form, filled in. */
  page(reader: Reader, composition: Composition, aside: Aside): Promise<Page>
  /**
   * Ends the writing. Returns the address of what was made; null: something is missing still.
   * @throws ServiceError
   */
  submit(reader: Reader, composition: Composition): Promise<string | null>
  /**
   * What stands in a frame of the form; null: something is missing still.
   * @throws ServiceError
   */
  preview(reader: Reader, composition: Composition, shown: PreviewMessage): Promise<Preview | null>
  /**
   * Sends it to its author alone. False: something is missing still.
   * @throws ServiceError
   */
  test(reader: Reader, composition: Composition): Promise<boolean>
}
