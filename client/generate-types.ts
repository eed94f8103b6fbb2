import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { typesOfContract } from './types-of-contract.ts'

/** `npm run types -w client`: generates src/types.ts from the service's contract, as dev/install.mjs does where it is older. */
writeFileSync(join(import.meta.dirname, 'src/types.ts'), typesOfContract())
