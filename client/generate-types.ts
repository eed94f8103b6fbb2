import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { typesOfContract } from './types-of-contract.ts'

/** `npm run types -w client`: writes src/types.ts anew from the service's contract. A test says when that is needed. */
writeFileSync(join(import.meta.dirname, 'src/types.ts'), typesOfContract())
