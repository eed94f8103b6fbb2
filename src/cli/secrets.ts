import type { Command } from 'commander'
import { resealAll } from '../services/reseal-secrets.ts'
import { secretBoxOf } from '../services/secret-box.ts'
import { type CommandContext, cliActor, withDatabase } from './command.ts'
import { exitCodes, UsageError } from './errors.ts'

/** `carillon secrets reseal` */
export function addSecrets(program: Command): void {
  const secrets = program.command('secrets').description('secrets that SECRETS_KEY seals')
  secrets
    .command('reseal')
    .description('seal everything again with SECRETS_KEY; exits with 1 if something cannot be opened')
    .action(withDatabase(reseal))
}

async function reseal({ db, config, answer }: CommandContext): Promise<void> {
  const secrets = secretBoxOf(config)
  if (!secrets) throw new UsageError('Set SECRETS_KEY, and the earlier key in SECRETS_KEYS_ACCEPTED.')
  const { current, earlier, unreadable } = await resealAll(db, secrets, cliActor)
  answer({ resealed: earlier, current, unreadable }, [
    `Sealed ${earlier} secrets again; ${current} were sealed with SECRETS_KEY already.`,
    ...(unreadable.length > 0
      ? [`No key opens ${unreadable.length}: ${unreadable.join(', ')}. Add theirs to SECRETS_KEYS_ACCEPTED.`]
      : []),
  ])
  if (unreadable.length > 0) process.exitCode = exitCodes.failed
}
