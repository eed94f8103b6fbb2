import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { typesOfContract } from './types-of-contract.ts'

/** `npm run types -w client`: regenerates src/types.ts from the service's contract. A test fails if it is outdated. */
writeFileSync(join(import.meta.dirname, 'src/types.ts'), typesOfContract())
